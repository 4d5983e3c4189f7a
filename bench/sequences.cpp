#include "bench/sequences.hpp"

#include "bench/random_problems.hpp"
#include "bench/structured_block.hpp"
#include "contact/fclib/fclib.hpp"
#include "dynamics/theta_integrator.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SparseLU>

#include <cmath>
#include <random>
#include <utility>

namespace slipwave::bench {

namespace {

const contact::NodalDelassus& add_matrix(Sequence& sequence, Eigen::MatrixXd W, int dimension) {
  sequence.matrices.push_back(
      std::make_unique<const contact::NodalDelassus>(std::move(W), dimension));
  return *sequence.matrices.back();
}

/// W = Hᵀ M⁻¹ H and b = Hᵀ M⁻¹ f + w with FCLIB's H, the transpose of ours.
contact::StoredProblem condensed(const contact::StoredGlobalProblem& global) {
  const Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(global.M);
  contact::StoredProblem local;
  local.dimension = global.dimension;
  const Eigen::MatrixXd H = global.H.toDense();
  const Eigen::MatrixXd W = H.transpose() * lu.solve(H);
  local.W = 0.5 * (W + W.transpose());
  local.b = H.transpose() * lu.solve(global.f) + global.w;
  local.mu = global.mu;
  return local;
}

}  // namespace

Sequence block_sequence(const BlockRun& run) {
  const int nx = run.contacts - 1, ny = static_cast<int>(std::lround(nx * 25.0 / 40.0));
  SlidingBlock block = sliding_block(block_of_cells(nx, ny));
  for (dynamics::ContactPoint& contact : block.system.contacts) {
    contact.friction = run.friction;
    contact.restitution = run.restitution;
  }
  dynamics::ThetaIntegrator integrator(block.system, dynamics::moreau_jean_fremond(0.5), run.h, {});
  Sequence sequence;
  const contact::NodalDelassus& W = add_matrix(sequence, integrator.contact().W().matrix(), 2);
  for (int step = 0; step < run.skipped + run.captured; ++step) {
    (void)integrator.advance(block.state);
    const contact::Problem& problem = integrator.contact().problem();
    if (step >= run.skipped && !problem.active.empty())
      sequence.problems.push_back({W, problem.b, problem.mu, problem.active});
  }
  return sequence;
}

Sequence random_sequence(int contacts, int dimension, int count) {
  std::mt19937_64 generator(static_cast<std::uint64_t>(contacts));
  Sequence sequence;
  for (int k = 0; k < count; ++k) {
    const contact::NodalDelassus& W = add_matrix(
        sequence, contact::tests::random_delassus(contacts, dimension, 0.2, generator), dimension);
    sequence.problems.push_back(
        {W, contact::tests::random_vector(dimension * contacts, -0.3, generator),
         Eigen::VectorXd::Constant(contacts, 0.4), contact::tests::all_of(contacts)});
  }
  return sequence;
}

Sequence wandering_sequence(int contacts, int dimension, int count) {
  std::mt19937_64 generator(static_cast<std::uint64_t>(contacts));
  Sequence sequence;
  const contact::NodalDelassus& W =
      add_matrix(sequence, contact::tests::banded_delassus(contacts, dimension, 0.6), dimension);
  Eigen::VectorXd b = contact::tests::random_vector(dimension * contacts, -0.3, generator);
  for (int k = 0; k < count; ++k) {
    sequence.problems.push_back(
        {W, b, Eigen::VectorXd::Constant(contacts, 0.5), contact::tests::all_of(contacts)});
    b += 0.01 * contact::tests::random_vector(dimension * contacts, 0.0, generator);
  }
  return sequence;
}

Sequence stored_sequence(const std::filesystem::path& file) {
  const bool local = contact::stored_form(file) != contact::StoredForm::global;
  const contact::StoredProblem stored =
      local ? contact::read_local_problem(file) : condensed(contact::read_global_problem(file));
  Sequence sequence;
  const contact::NodalDelassus& W = add_matrix(sequence, stored.W, stored.dimension);
  sequence.problems.push_back(
      {W, stored.b, stored.mu, contact::tests::all_of(stored.contact_count())});
  return sequence;
}

double condition(const Sequence& sequence) {
  const Eigen::VectorXd values =
      sequence.matrices.front()->matrix().selfadjointView<Eigen::Lower>().eigenvalues();
  return values.maxCoeff() / values.minCoeff();
}

}  // namespace slipwave::bench
