#include "dynamics/theorems/contact_outcomes.hpp"

#include "dynamics/systems/rigid_body.hpp"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <utility>

using namespace slipwave::dynamics;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

namespace {

constexpr double pi = std::numbers::pi;

double between(std::mt19937_64& generator, double lower, double upper) {
  return std::uniform_real_distribution<double>(lower, upper)(generator);
}

/// Painlevé's critical friction of a slender rod at an angle θ from the horizontal.
double critical_friction(double theta) {
  return (1.0 + 3.0 * std::pow(std::cos(theta), 2)) / (3.0 * std::sin(theta) * std::cos(theta));
}

/// The body's angle is measured from the vertical.
double theta_of(const VectorXd& q) { return 0.5 * pi - q[2]; }

RigidBody rod(double mu, bool placed_by_end = false) {
  RigidBodyData data = stick(1.3, 0.8, placed_by_end);
  data.laws.resize(1);
  data.laws[0].friction = mu;
  return RigidBody(std::move(data));
}

/// A rod with a friction that depends on its configuration.
RigidBody rod(std::function<double(const VectorXd& q)> friction) {
  RigidBodyData data = stick(1.3, 0.8);
  data.laws.resize(1);
  data.friction = std::move(friction);
  return RigidBody(std::move(data));
}

/// On the ground at an angle θ.
VectorXd standing(const RigidBody& body, double theta) {
  VectorXd q = Eigen::Vector3d(0.3, 0.0, 0.5 * pi - theta), g(1);
  body.gaps(q, g);
  q[1] -= g[0];
  return q;
}

/// The velocity with v_x and a rotation at which the end moves along the ground.
VectorXd sliding(const RigidBody& body, const VectorXd& q, double v_x, double rotation) {
  MatrixXd H(2, 3);
  body.directions(q, H);
  return Eigen::Vector3d(v_x, -H(0, 2) * rotation, rotation);
}

OutcomeStudy study_of(const RigidBody& body, double theta, double v_x, double rotation = 0.4) {
  const VectorXd q = standing(body, theta);
  return sample_outcomes(body, q, sliding(body, q, v_x, rotation));
}

/// The angle above that of the minimum where the critical friction has a given value.
double angle_of_critical_friction(double mu) {
  double lower = std::atan(2.0), upper = 1.55;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (lower + upper);
    (critical_friction(middle) < mu ? lower : upper) = middle;
  }
  return lower;
}

const double theta_of_minimum = std::atan(2.0);

/// Whether x falls in proportion to ε, within a factor of 3 over all rows from the second.
bool in_proportion(const OutcomeStudy& study, double OutcomeRow::*x) {
  const double rate = study.rows[1].*x / study.rows[1].epsilon;
  for (std::size_t i = 1; i < study.rows.size(); ++i) {
    const double now = study.rows[i].*x / study.rows[i].epsilon;
    if (now > 3.0 * rate) return false;
  }
  return true;
}

/// Any inertia and directions, touching.
class AnySystem : public FewDofsSystem {
 public:
  explicit AnySystem(std::mt19937_64& generator) : laws_(1) {
    const auto entry = [&] { return between(generator, -1.0, 1.0); };
    const MatrixXd A = MatrixXd::NullaryExpr(3, 3, entry);
    M_ = A * A.transpose() + 0.05 * MatrixXd::Identity(3, 3);
    H_ = MatrixXd::NullaryExpr(2, 3, entry);
    laws_[0].friction = between(generator, 0.0, 3.0);
  }
  int dof_count() const override { return 3; }
  const std::vector<ContactLaw>& contacts() const override { return laws_; }
  void inertia(const VectorXd&, MatrixXd& M) const override { M = M_; }
  void applied_force(double, const VectorXd&, VectorXd& F) const override { F.setZero(); }
  void inertial_force(const VectorXd&, const VectorXd&, VectorXd& f) const override { f.setZero(); }
  void gaps(const VectorXd&, VectorXd& g) const override { g.setZero(); }
  void directions(const VectorXd&, MatrixXd& H) const override { H = H_; }
  double friction(int, const VectorXd&) const override {
    return largest_friction(laws_[0].friction);
  }

