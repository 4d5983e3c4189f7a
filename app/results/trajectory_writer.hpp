#pragma once

#include "app/model/few_dofs_model.hpp"
#include "app/results/appended_file.hpp"
#include "app/results/forces_writer.hpp"
#include "app/results/frames.hpp"
#include "app/results/recorder.hpp"

#include <filesystem>
#include <optional>

namespace slipwave::app {

/// trajectory.csv, a row per step with the coordinates, velocities and contacts of a model of a few
/// degrees of freedom, forces.csv, and frames/*.vtp with its outline.
class TrajectoryWriter : public Recorder {
 public:
  /// Makes the files, or goes on with those of the run whose checkpoint has these marks.
  TrajectoryWriter(const std::filesystem::path& folder, const FewDofsModel& model,
                   const OutputMarks& marks);

  void write_step(const dynamics::Integrator& integrator, const dynamics::State& state,
                  bool is_last) override;
  void write_frame(const dynamics::Integrator& integrator, const dynamics::State& state) override;
  void flush() override;
  void settle() override;
  void mark(OutputMarks& marks) override;

 private:
  const FewDofsModel& model_;
  const Case& c_;
  AppendedFile file_;
  std::optional<ForcesWriter> forces_;
  std::optional<Series> frames_;
};

}  // namespace slipwave::app
