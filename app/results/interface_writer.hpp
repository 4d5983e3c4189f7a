#pragma once

#include "app/case/case_file.hpp"
#include "app/model/body.hpp"
#include "app/results/background_writer.hpp"
#include "app/results/interface_file.hpp"
#include "dynamics/integrator.hpp"
#include "dynamics/state.hpp"

#include <Eigen/Core>

#include <filesystem>
#include <memory>
#include <vector>

namespace slipwave::app {

/// Records what happens along the contact lines into interface.h5, step by step.
class InterfaceWriter {
 public:
  /// Makes the file, with what an earlier run into the folder recorded up to a step.
  /// The background writer must outlive it.
  InterfaceWriter(const std::filesystem::path& folder, const Case& c, const Body& body,
                  const dynamics::System& system, const dynamics::State& initial, int resumed_at,
                  BackgroundWriter& writer);

  /// Takes a step in; blocks of steps go to the file.
  void write_step(const dynamics::SystemIntegrator& integrator, const dynamics::State& state);
  /// Sends what was taken in to the file.
  void flush();
  /// Returns when what was sent would survive the machine's going out; nothing may be waiting.
  void sync() const { file_->sync(); }
  /// Closes the file and makes it compact; nothing may be waiting, nothing can come any more.
  void finish() { file_->finish(); }

 private:
  /// The run's contact behind each node of a line, with its tangential displacement at t = 0.
  struct Columns {
    std::vector<int> contact;
    Eigen::VectorXd initial_slip;
  };

  void write_line(const dynamics::SystemIntegrator& integrator, const dynamics::State& state,
                  const Columns& columns, LineHistory& line) const;

  BackgroundWriter& writer_;
  std::vector<Columns> columns_;
  int rows_at_once_;
  int rows_ = 0;
  std::shared_ptr<InterfaceHistory> block_;  // the steps not yet sent, rows_ of them
  std::shared_ptr<InterfaceFile> file_;      // shared with the jobs that write
};

}  // namespace slipwave::app
