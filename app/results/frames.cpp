#include "app/results/frames.hpp"

#include "app/messages/say.hpp"
#include "app/messages/user_error.hpp"
#include "app/results/contact_sample.hpp"
#include "app/results/file_list.hpp"
#include "app/results/run_folder.hpp"
#include "app/results/vtk_file.hpp"
#include "fem/stress.hpp"
#include "files/new_file.hpp"
#include "files/sha256.hpp"

#include <fmt/format.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>
#include <vtkVersion.h>

#include <cstdlib>
#include <set>
#include <sstream>

namespace slipwave::app {

namespace {

constexpr std::string_view collection_head =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
    "byte_order=\"LittleEndian\">\n"
    "  <Collection>\n";

/// A plane vector field as three components.
vtkSmartPointer<vtkDoubleArray> vector_field(const char* name, const Eigen::VectorXd& values) {
  auto array = new_array(name, 3, values.size() / 2);
  for (vtkIdType i = 0; i < values.size() / 2; ++i)
    array->SetTuple3(i, values[2 * i], values[2 * i + 1], 0.0);
  return array;
}

vtkSmartPointer<vtkDoubleArray> tensor_field(
    const char* name, const Eigen::Matrix<double, 6, Eigen::Dynamic>& values) {
  auto array = new_array(name, 6, values.cols());
  std::copy_n(values.data(), values.size(), array->GetPointer(0));
  return array;
}

vtkSmartPointer<vtkDoubleArray> scalar_field(const char* name, const Eigen::VectorXd& values) {
  auto array = new_array(name, 1, values.size());
  std::copy_n(values.data(), values.size(), array->GetPointer(0));
  return array;
}

vtkSmartPointer<vtkPoints> points_at(const fem::Mesh& mesh, const std::vector<int>& nodes) {
  auto points = vtkSmartPointer<vtkPoints>::New();
  points->SetDataTypeToDouble();
  points->SetNumberOfPoints(static_cast<vtkIdType>(nodes.size()));
  for (std::size_t k = 0; k < nodes.size(); ++k)
    points->SetPoint(static_cast<vtkIdType>(k), mesh.nodes(0, nodes[k]), mesh.nodes(1, nodes[k]),
                     0.0);
  return points;
}

/// The triangles, then the data; stress and strain with their cells.
vtkSmartPointer<vtkUnstructuredGrid> make_grid(const Body& body) {
  std::vector<int> nodes(static_cast<std::size_t>(body.mesh.node_count()));
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = static_cast<int>(i);
  auto grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
  grid->SetPoints(points_at(body.mesh, nodes));
  grid->Allocate(body.mesh.triangle_count());
  for (int e = 0; e < body.mesh.triangle_count(); ++e) {
    const std::array<vtkIdType, 3> ids{body.mesh.triangles(0, e), body.mesh.triangles(1, e),
                                       body.mesh.triangles(2, e)};
    grid->InsertNextCell(VTK_TRIANGLE, 3, ids.data());
  }
  return grid;
}

/// One polyline per connected piece of each contact line.
vtkSmartPointer<vtkCellArray> polylines(const std::vector<ContactLine>& lines) {
  auto cells = vtkSmartPointer<vtkCellArray>::New();
  vtkIdType point = 0;
  for (const ContactLine& line : lines) {
    std::vector<vtkIdType> ids;
    for (std::size_t k = 0; k < line.line.nodes.size(); ++k) {
      ids.push_back(point++);
      const bool ends =
          k + 1 == line.line.nodes.size() || line.line.piece[k + 1] != line.line.piece[k];
      if (!ends) continue;
      cells->InsertNextCell(static_cast<vtkIdType>(ids.size()), ids.data());
      ids.clear();
    }
  }
  return cells;
}

}  // namespace

std::string entries_to(const std::filesystem::path& collection, const FileMark& mark) {
  const std::string text = files::text_of(collection);
  std::string entries = text.substr(std::min(text.size(), collection_head.size()));
  entries.resize(std::min(entries.size(), static_cast<std::size_t>(mark.bytes)));
  if (mark.bytes > 0 && files::sha256_of_text(entries) != mark.sha256)
    throw UserError(fmt::format(
        "{}: was changed or removed since the checkpoint was written, and with it the list of the "
        "frames: this run cannot be resumed; put it back as it was, or start anew with --force",
        collection.string()));
  return entries;
}

Series::Series(std::filesystem::path folder, std::string name, std::string extension)
    : folder_(std::move(folder)), name_(std::move(name)), extension_(std::move(extension)) {
  list_folder(folder_, name_);
  list_file(folder_, name_ + ".pvd");
}

std::string Series::name_of(int step) const {
  return fmt::format("{}/{}_{:07d}.{}", name_, name_, step, extension_);
}

std::filesystem::path Series::begin(int step) const {
  list_file(folder_, name_of(step));
  return folder_ / name_of(step);
}

/// The names between the quotes of file="...", an entry a line.
std::string Series::file_in(const std::string& entry) const {
  const std::string before = "file=\"", after = "\"/>";
  const std::size_t begin = entry.find(before) + before.size();
  return entry.substr(begin, entry.find(after) - begin);
}

/// The lines stay as they are, so that times keep their digits.
void Series::keep(const FileMark& mark) {
  std::set<std::string> kept;
  std::istringstream lines(entries_to(folder_ / (name_ + ".pvd"), mark));
  for (std::string line; std::getline(lines, line);) {
    const std::string file = file_in(line);
    if (files::is_plain_file(folder_ / file)) {
      entries_ += line + "\n";
      kept.insert(file);
    } else {
      say(stderr, "warning: {}: is gone; {}.pvd goes on without it\n", (folder_ / file).string(),
          name_);
    }
  }
  write_collection();
  remove_listed(folder_, [&](const std::string& name) {
    return name.starts_with(name_ + "/") && !name.ends_with('/') && !kept.contains(name);
  });
}

void Series::add(int step, double t) {
  entries_ +=
      fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", t, name_of(step));
  unsynced_.push_back(folder_ / name_of(step));
  write_collection();
}

FileMark Series::mark() const {
  return {static_cast<long>(entries_.size()), files::sha256_of_text(entries_)};
}

void Series::sync() {
  if (unsynced_.empty()) return;
  for (const std::filesystem::path& file : unsynced_) files::sync_to_disk(file);
  unsynced_.clear();
  files::sync_to_disk(folder_ / (name_ + ".pvd"));
  files::sync_to_disk(folder_ / name_);
}

void Series::write_collection() const {
  files::write_whole(folder_ / (name_ + ".pvd"), [&](std::ostream& out) {
    out << collection_head << entries_ << "  </Collection>\n</VTKFile>\n";
  });
}

SeriesWriter::SeriesWriter(const std::filesystem::path& folder, const Body& body,
                           BackgroundWriter& writer)
    : body_(body), writer_(writer), frames_(folder, "frames", "vtu") {
  if (!body.lines.empty()) contact_.emplace(folder, "contact", "vtp");
}

void SeriesWriter::keep(const OutputMarks& marks) {
  frames_.keep(marks.frames);
  if (contact_) contact_->keep(marks.contact);
}

void SeriesWriter::mark(OutputMarks& marks) const {
  marks.frames = frames_.mark();
  if (contact_) marks.contact = contact_->mark();
}

void SeriesWriter::sync() {
  frames_.sync();
  if (contact_) contact_->sync();
}

void SeriesWriter::write_frame(const dynamics::SystemIntegrator& integrator,
                               const dynamics::State& state) {
  const auto frame = std::make_shared<const Frame>(copy(integrator, state));
  writer_.post([this, frame] { write(*frame); });
}

SeriesWriter::Frame SeriesWriter::copy(const dynamics::SystemIntegrator& integrator,
                                       const dynamics::State& state) const {
  Frame frame;
  frame.step = state.step;
  frame.t = state.time(integrator.h());
  frame.q = state.q;
  frame.v = state.v;
  frame.reaction = integrator.reaction_impulse() / integrator.h();
  copy_contacts(integrator, state, frame);
  return frame;
}

void SeriesWriter::copy_contacts(const dynamics::SystemIntegrator& integrator,
                                 const dynamics::State& state, Frame& frame) const {
  const dynamics::System& system = integrator.system();
  const int n = system.contact_count();
  for (Eigen::VectorXd* values :
       {&frame.gap, &frame.p_N, &frame.p_T, &frame.pressure, &frame.shear, &frame.u_T})
    values->resize(n);
  frame.contact_q.resize(2 * n);
  frame.contact_v.resize(2 * n);
  for (const ContactLine& line : body_.lines)
    for (std::size_t i = 0; i < line.line.nodes.size(); ++i) {
      const int a = line.first_contact + static_cast<int>(i);
      const int dof = system.H.own_dof(a);
      const ContactSample contact = sample_contact(integrator, state, a, line.area[i]);
      frame.contact_q.segment<2>(2 * a) = state.q.segment<2>(dof);
      frame.contact_v.segment<2>(2 * a) = state.v.segment<2>(dof);
      frame.gap[a] = contact.gap;
      frame.p_N[a] = contact.p_N;
      frame.p_T[a] = contact.p_T;
      frame.pressure[a] = contact.pressure;
      frame.shear[a] = contact.shear;
      frame.u_T[a] = contact.u_T;
      frame.status.push_back(static_cast<int>(contact.status));
    }
}

void SeriesWriter::write(const Frame& frame) {
  write_body(frame);
  frames_.add(frame.step, frame.t);
  if (!contact_) return;
  write_contact(frame);
  contact_->add(frame.step, frame.t);
}

void SeriesWriter::write_body(const Frame& frame) {
  const auto grid = make_grid(body_);
  const fem::StressField field = fem::stress(body_.mesh, body_.materials, frame.q);
  grid->GetPointData()->AddArray(vector_field("displacement", frame.q));
  grid->GetPointData()->AddArray(vector_field("velocity", frame.v));
  grid->GetPointData()->AddArray(vector_field("reaction", frame.reaction));
  grid->GetCellData()->AddArray(tensor_field("stress", field.stress));
  grid->GetCellData()->AddArray(tensor_field("strain", field.strain));
  grid->GetCellData()->AddArray(scalar_field("von_mises", field.von_mises));
  grid->GetFieldData()->AddArray(time_value(frame.t));
  write_vtu(grid, frames_.begin(frame.step));
}

void SeriesWriter::write_contact(const Frame& frame) {
  vtkNew<vtkIntArray> status, group;
  status->SetName("status");
  group->SetName("group");
  for (const int value : frame.status) status->InsertNextValue(value);
  std::vector<int> nodes;
  for (std::size_t k = 0; k < body_.lines.size(); ++k)
    for (const int node : body_.lines[k].line.nodes) {
      group->InsertNextValue(static_cast<int>(k));
      nodes.push_back(node);
    }
  vtkNew<vtkPolyData> line;
  line->SetPoints(points_at(body_.mesh, nodes));
  line->SetLines(polylines(body_.lines));
  vtkPointData* data = line->GetPointData();
  data->AddArray(vector_field("displacement", frame.contact_q));
  data->AddArray(vector_field("velocity", frame.contact_v));
  data->AddArray(scalar_field("gap", frame.gap));
  data->AddArray(scalar_field("impulse_normal", frame.p_N));
  data->AddArray(scalar_field("impulse_tangential", frame.p_T));
  data->AddArray(scalar_field("pressure", frame.pressure));
  data->AddArray(scalar_field("shear_traction", frame.shear));
  data->AddArray(scalar_field("tangential_velocity", frame.u_T));
  data->AddArray(status);
  data->AddArray(group);
  line->GetFieldData()->AddArray(time_value(frame.t));
  write_vtp(line, contact_->begin(frame.step));
}

std::string vtk_version() { return vtkVersion::GetVTKVersion(); }

}  // namespace slipwave::app
