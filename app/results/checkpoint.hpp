#pragma once

#include "app/case/case_file.hpp"
#include "app/results/recorder.hpp"
#include "app/results/run_statistics.hpp"
#include "dynamics/state.hpp"
#include "dynamics/stepper.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace slipwave::app {

/// Everything a run needs to go on after a step as if nothing had happened, to the last bit.
struct Checkpoint {
  std::string version{};    ///< of the program that wrote it
  std::string case_text{};  ///< Case::resolved
  std::string mesh{};       ///< mesh_digest(), empty without a mesh
  dynamics::State state{};
  int piece = 0;                    ///< of Case::pieces, the present one
  std::vector<StepPiece> pieces{};  ///< of the case
  dynamics::StepperMemory memory;
  RunStatistics statistics;
  OutputMarks marks{};
};

/// Writes DIR/checkpoint.h5. It is on the disk and whole before it takes the place of the one that
/// is there, which is kept as checkpoint.previous.h5. Throws OutputError.
void write_checkpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint);

/// Removes the one before the newest, which a run that is complete no longer needs.
void remove_previous_checkpoint(const std::filesystem::path& folder);

/// Reads a checkpoint whose every byte is as it was written: SHA-256 of the file stands at its
/// beginning. Throws UserError naming the file and what is wrong with it.
Checkpoint read_checkpoint(const std::filesystem::path& file);

/// The newest checkpoint of a folder that is whole, or none where there is no file of one. Warns of
/// one that is not whole. Throws UserError if none of them is.
std::optional<Checkpoint> newest_checkpoint(const std::filesystem::path& folder);

/// Throws UserError with the differences if a case and mesh_digest() of its mesh are not those of a
/// checkpoint. A later end does not count, nor do time.wall_limit, output.checkpoint_every,
/// [limits] and the place of the mesh file.
void require_same_run(const Case& c, const std::string& mesh, const Checkpoint& checkpoint,
                      const std::filesystem::path& folder);

}  // namespace slipwave::app