  const MatrixXd& M() const { return M_; }

 private:
  std::vector<ContactLaw> laws_;
  MatrixXd M_, H_;
};

/// The least kinetic energy of u⁻ + M⁻¹Hᵀp with p in the cone and w_N = 0, by golden section.
double least_energy(const ContactAt& contact, const MatrixXd& M, const VectorXd& u_minus) {
  const Vector2d ray(-contact.W(0, 1), contact.W(0, 0));
  const Vector2d start(-contact.H.row(0).dot(u_minus) / contact.W(0, 0), 0.0);
  const auto energy = [&](double tau) {
    const Vector2d p = start + tau * ray;
    const double outside = std::abs(p[1]) - contact.mu * p[0];
    const VectorXd u = u_minus + contact.response * p;
    return 0.5 * u.dot(M * u) +
           1e6 * std::max(0.0, outside);  // a convex penalty, exact for w_T < 1e6
  };
  double lower = -1e3, upper = 1e3;
  const double ratio = 1.0 / std::numbers::phi;
  for (int i = 0; i < 100; ++i) {
    const double a = upper - ratio * (upper - lower), b = lower + ratio * (upper - lower);
    (energy(a) < energy(b) ? upper : lower) = energy(a) < energy(b) ? b : a;
  }
  return energy(0.5 * (lower + upper));
}

}  // namespace

TEST_CASE("dynamics/contact_outcomes: a rod is paradoxical beyond Painleve's critical friction") {
  std::mt19937_64 generator(1);
  int paradoxical = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const double theta = between(generator, 0.05, 0.5 * pi - 0.05);
    const double mu = critical_friction(theta) * between(generator, 0.5, 1.5);
    for (const bool placed_by_end : {false, true}) {
      const RigidBody body = rod(mu, placed_by_end);
      const ContactAt contact = contact_at(body, standing(body, theta));
      CHECK(contact.is_paradoxical() == (mu > critical_friction(theta)));
      CHECK(contact.is_regular() == (mu < critical_friction(theta)));
      paradoxical += contact.is_paradoxical();
    }
  }
  CHECK(paradoxical > 1500);
  const RigidBody least = rod(4.0 / 3.0);
  CHECK(contact_at(least, standing(least, theta_of_minimum)).is_critical());
  CHECK(contact_at(least, standing(least, theta_of_minimum + 1e-3)).is_regular());
  CHECK(contact_at(least, standing(least, theta_of_minimum - 1e-3)).is_regular());
  CHECK(contact_at(least, standing(least, pi - theta_of_minimum)).is_critical());  // mirrored
}

TEST_CASE("dynamics/contact_outcomes: the contact law is the projection in the kinetic norm") {
  std::mt19937_64 generator(2);
  int collisions = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const AnySystem system(generator);
    const VectorXd q = VectorXd::Zero(3);
    const VectorXd u_minus =
        VectorXd::NullaryExpr(3, [&] { return between(generator, -1.0, 1.0); });
    const ContactAt contact = contact_at(system, q);
    if (contact.W.norm() > 1e3 || contact.W.determinant() < 1e-3) continue;
    const VectorXd u_plus = discrete_contact_law(contact, u_minus);
    if (contact.H.row(0).dot(u_minus) >= 0.0) {
      CHECK(u_plus == u_minus);
      continue;
    }
    ++collisions;
    const double before = 0.5 * u_minus.dot(system.M() * u_minus);
    const double after = 0.5 * u_plus.dot(system.M() * u_plus);
    CHECK(std::abs(contact.H.row(0).dot(u_plus)) <= 1e-11);
    CHECK(std::abs(after - least_energy(contact, system.M(), u_minus)) <= 1e-8 * before);
  }
  CHECK(collisions > 500);
}

