#include "app/results/read_solids.hpp"

#include "app/messages/user_error.hpp"
#include "app/results/read_vtk.hpp"
#include "files/new_file.hpp"

#include <fmt/format.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <sstream>
#include <utility>

namespace slipwave::app {

namespace {

using Eigen::Vector3d;

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream stream(row);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  if (row.ends_with(',')) cells.emplace_back();
  return cells;
}

/// The columns of a table that has all of these.
template <std::size_t n>
std::array<const std::vector<double>*, n> columns_in(const Columns& columns,
                                                     const std::filesystem::path& file,
                                                     const std::array<const char*, n>& names) {
  std::array<const std::vector<double>*, n> found;
  for (std::size_t i = 0; i < n; ++i) {
    const auto column = columns.find(names[i]);
    if (column == columns.end())
      throw UserError(fmt::format("{}: has no column \"{}\"", file.string(), names[i]));
    found[i] = &column->second;
  }
  return found;
}

/// A number of a body, or -1.
int body_in(double value, std::size_t body_count) {
  return value >= 0.0 && value < static_cast<double>(body_count) ? static_cast<int>(value) : -1;
}

struct BodyColumns {
  BodyColumns(const Columns& columns, const std::filesystem::path& file)
      : of(columns_in<14>(columns, file,
                          {"body", "x", "y", "z", "q_w", "q_x", "q_y", "q_z", "v_x", "v_y", "v_z",
                           "kinetic", "step", "t"})) {}
  double operator()(std::size_t column, std::size_t row) const { return (*of[column])[row]; }
  BodyState state(std::size_t row) const {
    const auto vector = [&](std::size_t first) {
      return Vector3d((*this)(first, row), (*this)(first + 1, row), (*this)(first + 2, row));
    };
    return {vector(1),
            Eigen::Quaterniond((*this)(4, row), (*this)(5, row), (*this)(6, row), (*this)(7, row)),
            vector(8).norm(), (*this)(11, row)};
  }
  std::size_t count() const { return of[0]->size(); }
  int step(std::size_t row) const { return static_cast<int>((*this)(12, row)); }
  double t(std::size_t row) const { return (*this)(13, row); }

  std::array<const std::vector<double>*, 14> of;
};

/// The polygons of a frame, body by body, with the numbers of the frame's points.
std::vector<std::vector<std::vector<int>>> faces_in(vtkPolyData& frame, std::size_t body_count,
                                                    const std::filesystem::path& file) {
  vtkDataArray* id = frame.GetCellData()->GetArray("id");
  if (!id || id->GetNumberOfTuples() != frame.GetPolys()->GetNumberOfCells())
    throw UserError(file.string() + ": this frame does not say which faces are whose");
  std::vector<std::vector<std::vector<int>>> faces(body_count);
  for (vtkIdType cell = 0; cell < id->GetNumberOfTuples(); ++cell) {
    const int body = body_in(id->GetComponent(cell, 0), body_count);
    if (body < 0) throw UserError(file.string() + ": this frame has a body that scene.csv has not");
    vtkIdType count = 0;
    const vtkIdType* points = nullptr;
    frame.GetPolys()->GetCellAtId(cell, count, points);
    faces[static_cast<std::size_t>(body)].emplace_back(points, points + count);
  }
  return faces;
}

/// Its faces by numbers of its own points, in the frame of the body.
Surface surface_from(vtkPolyData& frame, const std::vector<std::vector<int>>& faces,
                     const BodyState& state) {
  Surface surface;
  std::map<int, int> number;
  for (const std::vector<int>& face : faces) {
    std::vector<int>& own = surface.faces.emplace_back();
    for (const int point : face) {
      const auto [entry, is_new] =
          number.try_emplace(point, static_cast<int>(surface.points.size()));
      own.push_back(entry->second);
      if (!is_new) continue;
      const Vector3d place(frame.GetPoint(point));
      surface.points.emplace_back(state.attitude.conjugate() * (place - state.place));
    }
  }
  return surface;
}

}  // namespace

