#pragma once

#include "app/case/case_file.hpp"
#include "app/model/body.hpp"
#include "app/model/few_dofs_model.hpp"
#include "app/model/solids_model.hpp"

#include <filesystem>

namespace slipwave::app {

/// About how many bytes a whole run writes, file by file.
struct OutputNeeds {
  int frame_count = 0;
  double frames = 0.0;
  double ledger = 0.0;      ///< energy.csv
  double forces = 0.0;      ///< forces.csv
  double trajectory = 0.0;  ///< trajectory.csv
  double history = 0.0;     ///< interface.h5
  double checkpoints = 0.0;

  /// interface.h5 twice: a compact one takes its place at the end.
  double total() const {
    return frames + ledger + forces + trajectory + 2.0 * history + checkpoints;
  }
};

/// What a body's run writes.
OutputNeeds needs_of(const Case& c, const Body& body, int contacts);
/// What the run of a few degrees of freedom writes.
OutputNeeds needs_of(const FewDofsModel& model);
/// What the run of rigid bodies writes, with about so many contacts.
OutputNeeds needs_of(const SolidsModel& model, int contacts);

/// Bytes free where a folder is, or will be.
double free_bytes(const std::filesystem::path& folder);

/// Throws OutputError if the folder's disk has less room than this share of the needs, when
/// `replaced` bytes of earlier results have gone.
void require_room(const std::filesystem::path& folder, const OutputNeeds& needs, double share,
                  double replaced);

}  // namespace slipwave::app