TEST_CASE("dynamics/contact_outcomes: u~ is the least of a scan along the ray that keeps w_N = 0") {
  std::mt19937_64 generator(3);
  int jumps = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const AnySystem system(generator);
    const ContactAt contact = contact_at(system, VectorXd::Zero(3));
    VectorXd u = VectorXd::NullaryExpr(3, [&] { return between(generator, -1.0, 1.0); });
    u -= contact.H.row(0).dot(u) / contact.H.row(0).squaredNorm() * contact.H.row(0).transpose();
    const VectorXd u_tilde = tangential_projection(contact, u);
    const auto energy = [&](const VectorXd& x) { return 0.5 * x.dot(system.M() * x); };
    const Vector2d p = (contact.response.transpose() * contact.response).inverse() *
                       (contact.response.transpose() * (u_tilde - u));
    CHECK(std::abs(p[1]) <= contact.mu * p[0] + 1e-9 * p.norm());
    jumps += u_tilde != u;
    const Vector2d ray(std::abs(contact.W(0, 1)), -std::copysign(contact.W(0, 0), contact.W(0, 1)));
    for (int i = 0; i <= 50 && !contact.is_regular(); ++i)
      CHECK(energy(u_tilde) <=
            energy(u + 0.1 * i / contact.W.squaredNorm() * contact.response * ray) +
                1e-12 * energy(u));
    if (contact.is_regular()) CHECK(u_tilde == u);
  }
  CHECK(jumps > 100);
}

TEST_CASE("dynamics/contact_outcomes: the law does not depend on the point that places the rod") {
  std::mt19937_64 generator(4);
  int collisions = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const double theta = between(generator, 0.1, 1.4), mu = between(generator, 0.0, 3.0);
    const RigidBody centre = rod(mu), end = rod(mu, true);
    const VectorXd q_centre = standing(centre, theta), q_end = standing(end, theta);
    const VectorXd u_end = VectorXd::NullaryExpr(3, [&] { return between(generator, -1.0, 1.0); });
    const Vector2d arm(-0.4 * std::sin(q_end[2]), 0.4 * std::cos(q_end[2]));  // end to centre
    const auto at_centre = [&](const VectorXd& u) -> VectorXd {
      return Eigen::Vector3d(u[0] - u[2] * arm[1], u[1] + u[2] * arm[0], u[2]);
    };
    const VectorXd by_end = discrete_contact_law(contact_at(end, q_end), u_end);
    const VectorXd by_centre = discrete_contact_law(contact_at(centre, q_centre), at_centre(u_end));
    CHECK((by_centre - at_centre(by_end)).norm() <= 1e-12);
    collisions += by_end != u_end;
  }
  CHECK(collisions > 500);
}

TEST_CASE("dynamics/contact_outcomes: the law leaves a tangential velocity as it is, to the bit") {
  std::mt19937_64 generator(5);
  for (int trial = 0; trial < 2000; ++trial) {
    const double theta = between(generator, 0.1, 1.4);
    const RigidBody body = rod(critical_friction(theta) * (trial % 2 == 0 ? 1.0 : 1.5));
    VectorXd q = standing(body, theta);
    VectorXd u = sliding(body, q, between(generator, -1.0, 1.0), between(generator, -1.0, 1.0));
    q[1] -= 1e-3;
    CHECK(discrete_contact_law(contact_at(body, q), u) == u);
    u[1] = std::nextafter(u[1], -1.0);  // no collision either
    CHECK(discrete_contact_law(contact_at(body, q), u) == u);
  }
}

