// Two elastic blocks, one on the other, that meet node on node: from meshes through the matrix of a
// step to the ledger.
#include "contact/frames.hpp"
#include "dynamics/schemes/schemes.hpp"
#include "dynamics/stepper.hpp"
#include "fem/assembly.hpp"
#include "tests/support/simplicial_matrix.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace slipwave;
using Eigen::Vector2d;
using Eigen::VectorXd;

namespace {

constexpr int nx = 8, ny = 4;
constexpr int nodes_of_a_block = (nx + 1) * (ny + 1);

int node(int body, int i, int j) { return body * nodes_of_a_block + j * (nx + 1) + i; }

/// The lower block is body 0, the upper one body 1, each 8 x 4 cells of size 1; their own nodes.
fem::Mesh two_blocks() {
  fem::Mesh mesh;
  mesh.nodes.resize(2, 2 * nodes_of_a_block);
  mesh.triangles.resize(3, 4 * nx * ny);
  int e = 0;
  for (int body = 0; body < 2; ++body) {
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i) mesh.nodes.col(node(body, i, j)) << i, j + body * ny;
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        mesh.triangles.col(e++) << node(body, i, j), node(body, i + 1, j), node(body, i, j + 1);
        mesh.triangles.col(e++) << node(body, i + 1, j), node(body, i + 1, j + 1),
            node(body, i, j + 1);
      }
  }
  fem::check_and_orient(mesh);
  return mesh;
}

/// The upper block falls on the lower one and slides along it; nothing else acts.
struct Pair {
  explicit Pair(double friction) {
    const fem::Mesh mesh = two_blocks();
    fem::Material material{
        .young_modulus = 200.0, .poisson_ratio = 0.3, .density = 1.0, .thickness = 1.0};
    const fem::MaterialMap materials{
        {material}, std::vector<int>(static_cast<std::size_t>(mesh.triangle_count()), 0)};
    fem::Matrices matrices = fem::assemble(mesh, materials);
    system.M = std::move(matrices.M);
    system.K = std::move(matrices.K);
    system.C = std::move(matrices.C);
    const Eigen::Matrix2d frame = contact::local_frame({});
    for (int i = 0; i <= nx; ++i) {
      dynamics::ContactPoint contact;
      contact.law.friction = friction;
      contact.law.impact = dynamics::ImpactLaw::fremond;
      contact.law.gap_tolerance = 1e-12;
      system.add_contact(contact, {{2 * node(1, i, 0), frame}, {2 * node(0, i, ny), -frame}});
    }
    state.q = state.v = VectorXd::Zero(system.dof_count());
    for (int k = 0; k < nodes_of_a_block; ++k)
      state.v.segment<2>(2 * (nodes_of_a_block + k)) << 0.8, -0.5;
  }
  /// Momentum of a body.
  Vector2d momentum(int body) const {
    const VectorXd M_v = system.M * state.v;
    Vector2d sum = Vector2d::Zero();
    for (int k = 0; k < nodes_of_a_block; ++k)
      sum += M_v.segment<2>(2 * (body * nodes_of_a_block + k));
    return sum;
  }

  dynamics::System system;
  dynamics::State state;
};

/// The largest residual of the ledger over the energies, of momentum over what it was, and how much
/// of it went over to the lower block.
struct Seen {
  double residual = 0.0, momentum = 0.0, exchanged = 0.0, largest_w_T = 0.0;
  int sticking = 0, sliding = 0;
};

Seen run(const dynamics::Scheme& scheme, const linear::MakeStepMatrix& make, double friction) {
  Pair pair(friction);
  dynamics::Stepper stepper(make_integrator(pair.system, scheme, 5e-3, {.tolerance = 1e-14}, make));
  stepper.integrator().start(pair.state);
  const double energy = stepper.integrator().energy(pair.state).total();
  const Vector2d before = pair.momentum(0) + pair.momentum(1);
  Seen seen;
  double total = energy;
  for (int k = 0; k < 300; ++k) {
    const dynamics::StepReport report = stepper.advance(pair.state);
    REQUIRE(report.contact.converged);
    total += report.energy.works.sum();
    const Vector2d now = pair.momentum(0) + pair.momentum(1);
    seen.residual = std::max({seen.residual, std::abs(report.energy.residual()) / energy,
                              std::abs(report.energy.energy.total() - total) / energy / (k + 1)});
    seen.momentum = std::max(seen.momentum, (now - before).norm() / before.norm());
    seen.exchanged = std::max(seen.exchanged, pair.momentum(0).norm() / before.norm());
    seen.largest_w_T = std::max(seen.largest_w_T, report.max_tangential_work / energy);
    seen.sticking += report.sticking;
    seen.sliding += report.sliding;
  }
  return seen;
}

}  // namespace

TEST_CASE("dynamics/two_bodies: the ledger closes to round-off, and both momenta add up") {
  for (const dynamics::Scheme& scheme : std::vector<dynamics::Scheme>{
           dynamics::moreau_jean_fremond(0.5), dynamics::moreau_jean_fremond(0.7),
           dynamics::moreau_jean(0.5), dynamics::newmark(0.5, 0.25), dynamics::hht(0.1)})
    for (const double friction : {0.0, 0.4}) {
      CAPTURE(scheme.index());
      CAPTURE(friction);
      const Seen seen = run(scheme, linear::contact_last, friction);
      CHECK(seen.residual <= 1e-13);
      CHECK(seen.momentum <= 1e-12);
      CHECK(seen.exchanged > 0.1);
      CHECK(seen.largest_w_T <= 1e-13);
      CHECK(seen.sticking + seen.sliding > 100);
      if (friction > 0.0) CHECK(seen.sliding > 20);
    }
}

TEST_CASE("dynamics/two_bodies: the same with another engine") {
  const Seen seen = run(dynamics::moreau_jean_fremond(0.5), tests::simplicial, 0.4);
  CHECK(seen.residual <= 1e-13);
  CHECK(seen.momentum <= 1e-12);
}

TEST_CASE("dynamics/two_bodies: impulses are equal and opposite on the two bodies") {
  Pair pair(0.4);
  const auto integrator =
      make_integrator(pair.system, dynamics::moreau_jean_fremond(0.5), 5e-3, {});
  double pushed = 0.0;
  for (int k = 0; k < 100; ++k) {
    (void)integrator->advance(pair.state);
    const VectorXd& impulse = integrator->reaction_impulse();
    for (int i = 0; i <= nx; ++i) {
      const Vector2d upper = impulse.segment<2>(2 * node(1, i, 0));
      CHECK(upper == Vector2d(-impulse.segment<2>(2 * node(0, i, ny))));
      pushed = std::max(pushed, upper[1]);
    }
  }
  CHECK(pushed > 0.0);
}
