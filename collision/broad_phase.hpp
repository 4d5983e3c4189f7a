#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <vector>

namespace slipwave::collision {

/// A box along the axes; empty where low > high.
struct Bounds {
  Eigen::Array3d low, high;

  bool meets(const Bounds& other) const {
    return (low <= other.high).all() && (other.low <= high).all();
  }
};

/// Two bodies, A < B.
struct Candidates {
  int A, B;
  bool operator==(const Candidates&) const = default;
};

/// Who may touch whom: boxes sorted by their lower ends along the axis along which their centres
/// spread most, and swept. n log n + the pairs whose boxes meet along that axis.
class BroadPhase {
 public:
  /// All pairs of boxes that meet, in no particular order. Empty boxes meet nobody.
  const std::vector<Candidates>& find(const std::vector<Bounds>& boxes);

 private:
  struct Entry {
    double low;
    int body;
  };
  std::vector<Entry> order_;
  std::vector<Candidates> pairs_;
};

}  // namespace slipwave::collision
