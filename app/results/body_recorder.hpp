#pragma once

#include "app/results/background_writer.hpp"
#include "app/results/forces_writer.hpp"
#include "app/results/frames.hpp"
#include "app/results/interface_writer.hpp"
#include "app/results/recorder.hpp"

#include <filesystem>
#include <optional>

namespace slipwave::app {

/// What a run of a body writes besides the ledger: frames for ParaView and the history of the
/// contact lines, by a thread of its own, and the forces. Its integrators must be
/// SystemIntegrators.
class BodyRecorder : public Recorder {
 public:
  /// Makes the files, or goes on with those of the run whose checkpoint has these marks; `initial`
  /// is the state at t = 0. Case and body must outlive it.
  BodyRecorder(const std::filesystem::path& folder, const Case& c, const Body& body,
               const dynamics::System& system, const dynamics::State& initial,
               const OutputMarks& marks);

  void write_step(const dynamics::Integrator& integrator, const dynamics::State& state,
                  bool is_last) override;
  void write_frame(const dynamics::Integrator& integrator, const dynamics::State& state) override;
  void flush() override;
  void settle() override;
  void mark(OutputMarks& marks) override;
  void finish() override;

 private:
  const Case& c_;
  std::optional<SeriesWriter> series_;
  std::optional<InterfaceWriter> interface_;
  std::optional<ForcesWriter> forces_;
  BackgroundWriter writer_;  // last, so that its jobs end before what they use does
};

}  // namespace slipwave::app
