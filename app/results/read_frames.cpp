#include "app/results/read_frames.hpp"

#include "app/messages/user_error.hpp"
#include "app/results/columns.hpp"
#include "app/results/read_vtk.hpp"
#include "files/new_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDataArray.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <regex>

namespace slipwave::app {

namespace {

Eigen::VectorXd plane_vectors(vtkDataArray& array) {
  Eigen::VectorXd values(2 * array.GetNumberOfTuples());
  for (vtkIdType i = 0; i < array.GetNumberOfTuples(); ++i)
    values.segment<2>(2 * i) << array.GetComponent(i, 0), array.GetComponent(i, 1);
  return values;
}

Eigen::VectorXd component_of(vtkDataArray& array, int component) {
  Eigen::VectorXd values(array.GetNumberOfTuples());
  for (vtkIdType i = 0; i < values.size(); ++i) values[i] = array.GetComponent(i, component);
  return values;
}

/// Scalars as they are, of tensors (xx, yy, zz, xy, yz, xz) the components in the plane.
std::map<std::string, Eigen::VectorXd> triangle_fields(vtkCellData& data) {
  std::map<std::string, Eigen::VectorXd> fields;
  for (int i = 0; i < data.GetNumberOfArrays(); ++i) {
    vtkDataArray& array = *data.GetArray(i);
    const std::string name = array.GetName();
    if (array.GetNumberOfComponents() == 1) fields[name] = component_of(array, 0);
    if (array.GetNumberOfComponents() != 6) continue;
    fields[name + "_xx"] = component_of(array, 0);
    fields[name + "_yy"] = component_of(array, 1);
    fields[name + "_xy"] = component_of(array, 3);
  }
  return fields;
}

fem::Mesh mesh_of(vtkUnstructuredGrid& grid, const std::string& source) {
  fem::Mesh mesh;
  mesh.source = source;
  mesh.nodes.resize(2, grid.GetNumberOfPoints());
  for (vtkIdType i = 0; i < grid.GetNumberOfPoints(); ++i)
    mesh.nodes.col(i) << grid.GetPoint(i)[0], grid.GetPoint(i)[1];
  mesh.triangles.resize(3, grid.GetNumberOfCells());
  for (vtkIdType e = 0; e < grid.GetNumberOfCells(); ++e) {
    if (grid.GetCellType(e) != VTK_TRIANGLE)
      throw UserError(source + ": this frame has cells that are no triangles");
    for (int k = 0; k < 3; ++k)
      mesh.triangles(k, e) = static_cast<int>(grid.GetCell(e)->GetPointId(k));
  }
  return mesh;
}

std::vector<std::string> scalar_names(vtkPointData& data) {
  std::vector<std::string> names;
  for (int i = 0; i < data.GetNumberOfArrays(); ++i)
    if (data.GetArray(i)->GetNumberOfComponents() == 1) names.emplace_back(data.GetArrayName(i));
  return names;
}

/// Along x, or along y where the line is higher than long.
LineFrame along_line(vtkPolyData& line, vtkDataArray& array) {
  std::array<double, 6> box{};
  line.GetBounds(box.data());
  const int axis = box[3] - box[2] > box[1] - box[0] ? 1 : 0;
  std::vector<vtkIdType> order(static_cast<std::size_t>(line.GetNumberOfPoints()));
  std::iota(order.begin(), order.end(), vtkIdType{0});
  std::sort(order.begin(), order.end(), [&](vtkIdType a, vtkIdType b) {
    return line.GetPoint(a)[axis] < line.GetPoint(b)[axis];
  });
  LineFrame frame;
  for (const vtkIdType i : order) {
    frame.s.push_back(line.GetPoint(i)[axis]);
    frame.values.push_back(array.GetComponent(i, 0));
  }
  return frame;
}

/// NAME_0000100.vtu -> 100.
int step_in(const std::filesystem::path& file) {
  const std::string stem = file.stem().string();
  return std::atoi(stem.substr(stem.rfind('_') + 1).c_str());
}

}  // namespace

std::vector<FrameEntry> read_collection(const std::filesystem::path& pvd) {
  if (!std::filesystem::exists(pvd)) return {};
  const std::string text = files::text_of(pvd);
  if (!is_whole_vtk(text)) throw UserError(pvd.string() + ": is cut short");
  static const std::regex entry(R"re(<DataSet timestep="([^"]*)"[^>]* file="([^"]*)"|<DataSet)re");
  std::vector<FrameEntry> frames;
  for (std::sregex_iterator i(text.begin(), text.end(), entry), none; i != none; ++i) {
    FrameEntry frame{0, 0.0, pvd.parent_path() / (*i)[2].str()};
    if (!read_number((*i)[1].str(), frame.t))
      throw UserError(pvd.string() + ": is damaged: an entry has no time");
    if (!std::filesystem::exists(frame.file))
      throw UserError(
          fmt::format("{}: lists {}, which is missing", pvd.string(), frame.file.string()));
    frame.step = step_in(frame.file);
    frames.push_back(std::move(frame));
  }
  return frames;
}

BodyFrame read_body_frame(const std::filesystem::path& file) {
  const auto grid = read_vtu(file);
  BodyFrame frame{mesh_of(*grid, file.string()), {}, triangle_fields(*grid->GetCellData())};
  vtkPointData& data = *grid->GetPointData();
  for (int i = 0; i < data.GetNumberOfArrays(); ++i)
    if (data.GetArray(i)->GetNumberOfComponents() == 3)
      frame.fields[data.GetArrayName(i)] = plane_vectors(*data.GetArray(i));
  for (const char* name : {"displacement", "velocity"})
    if (!frame.fields.contains(name))
      throw UserError(fmt::format("{}: this frame has no {}", file.string(), name));
  for (const char* name : {"von_mises", "stress_xx", "stress_yy"})
    if (!frame.triangle_fields.contains(name))
      throw UserError(fmt::format("{}: this frame has no {}", file.string(), name));
  return frame;
}

LineFrame read_line_frame(const std::filesystem::path& file, const std::string& array) {
  const auto line = read_vtp(file);
  vtkDataArray* values = line->GetPointData()->GetArray(array.c_str());
  if (!values || values->GetNumberOfComponents() != 1)
    throw UserError(fmt::format("no array \"{}\" on the contact lines; they have {}", array,
                                fmt::join(scalar_names(*line->GetPointData()), ", ")));
  return along_line(*line, *values);
}

}  // namespace slipwave::app
