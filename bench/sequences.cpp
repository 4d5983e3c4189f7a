#include "bench/sequences.hpp"

#include "bench/random_problems.hpp"
#include "bench/structured_block.hpp"
#include "contact/fclib/fclib.hpp"
#include "dynamics/schemes/theta_integrator.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SparseLU>

#include <cmath>
#include <random>
#include <utility>

namespace slipwave::bench {

namespace {

/// W = Hᵀ M⁻¹ H and b = Hᵀ M⁻¹ f + w with FCLIB's H, the transpose of ours.
contact::StoredProblem condensed(const contact::StoredGlobalProblem& global) {
  const Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(global.M);
  contact::StoredProblem local;
  local.dimension = global.dimension;
  const Eigen::MatrixXd H = global.H.toDense();
  const Eigen::MatrixXd W = H.transpose() * lu.solve(H);
  local.W = Eigen::MatrixXd(0.5 * (W + W.transpose())).sparseView();
  local.b = H.transpose() * lu.solve(global.f) + global.w;
  local.mu = global.mu;
  return local;
}

}  // namespace

void Sequence::add_matrix(Eigen::MatrixXd W, int dimension) {
  problems_.push_back({contact::DenseBand(std::move(W), dimension), {}, {}, {}});
}

void Sequence::add(Eigen::VectorXd b, Eigen::VectorXd mu, std::vector<int> active) {
  loads_.push_back({problems_.size() - 1, std::move(b), std::move(mu), std::move(active)});
}

const contact::Problem& Sequence::problem(std::size_t k) {
  const Load& load = loads_[k];
  contact::Problem& problem = problems_[load.matrix];
  problem.b = load.b;
  problem.mu = load.mu;
  problem.active = load.active;
  return problem;
}

Sequence block_sequence(const BlockRun& run) {
  const int nx = run.contacts - 1, ny = static_cast<int>(std::lround(nx * 25.0 / 40.0));
  SlidingBlock block = sliding_block(block_of_cells(nx, ny));
  for (dynamics::ContactPoint& contact : block.system.contacts) {
    contact.law.friction = run.friction;
    contact.law.restitution = run.restitution;
  }
  dynamics::ThetaIntegrator integrator(block.system, dynamics::moreau_jean_fremond(0.5), run.h, {});
  Sequence sequence;
  sequence.add_matrix(integrator.contact().W().matrix(), 2);
  for (int step = 0; step < run.skipped + run.captured; ++step) {
    (void)integrator.advance(block.state);
    const contact::Problem& problem = integrator.contact().problem();
    if (step >= run.skipped && !problem.active.empty())
      sequence.add(problem.b, problem.mu, problem.active);
  }
  return sequence;
}

Sequence random_sequence(int contacts, int dimension, int count) {
  std::mt19937_64 generator(static_cast<std::uint64_t>(contacts));
  Sequence sequence;
  for (int k = 0; k < count; ++k) {
    sequence.add_matrix(contact::tests::random_delassus(contacts, dimension, 0.2, generator),
                        dimension);
    sequence.add(contact::tests::random_vector(dimension * contacts, -0.3, generator),
                 Eigen::VectorXd::Constant(contacts, 0.4), contact::tests::all_of(contacts));
  }
  return sequence;
}

Sequence wandering_sequence(int contacts, int dimension, int count) {
  std::mt19937_64 generator(static_cast<std::uint64_t>(contacts));
  Sequence sequence;
  sequence.add_matrix(contact::tests::banded_delassus(contacts, dimension, 0.6), dimension);
  Eigen::VectorXd b = contact::tests::random_vector(dimension * contacts, -0.3, generator);
  for (int k = 0; k < count; ++k) {
    sequence.add(b, Eigen::VectorXd::Constant(contacts, 0.5), contact::tests::all_of(contacts));
    b += 0.01 * contact::tests::random_vector(dimension * contacts, 0.0, generator);
  }
  return sequence;
}

Sequence stored_sequence(const std::filesystem::path& file) {
  const bool local = contact::stored_form(file) != contact::StoredForm::global;
  const contact::StoredProblem stored =
      local ? contact::read_local_problem(file) : condensed(contact::read_global_problem(file));
  Sequence sequence;
  sequence.add_matrix(Eigen::MatrixXd(stored.W), stored.dimension);
  sequence.add(stored.b, stored.mu, contact::tests::all_of(stored.contact_count()));
  return sequence;
}

double condition(const contact::DenseBand& W) {
  const Eigen::VectorXd values = W.matrix().selfadjointView<Eigen::Lower>().eigenvalues();
  return values.maxCoeff() / values.minCoeff();
}

}  // namespace slipwave::bench
