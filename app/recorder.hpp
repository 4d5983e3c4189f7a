#pragma once

#include "dynamics/integrator.hpp"
#include "dynamics/state.hpp"

namespace slipwave::app {

/// What a run writes of its states, besides the ledger.
class Recorder {
 public:
  virtual ~Recorder() = default;
  /// After every step, and before the first.
  virtual void write_step(const dynamics::Integrator& /*integrator*/,
                          const dynamics::State& /*state*/, bool /*is_last*/) {}
  /// At the frames of output.frames_every and output.frames_at.
  virtual void write_frame(const dynamics::Integrator& integrator,
                           const dynamics::State& state) = 0;
  /// Hands what is complete to the system.
  virtual void flush() {}
  /// After the last step: returns when everything is written.
  virtual void finish() { flush(); }
};

}  // namespace slipwave::app
