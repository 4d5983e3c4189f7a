#include "app/results/trajectory_writer.hpp"

#include "app/results/vtk_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vtkCellArray.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>

namespace slipwave::app {

namespace {

/// A closed polygon, or a line between two points.
void add_outline(const std::vector<Eigen::Vector2d>& corners, vtkPolyData& body) {
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  std::vector<vtkIdType> ids;
  for (const Eigen::Vector2d& corner : corners)
    ids.push_back(points->InsertNextPoint(corner[0], corner[1], 0.0));
  vtkNew<vtkCellArray> cells;
  cells->InsertNextCell(static_cast<vtkIdType>(ids.size()), ids.data());
  body.SetPoints(points);
  if (ids.size() > 2)
    body.SetPolys(cells);
  else
    body.SetLines(cells);
}

std::string header_of(const FewDofsModel& model) {
  std::string line = fmt::format("step,t,{},{}", fmt::join(model.coordinates(), ","),
                                 fmt::join(model.velocities(), ","));
  for (int a = 1; a <= model.contact_count(); ++a)
    line += fmt::format(
        ",gap_{0},velocity_normal_{0},velocity_tangential_{0},impulse_normal_{0},"
        "impulse_tangential_{0},status_{0}",
        a);
  return line + ",potential\n";
}

}  // namespace

TrajectoryWriter::TrajectoryWriter(const std::filesystem::path& folder, const FewDofsModel& model,
                                   const OutputMarks& marks)
    : model_(model),
      c_(model.case_file()),
      file_(folder / "trajectory.csv", header_of(model), marks.trajectory) {
  if (c_.has_frames()) frames_.emplace(folder, "frames", "vtp");
  if (frames_ && marks.step > 0) frames_->keep(marks.frames);
  if (c_.forces_every > 0)
    forces_.emplace(folder / "forces.csv", force_layout(model), c_.forces_every, marks);
}

void TrajectoryWriter::write_step(const dynamics::Integrator& integrator,
                                  const dynamics::State& state, bool is_last) {
  if (forces_) forces_->write_step(integrator, state, is_last);
  const bool regular = state.step % c_.trajectory_every == 0;
  if (regular == is_last) return;
  std::string row = fmt::format("{},{},{},{}", state.step, state.time(integrator.h()),
                                fmt::join(state.q, ","), fmt::join(state.v, ","));
  const dynamics::StepContacts& contact = integrator.contact();
  const Eigen::VectorXd& p = contact.solution().p;
  for (int a = 0; a < contact.contact_count(); ++a)
    row += fmt::format(",{},{},{},{},{},{}", contact.gap()[a], contact.u()[2 * a],
                       contact.u()[2 * a + 1], p[2 * a], p[2 * a + 1],
                       static_cast<int>(contact.solution().status[static_cast<std::size_t>(a)]));
  file_.add(row + fmt::format(",{}\n", model_.potential_energy(state.q)));
}

void TrajectoryWriter::write_frame(const dynamics::Integrator& integrator,
                                   const dynamics::State& state) {
  if (!frames_) return;
  const double t = state.time(integrator.h());
  vtkNew<vtkPolyData> body;
  add_outline(model_.outline(state.q), *body);
  body->GetFieldData()->AddArray(time_value(t));
  write_vtp(body, frames_->begin(state.step));
  frames_->add(state.step, t);
}

void TrajectoryWriter::flush() {
  file_.flush();
  if (forces_) forces_->file().flush();
}

void TrajectoryWriter::mark(OutputMarks& marks) {
  marks.trajectory = file_.mark();
  if (frames_) marks.frames = frames_->mark();
  if (forces_) forces_->mark(marks);
}

void TrajectoryWriter::settle() {
  file_.sync();
  if (forces_) forces_->file().sync();
  if (frames_) frames_->sync();
}

}  // namespace slipwave::app
