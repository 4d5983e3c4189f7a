#pragma once

#include "app/finite_model.hpp"
#include "app/recorder.hpp"
#include "app/series_writer.hpp"

#include <filesystem>
#include <fstream>
#include <optional>

namespace slipwave::app {

/// trajectory.csv, a row per step with the coordinates, velocities and contacts of a model of a few
/// degrees of freedom, and frames/*.vtp with its outline.
class TrajectoryWriter : public Recorder {
 public:
  /// Opens the file and writes the header. Throws std::runtime_error where it cannot.
  TrajectoryWriter(const std::filesystem::path& folder, const FiniteModel& model, int every,
                   bool frames);

  void write_step(const dynamics::Integrator& integrator, const dynamics::State& state,
                  bool is_last) override;
  void write_frame(const dynamics::Integrator& integrator, const dynamics::State& state) override;
  void flush() override;

 private:
  void write_header();

  const FiniteModel& model_;
  int every_;
  std::filesystem::path file_;
  std::ofstream stream_;
  std::optional<Series> frames_;
};

}  // namespace slipwave::app
