#include "app/results/body_recorder.hpp"

namespace slipwave::app {

namespace {

const dynamics::SystemIntegrator& of_system(const dynamics::Integrator& integrator) {
  return dynamic_cast<const dynamics::SystemIntegrator&>(integrator);
}

}  // namespace

BodyRecorder::BodyRecorder(const std::filesystem::path& folder, const Case& c, const Body& body,
                           const dynamics::System& system, const dynamics::State& initial,
                           const OutputMarks& marks)
    : c_(c) {
  if (c.has_frames()) series_.emplace(folder, body, writer_);
  if (series_ && marks.step > 0) series_->keep(marks);
  if (c.interface_every > 0 && !body.lines.empty())
    interface_.emplace(folder, c, body, system, initial, marks.step, writer_);
  ForceLayout layout = force_layout(c, body, system);
  if (c.forces_every > 0 && !layout.empty())
    forces_.emplace(folder / "forces.csv", std::move(layout), c.forces_every, marks);
}

/// Before the first step no contact problem was solved: there is nothing to tell.
void BodyRecorder::write_step(const dynamics::Integrator& integrator, const dynamics::State& state,
                              bool is_last) {
  if (forces_) forces_->write_step(integrator, state, is_last);
  if (!interface_ || state.step == 0) return;
  const bool regular = state.step % c_.interface_every == 0;
  if (regular != is_last) interface_->write_step(of_system(integrator), state);
}

void BodyRecorder::write_frame(const dynamics::Integrator& integrator,
                               const dynamics::State& state) {
  series_->write_frame(of_system(integrator), state);
}

void BodyRecorder::flush() {
  if (forces_) forces_->file().flush();
  if (interface_) interface_->flush();
}

void BodyRecorder::mark(OutputMarks& marks) {
  writer_.finish();
  if (series_) series_->mark(marks);
  if (forces_) forces_->mark(marks);
}

void BodyRecorder::settle() {
  flush();
  writer_.finish();
  if (series_) series_->sync();
  if (interface_) interface_->sync();
  if (forces_) forces_->file().sync();
}

void BodyRecorder::finish() {
  flush();
  writer_.finish();
  if (interface_) interface_->finish();
}

}  // namespace slipwave::app
