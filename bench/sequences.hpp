#pragma once

#include "contact/problem.hpp"

#include <Eigen/Core>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace slipwave::bench {

/// Contact problems to be solved one after the other.
class Sequence {
 public:
  /// The problems added from now on have this W.
  void add_matrix(Eigen::MatrixXd W, int dimension);
  /// Adds a problem; mu and active as in contact::Problem.
  void add(Eigen::VectorXd b, Eigen::VectorXd mu, std::vector<int> active);

  std::size_t size() const { return loads_.size(); }
  int dimension() const { return problems_.front().dimension(); }
  /// Problem k, until the next call: problems with one W have it in one place, where the others
  /// were.
  const contact::Problem& problem(std::size_t k);

 private:
  struct Load {
    std::size_t matrix;
    Eigen::VectorXd b, mu;
    std::vector<int> active;
  };
  std::vector<contact::Problem> problems_;  // one per W
  std::vector<Load> loads_;
};

/// A run of the sliding block of which steps are captured; lengths of time in ms.
struct BlockRun {
  int contacts = 41;
  double h = 1e-4;
  double friction = 0.5;
  double restitution = 0.0;
  int skipped = 50;  ///< steps before the first captured one
  int captured = 200;
};

/// The contact problems of consecutive steps of the paper's block, square elements.
Sequence block_sequence(const BlockRun& run);

/// Problems that have nothing to do with each other, each with a W of its own that does not decay:
/// every contact sees every other one, cond(W) about 10, one solution each.
Sequence random_sequence(int contacts, int dimension, int count);

/// Problems with one banded W whose b wanders by a hundredth per problem.
Sequence wandering_sequence(int contacts, int dimension, int count);

/// The one problem of an FCLIB file, local or global. Throws contact::FclibError.
Sequence stored_sequence(const std::filesystem::path& file);

/// Largest over smallest eigenvalue of a W.
double condition(const contact::DenseBand& W);

}  // namespace slipwave::bench