TEST_CASE("dynamics/contact_outcomes: the excesses are those of a segment cut very small") {
  std::mt19937_64 generator(6);
  const auto draw = [&](double size) -> VectorXd {
    return VectorXd::NullaryExpr(2, [&] { return between(generator, -size, size); });
  };
  for (int trial = 0; trial < 200; ++trial) {
    const VectorXd a = draw(1.0), b = draw(1.0);
    std::vector<VectorXd> points;
    for (int i = 0; i < 1 + trial % 7; ++i) points.push_back(draw(1.5));
    if (trial % 3 == 0) points.push_back(points[0]);
    constexpr int pieces = 2000;
    const double piece = (b - a).norm() / pieces;
    std::vector<double> to_segment(points.size(), 1e9);
    double from_points = 0.0;
    for (int i = 0; i <= pieces; ++i) {
      const VectorXd x = a + static_cast<double>(i) / pieces * (b - a);
      double nearest = 1e9;
      for (std::size_t j = 0; j < points.size(); ++j) {
        nearest = std::min(nearest, (x - points[j]).norm());
        to_segment[j] = std::min(to_segment[j], (x - points[j]).norm());
      }
      from_points = std::max(from_points, nearest);
    }
    const Excesses excesses = excesses_from_segment(points, a, b);
    CHECK(std::abs(excesses.from_points - from_points) <= piece);
    CHECK(std::abs(excesses.of_points - *std::max_element(to_segment.begin(), to_segment.end())) <=
          piece);
  }
  const Vector2d a(0.0, 0.0), b(1.0, 0.0);
  const std::vector<VectorXd> above{Vector2d(0.5, 0.25), Vector2d(0.5, 1.0)};
  CHECK(excesses_from_segment(above, a, b).from_points == std::hypot(0.5, 0.25));
  const std::vector<VectorXd> points{Vector2d(0.0, 1.0), Vector2d(3.0, 0.0)};
  CHECK(excesses_from_segment(points, a, a).of_points == 3.0);
  CHECK(excesses_from_segment(points, a, a).from_points == 1.0);
  const Excesses ends = excesses_from_ends(points, a, b);
  CHECK(ends.of_points == 2.0);
  CHECK(ends.from_points == std::sqrt(2.0));
}

TEST_CASE("dynamics/contact_outcomes: gamma < 0, two outcomes: nothing, or the end sticks") {
  for (const double theta : {theta_of_minimum, 1.0, 1.2}) {
    const OutcomeStudy study = study_of(rod(2.0), theta, 1.0);
    CHECK(study.kind == OutcomeCase::paradoxical);
    CHECK((study.contact.H * study.u_tilde).norm() <= 1e-14);
    CHECK((study.u_tilde - study.u_minus).norm() > 0.5);
    CHECK(study.predicted);
    CHECK(study.observed);
    CHECK(in_proportion(study, &OutcomeRow::consistency));
    CHECK(study.rows.back().distance() < 1e-4);
    CHECK(study.rows.back().to_ends == study.rows.back().distance());
  }
}

TEST_CASE("dynamics/contact_outcomes: sliding the other way, or mirrored, or not, is trivial") {
  for (const double v_x : {-1.0, 0.0}) {
    const OutcomeStudy study = study_of(rod(2.0), theta_of_minimum, v_x, 0.0);
    CHECK(study.kind == OutcomeCase::paradoxical);
    CHECK_FALSE(study.jumps());
    CHECK(study.predicted);
    CHECK(study.observed);
    CHECK(study.rows.back().distance() < 1e-4);
  }
  CHECK_FALSE(study_of(rod(2.0), pi - theta_of_minimum, 1.0).jumps());
  CHECK(study_of(rod(2.0), pi - theta_of_minimum, -1.0).jumps());
}

TEST_CASE("dynamics/contact_outcomes: gamma = 0 at a minimum or a crossing, all in between") {
  const double crossing = angle_of_critical_friction(2.0);
  for (const auto& [mu, theta] : {std::pair(4.0 / 3.0, theta_of_minimum), std::pair(2.0, crossing)})
    for (const double rotation : {0.0, 0.4}) {
      const OutcomeStudy study = study_of(rod(mu), theta, 1.0, rotation);
      const double length = (study.u_tilde - study.u_minus).norm();
      CHECK(study.kind == OutcomeCase::critical_with_regular);
      CHECK(study.predicted);
      CHECK(study.observed);
      CHECK(in_proportion(study, &OutcomeRow::consistency));
      CHECK(in_proportion(study, &OutcomeRow::indeterminacy));
      CHECK(study.rows.back().distance() < 1e-4);
      CHECK(study.rows.back().to_ends == doctest::Approx(0.5 * length).epsilon(1e-3));
    }
}

