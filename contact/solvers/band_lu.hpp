#pragma once

#include <Eigen/Core>

#include <vector>

namespace slipwave::contact {

/// LU factors of a banded matrix with row exchanges, P A = L U, for A with `band` diagonals on
/// either side of the main one (a full matrix has size − 1). Costs 2 size band^2 operations, a
/// solve 4 size band; up to twice that where rows are exchanged. Ours rather than Eigen's
/// PartialPivLU because that knows no band, allocates while it factorises, and shares products
/// among threads in a way that changes bits.
class BandLu {
 public:
  /// For matrices of up to `capacity` rows: capacity^2 doubles, of which a factorisation touches
  /// the band.
  explicit BandLu(int capacity);

  int capacity() const { return static_cast<int>(lu_.cols()); }
  int size() const { return size_; }
  /// Starts a matrix of zeros; fill its band through entry(), then factorise().
  void reset(int size, int band);
  double& entry(int i, int j) { return lu_(i, j); }
  /// False if a pivot is zero or not a number.
  bool factorise();
  /// x = A⁻¹ x.
  void solve(Eigen::Ref<Eigen::VectorXd> x) const;

 private:
  bool factorise_panel(int first, int last, int end);
  void update_right(int first, int last, int end);

  Eigen::MatrixXd lu_;
  std::vector<int> pivot_;  // the row exchanged with each row
  int size_ = 0, band_ = 0;
  int reach_ = 0;  // diagonals of U above the main one: the band plus the farthest exchange
};

}  // namespace slipwave::contact
