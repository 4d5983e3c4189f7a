#include "fem/mesh_topology.hpp"

#include "fem/point_location.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace slipwave::fem {

namespace {

/// A side of a triangle, in the order of its nodes.
struct Side {
  int low, high;  // its nodes
  bool rises;     // whether the triangle walks from low to high
  int triangle;

  bool joins(const Side& other) const { return low == other.low && high == other.high; }
};

/// All sides, those with the same nodes together.
std::vector<Side> sides_of(const Mesh& mesh) {
  std::vector<Side> sides;
  sides.reserve(static_cast<std::size_t>(3 * mesh.triangle_count()));
  for (int e = 0; e < mesh.triangle_count(); ++e)
    for (int a = 0; a < 3; ++a) {
      const int from = mesh.triangles(a, e), to = mesh.triangles((a + 1) % 3, e);
      sides.push_back({std::min(from, to), std::max(from, to), from < to, e});
    }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
  });
  return sides;
}

std::size_t tag_of(const Mesh& mesh, int triangle) {
  return mesh.triangle_tags[static_cast<std::size_t>(triangle)];
}

std::string node_text(const Mesh& mesh, int node) {
  return fmt::format("node {} at ({:g}, {:g})", mesh.node_tags[static_cast<std::size_t>(node)],
                     mesh.nodes(0, node), mesh.nodes(1, node));
}

bool has_node(const Mesh& mesh, int triangle, int node) {
  return (mesh.triangles.col(triangle).array() == node).any();
}

bool have_same_nodes(const Mesh& mesh, int e, int f) {
  return has_node(mesh, f, mesh.triangles(0, e)) && has_node(mesh, f, mesh.triangles(1, e)) &&
         has_node(mesh, f, mesh.triangles(2, e));
}

[[noreturn]] void refuse(const Mesh& mesh, const Side& a, const Side& b) {
  const std::string side =
      fmt::format("between {} and {}", node_text(mesh, a.low), node_text(mesh, a.high));
  if (have_same_nodes(mesh, a.triangle, b.triangle))
    throw MeshError(
        fmt::format("{}: triangles {} and {} are one and the same, with a side {}; "
                    "remove one of them",
                    mesh.source, tag_of(mesh, a.triangle), tag_of(mesh, b.triangle), side));
  throw MeshError(fmt::format(
      "{}: the mesh is folded: triangles {} and {} lie on the same side of their common one, {}; "
      "correct the geometry",
      mesh.source, tag_of(mesh, a.triangle), tag_of(mesh, b.triangle), side));
}

/// A kind of doubtful place: the first of them in words, and how many there are.
struct Kind {
  std::string first;
  int count = 0;

  template <class Text>
  void add(const Text& text) {
    if (count++ == 0) first = text();
  }
};

/// Looks for triangles where they should not be.
class Search {
 public:
  explicit Search(const Mesh& mesh)
      : mesh_(mesh), body_(body_of_nodes(mesh)), locator_(mesh), on_boundary_(boundary()) {}

  std::vector<std::string> run() {
    for (int e = 0; e < mesh_.triangle_count(); ++e) look_under_triangle(e);
    for (int node = 0; node < mesh_.node_count(); ++node)
      if (on_boundary_[static_cast<std::size_t>(node)]) look_around_node(node);
    std::vector<std::string> texts;
    add(texts, same_body_, "triangle(s) lie on others of their own body");
    add(texts, other_body_, "triangle(s) or node(s) lie inside another body");
    add(texts, hanging_, "hanging node(s)");
    return texts;
  }

 private:
  // In barycentric coordinates: what is nearer to a side than this lies on it.
  static constexpr double on_side = 1e-6;

  std::vector<bool> boundary() const {
    std::vector<bool> result(static_cast<std::size_t>(mesh_.node_count()), false);
    const std::vector<Side> sides = sides_of(mesh_);
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const bool shared = (i > 0 && sides[i].joins(sides[i - 1])) ||
                          (i + 1 < sides.size() && sides[i].joins(sides[i + 1]));
      if (shared) continue;
      result[static_cast<std::size_t>(sides[i].low)] = true;
      result[static_cast<std::size_t>(sides[i].high)] = true;
    }
    return result;
  }

  bool same_body(int node, int triangle) const {
    return body_[static_cast<std::size_t>(node)] ==
           body_[static_cast<std::size_t>(mesh_.triangles(0, triangle))];
  }

  /// The middle of a triangle, inside another one.
  void look_under_triangle(int e) {
    const Eigen::Vector2d middle = mesh_.nodes(Eigen::all, mesh_.triangles.col(e)).rowwise().mean();
    for (const int f : locator_.near(middle)) {
      if (f == e || barycentric(mesh_, f, middle).minCoeff() <= on_side) continue;
      Kind& kind = same_body(mesh_.triangles(0, e), f) ? same_body_ : other_body_;
      kind.add([&] {
        return fmt::format("triangle {} around ({:g}, {:g}) lies on triangle {}", tag_of(mesh_, e),
                           middle[0], middle[1], tag_of(mesh_, f));
      });
      return;
    }
  }

  /// A node of the boundary, inside a triangle of another body or on a side in its own.
  void look_around_node(int node) {
    const Eigen::Vector2d point = mesh_.nodes.col(node);
    for (const int f : locator_.near(point)) {
      if (has_node(mesh_, f, node)) continue;
      Eigen::Vector3d at = barycentric(mesh_, f, point);
      std::sort(at.begin(), at.end());
      const bool same = same_body(node, f);
      const bool inside = at[0] > on_side;
      const bool hangs = std::abs(at[0]) <= on_side && at[1] > on_side;
      if (!(same ? hangs || inside : inside)) continue;
      (same ? hanging_ : other_body_).add([&] {
        return fmt::format("{} lies {} triangle {} without being one of its nodes",
                           node_text(mesh_, node), inside ? "inside" : "on a side of",
                           tag_of(mesh_, f));
      });
      return;
    }
  }

  void add(std::vector<std::string>& texts, const Kind& kind, const char* what) const {
    if (kind.count > 0)
      texts.push_back(fmt::format("{}: {} {}: {}{}", mesh_.source, kind.count, what,
                                  kind.count > 1 ? "the first, " : "", kind.first));
  }

  const Mesh& mesh_;
  std::vector<int> body_;
  PointLocator locator_;
  std::vector<bool> on_boundary_;
  Kind same_body_, other_body_, hanging_;
};

}  // namespace

void refuse_folds(const Mesh& mesh) {
  const std::vector<Side> sides = sides_of(mesh);
  for (std::size_t i = 1; i < sides.size(); ++i) {
    if (!sides[i].joins(sides[i - 1])) continue;
    if (sides[i].rises == sides[i - 1].rises) refuse(mesh, sides[i - 1], sides[i]);
    // Of three, two are on the same side.
    if (i >= 2 && sides[i].joins(sides[i - 2])) refuse(mesh, sides[i - 2], sides[i]);
  }
}

std::vector<std::string> doubtful_places(const Mesh& mesh) { return Search(mesh).run(); }

}  // namespace slipwave::fem