TEST_CASE("dynamics/contact_outcomes: the observation is its own: a coarse sample contradicts") {
  const RigidBody body = rod(2.0);
  const VectorXd q = standing(body, angle_of_critical_friction(2.0));
  OutcomeOptions coarse;
  coarse.directed = 0.0;  // the number of outcomes in between no longer grows
  const OutcomeStudy study = sample_outcomes(body, q, sliding(body, q, 1.0, 0.4), coarse);
  CHECK(study.predicted);
  CHECK_FALSE(study.observed);
}

TEST_CASE("dynamics/contact_outcomes: gamma = 0 and nowhere positive, only the ends") {
  const double theta = 1.2;
  const auto everywhere = [](const VectorXd& q) { return critical_friction(theta_of(q)); };
  const auto maximum = [](const VectorXd& q) {
    return critical_friction(theta_of(q)) * (1.0 + std::pow(theta_of(q) - 1.2, 2));
  };
  const auto open_side = [](const VectorXd& q) {  // gamma > 0 where the gap is open
    return critical_friction(theta_of(q)) * (1.0 - 0.5 * (q[1] - 0.4 * std::cos(q[2])));
  };
  for (const RigidBody& body : {rod(everywhere), rod(maximum), rod(open_side)}) {
    const OutcomeStudy study = study_of(body, theta, 1.0);
    const double length = (study.u_tilde - study.u_minus).norm();
    CHECK(length > 0.5);
    CHECK(study.kind == OutcomeCase::critical_throughout);
    CHECK_FALSE(study.predicted);
    CHECK_FALSE(study.observed);
    CHECK(study.rows.back().distance() == doctest::Approx(0.5 * length).epsilon(1e-3));
    CHECK(in_proportion(study, &OutcomeRow::consistency));
    CHECK(in_proportion(study, &OutcomeRow::to_ends));
    CHECK(study.rows.back().to_ends < 1e-4);
    CHECK(study_of(body, theta, -1.0).predicted);  // nothing to reach
    CHECK(study_of(body, theta, -1.0).observed);
  }
  const auto closed_side = [](const VectorXd& q) {
    return critical_friction(theta_of(q)) * (1.0 + 0.5 * (q[1] - 0.4 * std::cos(q[2])));
  };
  CHECK(study_of(rod(closed_side), theta, 1.0).kind == OutcomeCase::critical_with_regular);
  CHECK(study_of(rod(closed_side), theta, 1.0).observed);
}

TEST_CASE("dynamics/contact_outcomes: gamma > 0, one outcome") {
  const OutcomeStudy study = study_of(rod(1.0), theta_of_minimum, 1.0);
  CHECK(study.kind == OutcomeCase::regular);
  CHECK_FALSE(study.jumps());
  CHECK(study.predicted);
  CHECK(study.observed);
  CHECK(in_proportion(study, &OutcomeRow::consistency));
  CHECK(study.rows.back().distance() < 1e-3);
}

TEST_CASE("dynamics/contact_outcomes: open and colliding contacts are told apart, not studied") {
  const RigidBody body = rod(2.0);
  VectorXd q = standing(body, theta_of_minimum);
  const VectorXd u = sliding(body, q, 1.0, 0.4);
  CHECK(sample_outcomes(body, q, u - Eigen::Vector3d(0.0, 0.1, 0.0)).kind ==
        OutcomeCase::not_tangential);
  q[1] += 0.1;
  CHECK(sample_outcomes(body, q, u).kind == OutcomeCase::no_contact);
  CHECK_FALSE(sample_outcomes(body, q, u).studied());
  OutcomeOptions rising;
  rising.radii = {1e-2, 1e-1};
  CHECK_THROWS_AS((void)sample_outcomes(body, q, u, rising), std::invalid_argument);
  RigidBodyData two = block(1.0, 1.0, 1.0);
  two.laws.resize(2);
  CHECK_THROWS_AS(contact_at(RigidBody(two), q), std::invalid_argument);
}