bool has_scene(const std::filesystem::path& folder) {
  return std::filesystem::exists(folder / "scene.csv");
}

std::vector<SceneBody> read_scene(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "scene.csv";
  std::istringstream lines(files::text_of(file));
  std::vector<SceneBody> bodies;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const std::vector<std::string> cells = cells_of(line);
    double birth = -std::numeric_limits<double>::infinity();
    if (cells.size() != 6 || (!cells[5].empty() && !read_number(cells[5], birth)))
      throw UserError(fmt::format("{}: row {} is damaged", file.string(), bodies.size() + 1));
    bodies.push_back({cells[1], cells[2], cells[3] == "fixed", birth});
  }
  if (bodies.empty()) throw UserError(file.string() + ": has no bodies");
  return bodies;
}

namespace {

template <class Wanted>
std::vector<SceneState> states_in(const RunResults& run, std::size_t body_count,
                                  const Wanted& wanted) {
  const std::filesystem::path file = run.folder() / "bodies.csv";
  const Columns columns = run.columns_of("bodies.csv");
  const BodyColumns rows(columns, file);
  SceneState now{.bodies = std::vector<BodyState>(body_count)};
  std::vector<SceneState> states;
  for (std::size_t row = 0; row < rows.count(); ++row) {
    const int body = body_in(rows(0, row), body_count);
    if (body < 0) throw UserError(file.string() + ": has a body that scene.csv has not");
    now.bodies[static_cast<std::size_t>(body)] = rows.state(row);
    now.step = rows.step(row);
    now.t = rows.t(row);
    const bool ends = row + 1 == rows.count() || rows.step(row + 1) != now.step;
    if (ends && wanted(now.step)) states.push_back(now);
  }
  return states;
}

}  // namespace

std::vector<SceneState> read_bodies(const RunResults& run, std::size_t body_count,
                                    const std::vector<int>& steps) {
  return states_in(run, body_count,
                   [&](int step) { return std::binary_search(steps.begin(), steps.end(), step); });
}

std::vector<SceneState> read_bodies(const RunResults& run, std::size_t body_count) {
  return states_in(run, body_count, [](int) { return true; });
}

std::vector<Surface> read_surfaces(const std::filesystem::path& frame, const SceneState& state) {
  const auto data = read_vtp(frame);
  const auto faces = faces_in(*data, state.bodies.size(), frame);
  std::vector<Surface> surfaces;
  for (std::size_t i = 0; i < faces.size(); ++i)
    surfaces.push_back(surface_from(*data, faces[i], state.bodies[i]));
  return surfaces;
}

std::vector<std::vector<JointForce>> read_joints(const RunResults& run,
                                                 const std::vector<SceneState>& states,
                                                 std::size_t most) {
  std::vector<std::vector<JointForce>> joints(states.size());
  const std::filesystem::path file = run.folder() / "joints.csv";
  if (!std::filesystem::exists(file)) return joints;
  const Columns columns = read_columns(file);
  const auto of = columns_in<9>(columns, file,
                                {"step", "body_A", "body_B", "F_x", "F_y", "F_z", "x", "y", "z"});
  std::map<int, std::size_t> place;
  for (std::size_t k = 0; k < states.size(); ++k) place[states[k].step] = k;
  for (std::size_t row = 0; row < of[0]->size(); ++row) {
    const auto at = [&](std::size_t column) { return (*of[column])[row]; };
    const auto found = place.find(static_cast<int>(at(0)));
    if (found == place.end()) continue;
    joints[found->second].push_back({static_cast<int>(at(1)), static_cast<int>(at(2)),
                                     Vector3d(at(3), at(4), at(5)), Vector3d(at(6), at(7), at(8))});
  }
  for (std::vector<JointForce>& of_state : joints) {
    std::stable_sort(of_state.begin(), of_state.end(),
                     [](const auto& a, const auto& b) { return a.force.norm() > b.force.norm(); });
    of_state.resize(std::min(of_state.size(), most));
  }
  return joints;
}

}  // namespace slipwave::app
