#pragma once

#include "app/model/solids_model.hpp"
#include "app/results/appended_file.hpp"
#include "app/results/forces_writer.hpp"
#include "app/results/recorder.hpp"
#include "app/results/solid_frames.hpp"

#include <filesystem>
#include <optional>

namespace slipwave::app {

/// What a run of rigid bodies writes besides the ledger: scene.csv, bodies.csv, forces.csv, and at
/// frames joints.csv, frames/*.vtp and contact/*.vtp. Its integrators must be SolidsIntegrators.
class SolidsRecorder : public Recorder {
 public:
  /// Makes the files, or goes on with those of the run whose checkpoint has these marks. The model
  /// must outlive it.
  SolidsRecorder(const std::filesystem::path& folder, const SolidsModel& model,
                 const OutputMarks& marks);

  void write_step(const dynamics::Integrator& integrator, const dynamics::State& state,
                  bool is_last) override;
  void write_frame(const dynamics::Integrator& integrator, const dynamics::State& state) override;
  void flush() override;
  void settle() override;
  void mark(OutputMarks& marks) override;

 private:
  bool is_due(int step, bool is_last) const;

  const SolidsModel& model_;
  const Case& c_;
  AppendedFile bodies_;
  std::optional<AppendedFile> joints_;
  std::optional<SolidFrames> frames_;
  std::optional<ForcesWriter> forces_;
};

}  // namespace slipwave::app
