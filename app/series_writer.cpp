#include "app/series_writer.hpp"

#include "app/output_folder.hpp"
#include "app/vtk_file.hpp"
#include "fem/stress.hpp"

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

namespace slipwave::app {

namespace {

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

Series::Series(std::filesystem::path folder, std::string name, std::string extension)
    : folder_(std::move(folder)), name_(std::move(name)), extension_(std::move(extension)) {
  std::filesystem::create_directories(folder_ / name_);
}

std::filesystem::path Series::file_of(int step) const {
  return folder_ / name_ / fmt::format("{}_{:07d}.{}", name_, step, extension_);
}

void Series::add(int step, double t) {
  entries_ += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}/{}\"/>\n", t, name_,
                          file_of(step).filename().string());
  write_whole(folder_ / (name_ + ".pvd"), [&](std::ostream& out) {
    out << "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
           "byte_order=\"LittleEndian\">\n"
           "  <Collection>\n"
        << entries_ << "  </Collection>\n</VTKFile>\n";
  });
}

SeriesWriter::SeriesWriter(const std::filesystem::path& folder, const Body& body, bool frames)
    : body_(body) {
  if (!frames) return;
  frames_.emplace(folder, "frames", "vtu");
  if (!body.lines.empty()) contact_.emplace(folder, "contact", "vtp");
}

void SeriesWriter::write_frame(const dynamics::Integrator& any, const dynamics::State& state) {
  const auto& integrator = dynamic_cast<const dynamics::SystemIntegrator&>(any);
  write_body(integrator, state);
  frames_->add(state.step, state.time(integrator.h()));
  if (!contact_) return;
  write_contact(integrator, state);
  contact_->add(state.step, state.time(integrator.h()));
}

void SeriesWriter::write_body(const dynamics::SystemIntegrator& integrator,
                              const dynamics::State& state) {
  const auto grid = make_grid(body_);
  const fem::StressField field = fem::stress(body_.mesh, body_.materials, state.q);
  grid->GetPointData()->AddArray(vector_field("displacement", state.q));
  grid->GetPointData()->AddArray(vector_field("velocity", state.v));
  grid->GetPointData()->AddArray(
      vector_field("reaction", integrator.reaction_impulse() / integrator.h()));
  grid->GetCellData()->AddArray(tensor_field("stress", field.stress));
  grid->GetCellData()->AddArray(tensor_field("strain", field.strain));
  grid->GetCellData()->AddArray(scalar_field("von_mises", field.von_mises));
  grid->GetFieldData()->AddArray(time_value(state.time(integrator.h())));
  write_vtu(grid, frames_->file_of(state.step));
}

void SeriesWriter::write_contact(const dynamics::SystemIntegrator& integrator,
                                 const dynamics::State& state) {
  const dynamics::System& system = integrator.system();
  const int n = system.contact_count();
  const Eigen::VectorXd& p = integrator.contact().solution().p;
  Eigen::VectorXd gap(n), p_N(n), p_T(n), pressure(n), shear(n), u_T(n), q(2 * n), v(2 * n);
  vtkNew<vtkIntArray> status, group;
  status->SetName("status");
  group->SetName("group");
  std::vector<int> nodes;
  for (std::size_t k = 0; k < body_.lines.size(); ++k)
    for (std::size_t i = 0; i < body_.lines[k].line.nodes.size(); ++i) {
      const int a = body_.lines[k].first_contact + static_cast<int>(i);
      const dynamics::ContactPoint& contact = system.contacts[static_cast<std::size_t>(a)];
      const double impulse_to_stress = 1.0 / (integrator.h() * body_.lines[k].area[i]);
      q.segment<2>(2 * a) = state.q.segment<2>(contact.dof);
      v.segment<2>(2 * a) = state.v.segment<2>(contact.dof);
      gap[a] = contact.gap(state.q);
      p_N[a] = p[2 * a];
      p_T[a] = p[2 * a + 1];
      pressure[a] = impulse_to_stress * p_N[a];
      shear[a] = impulse_to_stress * p_T[a];
      u_T[a] = integrator.contact().u()[2 * a + 1];
      status->InsertNextValue(
          static_cast<int>(integrator.contact().solution().status[static_cast<std::size_t>(a)]));
      group->InsertNextValue(static_cast<int>(k));
      nodes.push_back(body_.lines[k].line.nodes[i]);
    }
  vtkNew<vtkPolyData> line;
  line->SetPoints(points_at(body_.mesh, nodes));
  line->SetLines(polylines(body_.lines));
  vtkPointData* data = line->GetPointData();
  data->AddArray(vector_field("displacement", q));
  data->AddArray(vector_field("velocity", v));
  data->AddArray(scalar_field("gap", gap));
  data->AddArray(scalar_field("impulse_normal", p_N));
  data->AddArray(scalar_field("impulse_tangential", p_T));
  data->AddArray(scalar_field("pressure", pressure));
  data->AddArray(scalar_field("shear_traction", shear));
  data->AddArray(scalar_field("tangential_velocity", u_T));
  data->AddArray(status);
  data->AddArray(group);
  line->GetFieldData()->AddArray(time_value(state.time(integrator.h())));
  write_vtp(line, contact_->file_of(state.step));
}

std::string vtk_version() { return vtkVersion::GetVTKVersion(); }

}  // namespace slipwave::app
