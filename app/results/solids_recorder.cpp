#include "app/results/solids_recorder.hpp"

#include "app/results/run_folder.hpp"
#include "app/results/solid_forces.hpp"
#include "app/results/solid_tables.hpp"

#include <ostream>

namespace slipwave::app {

namespace {

const dynamics::SolidsIntegrator& of_solids(const dynamics::Integrator& integrator) {
  return dynamic_cast<const dynamics::SolidsIntegrator&>(integrator);
}

}  // namespace

SolidsRecorder::SolidsRecorder(const std::filesystem::path& folder, const SolidsModel& model,
                               const OutputMarks& marks)
    : model_(model),
      c_(model.case_file()),
      bodies_(folder / "bodies.csv", bodies_header, marks.bodies) {
  if (marks.step == 0)
    write_result(folder, "scene.csv", [&](std::ostream& out) { out << scene_table(model); });
  if (c_.has_frames()) {
    joints_.emplace(folder / "joints.csv", joints_header, marks.joints);
    frames_.emplace(folder, model, marks);
  }
  if (ForceLayout layout = force_layout(model); c_.forces_every > 0 && !layout.empty())
    forces_.emplace(folder / "forces.csv", std::move(layout), c_.forces_every, marks,
                    add_impulses_of_solids(model));
}

/// Whether bodies.csv has rows of a step: of the first, the last, of frames, and of those asked
/// for.
bool SolidsRecorder::is_due(int step, bool is_last) const {
  const int every = c_.trajectory_every;
  const bool regular = step == 0 || (every > 0 && step % every == 0) || c_.is_frame(step, false);
  return regular != is_last;
}

void SolidsRecorder::write_step(const dynamics::Integrator& integrator,
                                const dynamics::State& state, bool is_last) {
  if (forces_) forces_->write_step(integrator, state, is_last);
  if (is_due(state.step, is_last)) bodies_.add(body_rows(model_.solids(), state, integrator.h()));
}

void SolidsRecorder::write_frame(const dynamics::Integrator& integrator,
                                 const dynamics::State& state) {
  joints_->add(joint_rows(of_solids(integrator), state));
  frames_->write(of_solids(integrator), state);
}

void SolidsRecorder::flush() {
  bodies_.flush();
  if (joints_) joints_->flush();
  if (forces_) forces_->file().flush();
}

void SolidsRecorder::mark(OutputMarks& marks) {
  marks.bodies = bodies_.mark();
  if (joints_) marks.joints = joints_->mark();
  if (frames_) frames_->mark(marks);
  if (forces_) forces_->mark(marks);
}

void SolidsRecorder::settle() {
  bodies_.sync();
  if (joints_) joints_->sync();
  if (frames_) frames_->sync();
  if (forces_) forces_->file().sync();
}

}  // namespace slipwave::app
