#pragma once

#include "app/results/appended_file.hpp"
#include "dynamics/integrator.hpp"
#include "dynamics/state.hpp"

#include <Eigen/Core>

namespace slipwave::app {

/// How far the files of a run have come at a step: what is beyond goes when the run is resumed.
struct OutputMarks {
  int step = 0;  ///< 0: nothing is written yet
  FileMark energy, trajectory, forces;
  FileMark bodies, joints;
  FileMark frames, contact;    ///< of the entries of the collections
  Eigen::VectorXd impulses{};  ///< of ForcesWriter: since the last row of forces.csv
};

/// What a run writes of its states, besides the ledger.
class Recorder {
 public:
  virtual ~Recorder() = default;
  /// After every step, and before the first: records what is due at this step. Again with is_last
  /// when the run ends here: records it if it was not due.
  virtual void write_step(const dynamics::Integrator& /*integrator*/,
                          const dynamics::State& /*state*/, bool /*is_last*/) {}
  /// At the frames of output.frames_every and output.frames_at.
  virtual void write_frame(const dynamics::Integrator& integrator,
                           const dynamics::State& state) = 0;
  /// Hands what is complete to the system.
  virtual void flush() {}
  /// Returns when everything so far is whole and would survive the machine's going out.
  virtual void settle() = 0;
  /// Adds how far the recorder's own files have come, once everything so far is written.
  virtual void mark(OutputMarks& /*marks*/) {}
  /// After the last step: returns when everything is written.
  virtual void finish() { flush(); }
};

}  // namespace slipwave::app
