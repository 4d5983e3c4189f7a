#pragma once

#include <Eigen/Core>

namespace slipwave::contact {

/// The Delassus operator W in the local (normal, tangent) frames, two rows per contact.
/// Dense and symmetric: (2n)^2 doubles, so 2000 contacts cost 128 MB.
class NodalDelassus {
 public:
  /// Throws std::invalid_argument naming the first contact with W_NN <= 0 or W_TT < 0.
  explicit NodalDelassus(Eigen::MatrixXd W);

  int contact_count() const { return static_cast<int>(W_.rows() / 2); }
  const Eigen::MatrixXd& matrix() const { return W_; }
  /// The diagonal block of a contact.
  Eigen::Matrix2d block(int contact) const { return W_.block<2, 2>(2 * contact, 2 * contact); }
  /// (W p) at one contact; W is symmetric, so its columns are read.
  Eigen::Vector2d row_times(int contact, const Eigen::VectorXd& p) const {
    return {W_.col(2 * contact).dot(p), W_.col(2 * contact + 1).dot(p)};
  }

 private:
  Eigen::MatrixXd W_;
};

}  // namespace slipwave::contact
