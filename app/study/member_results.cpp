#include "app/study/member_results.hpp"

#include "app/user_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vtkCell.h>
#include <vtkDataArray.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPolyDataReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <sstream>
#include <stdexcept>

namespace slipwave::app {

namespace {

std::map<std::string, std::vector<double>> read_columns(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line, cell;
  if (!std::getline(stream, line)) throw std::runtime_error(file.string() + ": cannot be read");
  std::vector<std::string> names;
  for (std::istringstream cells(line); std::getline(cells, cell, ',');) names.push_back(cell);
  std::map<std::string, std::vector<double>> columns;
  while (std::getline(stream, line)) {
    std::istringstream cells(line);
    for (const std::string& name : names) {
      std::getline(cells, cell, ',');
      columns[name].push_back(std::strtod(cell.c_str(), nullptr));
    }
  }
  return columns;
}

template <class Reader>
auto read_vtk(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file))
    throw std::runtime_error(file.string() + ": this frame is missing");
  auto reader = vtkSmartPointer<Reader>::New();
  reader->SetFileName(file.c_str());
  reader->Update();
  return vtkSmartPointer(reader->GetOutput());
}

Eigen::VectorXd plane_vectors(vtkDataArray& array) {
  Eigen::VectorXd values(2 * array.GetNumberOfTuples());
  for (vtkIdType i = 0; i < array.GetNumberOfTuples(); ++i)
    values.segment<2>(2 * i) << array.GetComponent(i, 0), array.GetComponent(i, 1);
  return values;
}

fem::Mesh mesh_of(vtkUnstructuredGrid& grid, const std::string& source) {
  fem::Mesh mesh;
  mesh.source = source;
  mesh.nodes.resize(2, grid.GetNumberOfPoints());
  for (vtkIdType i = 0; i < grid.GetNumberOfPoints(); ++i)
    mesh.nodes.col(i) << grid.GetPoint(i)[0], grid.GetPoint(i)[1];
  mesh.triangles.resize(3, grid.GetNumberOfCells());
  for (vtkIdType e = 0; e < grid.GetNumberOfCells(); ++e)
    for (int k = 0; k < 3; ++k)
      mesh.triangles(k, e) = static_cast<int>(grid.GetCell(e)->GetPointId(k));
  return mesh;
}

std::vector<std::string> names_of(vtkPointData& data) {
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

}  // namespace

MemberResults::MemberResults(std::filesystem::path folder, const Case& c)
    : folder_(std::move(folder)), c_(c), columns_(read_columns(folder_ / "energy.csv")) {}

const std::vector<double>& MemberResults::ledger(const std::string& column) const {
  const auto found = columns_.find(column);
  if (found != columns_.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [name, values] : columns_) names.push_back(name);
  throw UserError(
      fmt::format("no column \"{}\" in energy.csv; it has {}", column, fmt::join(names, ", ")));
}

std::size_t MemberResults::row_at(double t) const {
  const std::vector<double>& times = ledger("t");
  const double limit = t + 1e-9 * std::abs(times.back());
  const auto after = std::upper_bound(times.begin(), times.end(), limit);
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - times.begin() - 1, 0));
}

std::filesystem::path MemberResults::frame_file(const std::string& series,
                                                const std::string& extension, double t) const {
  return folder_ / series / fmt::format("{}_{:07d}.{}", series, c_.step_nearest(t), extension);
}

BodyFrame MemberResults::body_at(double t) const {
  const auto file = frame_file("frames", "vtu", t);
  const auto grid = read_vtk<vtkXMLUnstructuredGridReader>(file);
  BodyFrame frame{mesh_of(*grid, file.string()), {}};
  for (const char* name : {"displacement", "velocity"})
    frame.fields[name] = plane_vectors(*grid->GetPointData()->GetArray(name));
  return frame;
}

LineFrame MemberResults::line_at(const std::string& array, double t) const {
  const auto line = read_vtk<vtkXMLPolyDataReader>(frame_file("contact", "vtp", t));
  vtkDataArray* values = line->GetPointData()->GetArray(array.c_str());
  if (!values || values->GetNumberOfComponents() != 1)
    throw UserError(fmt::format("no array \"{}\" on the contact lines; they have {}", array,
                                fmt::join(names_of(*line->GetPointData()), ", ")));
  return along_line(*line, *values);
}

double history_difference(const MemberResults& a, const MemberResults& b, double end) {
  const auto sliding_fraction = [](const MemberResults& member, double t) {
    const std::size_t row = member.row_at(t);
    const double sliding = member.ledger("sliding")[row];
    const double all = sliding + member.ledger("sticking")[row] + member.ledger("open")[row];
    return all > 0.0 ? sliding / all : 0.0;
  };
  constexpr int samples = 1000;
  double sum = 0.0;
  for (int i = 1; i <= samples; ++i) {
    const double t = end * i / samples;
    sum += std::abs(sliding_fraction(a, t) - sliding_fraction(b, t));
  }
  return sum / samples;
}

}  // namespace slipwave::app
