#pragma once

#include "fem/assembly.hpp"
#include "linear/simd.hpp"

#include <Eigen/Core>
#include <vector>

namespace slipwave::linear {

/// M, K and C in 2x2 blocks, one per pair of coupled nodes, over one common pattern: what the step
/// and its ledger multiply with. A row of blocks is read once for all the products that need it,
/// and quadratic forms read one triangle only. About 45 doubles a node for a triangle mesh.
class NodeMatrices {
 public:
  /// Throws std::invalid_argument for matrices without two dofs per node.
  NodeMatrices(const fem::SparseMatrix& M, const fem::SparseMatrix& K, const fem::SparseMatrix& C);

  int node_count() const { return static_cast<int>(upper_.start.size()) - 1; }
  bool has_damping() const { return !upper_.C.empty(); }

  /// (K x) at a node, with x(j) the two components of x at node j.
  template <class X>
  Eigen::Vector2d K_times(int node, const X& x) const {
    return times(lower_.K, upper_.K, node, x);
  }
  /// (C x) at a node, only with damping.
  template <class X>
  Eigen::Vector2d C_times(int node, const X& x) const {
    return times(lower_.C, upper_.C, node, x);
  }
  /// (M x) at a node.
  template <class X>
  Eigen::Vector2d M_times(int node, const X& x) const {
    return times(lower_.M, upper_.M, node, x);
  }

  /// Vectors at a node as their quadratic forms read them.
  struct Packed {
    Four x, y;  ///< first and second component of up to four vectors that K multiplies
    Four m;     ///< two vectors that M multiplies: components of one, then of the other
  };
  /// Products with the block of a node itself, and with those of later nodes.
  struct HalfRow {
    Packed own, later;
  };
  /// Half of K and M at a node times vectors[j] of every node j, for
  ///     a K b = sum over nodes of a (own b + later b) + b (later a).
  HalfRow half_row_times(int node, const Packed* vectors) const;

 private:
  /// Blocks on one side of the diagonal, row by row; four values each, columns increasing.
  struct Triangle {
    std::vector<int> start = {0}, column;
    std::vector<double> K, M, C;
    std::vector<double> scalar_M;  // one per block, if M is a multiple of the identity in all
  };

  static std::vector<double> blocks_of(const fem::SparseMatrix& A, const Triangle& triangle);
  template <class X>
  static Four half_times(const Triangle& triangle, const std::vector<double>& values, int node,
                         const X& x);
  template <class X>
  Eigen::Vector2d times(const std::vector<double>& lower, const std::vector<double>& upper,
                        int node, const X& x) const;
  void add_product(int entry, const Packed& vectors, Packed& sum) const;

  Triangle lower_;  // without the diagonal
  Triangle upper_;  // every row starts with the node itself
};

/// The two components of a vector at a node, for the products of NodeMatrices.
inline auto at_nodes(const Eigen::VectorXd& x) {
  return [data = x.data()](int node) { return Eigen::Map<const Eigen::Vector2d>(data + 2 * node); };
}

/// Sum over a row of blocks (a, c, b, d) times (x, x, y, y): two sums in turn, so that the
/// processor need not wait for one product before the next.
template <class X>
[[gnu::always_inline]] inline Four NodeMatrices::half_times(const Triangle& triangle,
                                                            const std::vector<double>& values,
                                                            int node, const X& x) {
  const auto product = [&](int e) {
    const auto at = static_cast<std::size_t>(e);
    const auto x_j = x(triangle.column[at]);
    return load(&values[4 * at]) * Four{x_j[0], x_j[0], x_j[1], x_j[1]};
  };
  const int end = triangle.start[static_cast<std::size_t>(node) + 1];
  int e = triangle.start[static_cast<std::size_t>(node)];
  Four even{}, odd{};
  for (; e + 1 < end; e += 2) {
    even += product(e);
    odd += product(e + 1);
  }
  if (e < end) even += product(e);
  return even + odd;
}

template <class X>
[[gnu::always_inline]] inline Eigen::Vector2d NodeMatrices::times(const std::vector<double>& lower,
                                                                  const std::vector<double>& upper,
                                                                  int node, const X& x) const {
  const Four sum = half_times(lower_, lower, node, x) + half_times(upper_, upper, node, x);
  return {sum[0] + sum[2], sum[1] + sum[3]};
}

inline void NodeMatrices::add_product(int entry, const Packed& vectors, Packed& sum) const {
  const auto at = static_cast<std::size_t>(entry);
  const double* K = &upper_.K[4 * at];
  sum.x += K[0] * vectors.x + K[2] * vectors.y;
  sum.y += K[1] * vectors.x + K[3] * vectors.y;
  const Four& m = vectors.m;
  if (!upper_.scalar_M.empty()) {
    sum.m += upper_.scalar_M[at] * m;
  } else {
    const double* M = &upper_.M[4 * at];
    sum.m += Four{M[0], M[1], M[0], M[1]} * Four{m[0], m[0], m[2], m[2]} +
             Four{M[2], M[3], M[2], M[3]} * Four{m[1], m[1], m[3], m[3]};
  }
}

inline NodeMatrices::HalfRow NodeMatrices::half_row_times(int node, const Packed* vectors) const {
  const auto row = static_cast<std::size_t>(node);
  HalfRow result{};
  add_product(upper_.start[row], vectors[node], result.own);
  for (int e = upper_.start[row] + 1; e < upper_.start[row + 1]; ++e)
    add_product(e, vectors[upper_.column[static_cast<std::size_t>(e)]], result.later);
  return result;
}

}  // namespace slipwave::linear
