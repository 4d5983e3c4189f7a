#include "app/report/movie.hpp"

#include "app/messages/user_error.hpp"
#include "app/plot/warp.hpp"
#include "app/report/coarse_mesh.hpp"
#include "app/report/packed.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

namespace slipwave::app {

namespace {

/// What the page knows of a node, over all frames: frame by frame, node by node.
struct MovieField {
  std::string name;
  std::string quantity;  ///< what its unit is made of: length, speed or stress
  std::vector<float> values;
};

/// Evenly spread, the first and the last among them.
std::vector<FrameEntry> pick(const std::vector<FrameEntry>& frames, int most) {
  const auto count = static_cast<std::size_t>(std::max(most, 2));
  if (frames.size() <= count) return frames;
  std::vector<FrameEntry> picked;
  for (std::size_t k = 0; k < count; ++k)
    picked.push_back(frames[k * (frames.size() - 1) / (count - 1)]);
  return picked;
}

/// Twice the area of each triangle.
Eigen::VectorXd areas(const fem::Mesh& mesh) {
  Eigen::VectorXd area(mesh.triangle_count());
  for (int e = 0; e < mesh.triangle_count(); ++e) {
    const Eigen::Vector2d a = mesh.nodes.col(mesh.triangles(0, e));
    const Eigen::Vector2d b = mesh.nodes.col(mesh.triangles(1, e)) - a;
    const Eigen::Vector2d c = mesh.nodes.col(mesh.triangles(2, e)) - a;
    area[e] = std::abs(b[0] * c[1] - b[1] * c[0]);
  }
  return area;
}

Eigen::VectorXd at_nodes(const fem::Mesh& mesh, const Eigen::VectorXd& of_triangles) {
  const Eigen::VectorXd area = areas(mesh);
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(mesh.node_count());
  Eigen::VectorXd weight = sum;
  for (int e = 0; e < mesh.triangle_count(); ++e)
    for (const int node : mesh.triangles.col(e)) {
      sum[node] += area[e] * of_triangles[e];
      weight[node] += area[e];
    }
  return sum.cwiseQuotient(weight.cwiseMax(1e-300));
}

std::vector<MovieField> empty_fields() {
  return {{"displacement_x", "length", {}},
          {"displacement_y", "length", {}},
          {"speed", "speed", {}},
          {"von_mises", "stress", {}},
          {"pressure", "stress", {}}};
}

/// Appends a frame to the fields, in the order of empty_fields().
void append(const BodyFrame& frame, const std::vector<int>& nodes,
            std::vector<MovieField>& fields) {
  const Eigen::VectorXd& q = frame.fields.at("displacement");
  const Eigen::VectorXd& v = frame.fields.at("velocity");
  const Eigen::VectorXd von_mises = at_nodes(frame.mesh, frame.triangle_fields.at("von_mises"));
  const Eigen::VectorXd pressure = at_nodes(
      frame.mesh,
      -0.5 * (frame.triangle_fields.at("stress_xx") + frame.triangle_fields.at("stress_yy")));
  for (const int i : nodes) {
    const std::array<double, 5> values{q[2 * i], q[2 * i + 1], v.segment<2>(2 * i).norm(),
                                       von_mises[i], pressure[i]};
    for (std::size_t f = 0; f < values.size(); ++f)
      fields[f].values.push_back(static_cast<float>(values[f]));
  }
}

Json fields_table(const std::vector<MovieField>& fields) {
  Json array = Json::array();
  for (const MovieField& field : fields) {
    const Quantised q = quantise(field.values);
    array.push_back(Json{{"name", field.name},
                         {"quantity", field.quantity},
                         {"low", q.low},
                         {"high", q.high},
                         {"levels", packed(q.levels)}});
  }
  return array;
}

Json mesh_table(const fem::Mesh& mesh, const CoarseMesh& coarse) {
  std::vector<double> x, y;
  std::vector<std::uint32_t> corners;
  for (const int i : coarse.nodes) {
    x.push_back(mesh.nodes(0, i));
    y.push_back(mesh.nodes(1, i));
  }
  for (const auto& triangle : coarse.triangles)
    for (const int corner : triangle) corners.push_back(static_cast<std::uint32_t>(corner));
  return Json{{"nodes", mesh.node_count()},
              {"triangle_count", mesh.triangle_count()},
              {"x", packed(x)},
              {"y", packed(y)},
              {"triangles", packed(corners)}};
}

/// The rigid motion of each frame that is not magnified, (a_x, a_y, ω) in turn, the centre it is
/// about, and the factor that suits the rest.
Json warp_table(const std::vector<RigidMotion>& motions, const Warp& warp) {
  std::vector<double> values;
  for (const RigidMotion& motion : motions) {
    const RigidMotion spared = warp.spared(motion);
    values.insert(values.end(), {spared.translation[0], spared.translation[1], spared.rotation});
  }
  const Eigen::Vector2d& centre = motions.front().centre;
  return Json{{"factor", warp.factor},
              {"centre", Json::array({centre[0], centre[1]})},
              {"rigid", packed(values)}};
}

}  // namespace

Json movie_of(const std::vector<FrameEntry>& frames, const MovieBudget& budget) {
  const BodyFrame frame = read_body_frame(frames.front().file);
  const CoarseMesh coarse = coarsen(frame.mesh, budget.nodes);
  Json movie = mesh_table(frame.mesh, coarse);
  std::vector<MovieField> fields = empty_fields();
  const int per_frame = static_cast<int>(fields.size() * coarse.nodes.size());
  std::vector<double> t;
  std::vector<RigidMotion> motions;
  WarpFinder finder;
  for (const FrameEntry& entry : pick(frames, std::min(budget.frames, budget.values / per_frame))) {
    const BodyFrame next = read_body_frame(entry.file);
    if (next.mesh.node_count() != frame.mesh.node_count())
      throw UserError(entry.file.string() + ": this frame is of another mesh than the first");
    append(next, coarse.nodes, fields);
    t.push_back(entry.t);
    motions.push_back(best_fit(next.mesh.nodes, next.fields.at("displacement")));
    finder.add(next.mesh.nodes, next.fields.at("displacement"));
  }
  movie["warp"] = warp_table(motions, finder.result());
  movie["frames"] = static_cast<int64_t>(frames.size());
  movie["t"] = packed(t);
  movie["fields"] = fields_table(fields);
  return movie;
}

}  // namespace slipwave::app
