#include "contact/solvers/solver_on.hpp"
#include "dynamics/solids/solids_integrator.hpp"
#include "tests/support/solid_scene.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <numbers>
#include <random>
#include <variant>
#include <vector>

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using namespace slipwave;
using tests::SolidRun;
using tests::SolidScene;

namespace {

constexpr double pi = std::numbers::pi, g = 9.81;

const dynamics::ThetaScheme fremond = dynamics::moreau_jean_fremond(0.5),
                            moreau_jean = dynamics::moreau_jean(0.5);

/// A ball of radius 1 and mass 1 on the ground.
SolidScene ball_on_ground(double mu, double e, double gravity) {
  SolidScene scene(mu, e, gravity);
  scene.add_ground();
  scene.add(collision::sphere(1.0), {0.0, 0.0, 1.0}, 3.0 / (4.0 * pi));
  return scene;
}

/// The slip velocity of a ball of radius 1 where it touches the ground.
Vector3d slip(const SolidRun& run, int ball) {
  const Vector3d spin = run.attitude(ball) * run.spin(ball);
  return run.velocity(ball) + spin.cross(-Vector3d::UnitZ());
}

/// A box of 1 x 1 x 1 on a plane that leans by φ about y, its lowest edge down the slope (+x).
SolidScene box_on_slope(double phi, double mu, const Vector3d& size = {1.0, 1.0, 1.0}) {
  SolidScene scene(mu, 0.0, g);
  const Vector3d normal(std::sin(phi), 0.0, std::cos(phi));
  scene.add_ground(normal);
  scene.add(collision::box(size), 0.5 * size[2] * normal);
  scene.last().attitude = Quaterniond(AngleAxisd(phi, Vector3d::UnitY()));
  return scene;
}

/// Boxes that fall onto each other and spin.
SolidScene falling_boxes(int count) {
  SolidScene scene(0.5, 0.3);
  scene.add_ground();
  for (int k = 0; k < count; ++k) {
    scene.add(collision::box({0.5, 0.7, 0.4}), {0.1 * k, 0.05 * k, 0.6 + 0.8 * k});
    scene.last().attitude = Quaterniond(AngleAxisd(0.3 + k, Vector3d(1.0, k, 2.0).normalized()));
    scene.last().spin = Vector3d(3.0, -2.0 * k, 1.0);
  }
  return scene;
}

/// The same problem with the tangents of every contact turned in their plane, each by its own
/// angle.
contact::BodyProblem with_turned_tangents(const contact::BodyProblem& problem) {
  const contact::BodyDelassus& W = problem.W;
  std::vector<Eigen::MatrixXd> M(static_cast<std::size_t>(W.body_count()));
  for (int i = 0; i < W.body_count(); ++i) M[static_cast<std::size_t>(i)] = W.M<3>(i);
  std::vector<std::vector<contact::BodyDelassus::Touch>> touches;
  Eigen::VectorXd b = problem.b;
  for (int a = 0; a < W.contact_count(); ++a) {
    const Eigen::Matrix3d turn = AngleAxisd(0.4 + a, Vector3d::UnitX()).toRotationMatrix();
    b.segment<3>(3 * a) = turn * problem.b.segment<3>(3 * a);
    auto& touch = touches.emplace_back();
    for (int k = 0; k < static_cast<int>(W.bodies(a).size()); ++k)
      touch.push_back({W.bodies(a)[static_cast<std::size_t>(k)], turn * W.H<3>(a, k)});
  }
  return {contact::BodyDelassus(3, M, touches), b, problem.mu, problem.active};
}

/// What the impulses that solve a problem add to the velocities of the bodies.
Eigen::VectorXd motion_of(const contact::BodyProblem& problem) {
  contact::SolverOn<contact::BodyDelassus> solver(problem.W,
                                                  {contact::Method::automatic, 1e-12, 300, 1.0});
  contact::Solution solution(problem.W.contact_count(), 3);
  // Round-off stops it at about 1e-11 where bodies rest.
  CHECK(solver.solve(problem, solution).residual.worst() <= 1e-10);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(problem.W.motion_size());
  for (const int a : problem.active)
    problem.W.add_motion<3>(a, solution.p.segment<3>(3 * a), x.data());
  return x;
}

}  // namespace

TEST_CASE("dynamics/solids: the ledger closes to round-off for bodies that collide and spin") {
  for (const dynamics::ThetaScheme& scheme :
       {fremond, moreau_jean, dynamics::moreau_jean_fremond(0.7), dynamics::moreau_jean(0.9)}) {
    SolidRun run(falling_boxes(5), scheme, 2e-3, 1e-8);
    run.steps(400);
    CHECK(run.all_certified);
    CHECK(run.exchanged > 1.0);
    CHECK(run.worst_balance <= 1e-13 * run.exchanged);
    CHECK(run.worst_gyroscopic <= 1e-15 * run.exchanged);
    const bool dissipates = scheme.law_theta == 0.5 && scheme.theta == 0.5;
    if (dissipates) CHECK(run.contact_work < 0.0);
    if (dissipates) CHECK(run.worst_created <= 1e-7 * run.exchanged);
  }
}

TEST_CASE(
    "dynamics/solids: the ledger closes whatever rule and law, and dissipative Frémond makes "
    "nothing") {
  for (const auto& rule : dynamics::activations)
    for (const auto& law : dynamics::impact_laws)
      for (const double theta : {0.5, 0.7}) {  // at most 1/(1+e)
        CAPTURE(rule.first);
        CAPTURE(law.first);
        SolidScene scene = falling_boxes(3);
        scene.solids.laws[0].activation = rule.second;
        scene.solids.laws[0].impact = law.second;
        const bool newton = law.second == dynamics::ImpactLaw::newton;
        if (newton) scene.solids.laws[0].tangential_restitution = 0.2;
        SolidRun run(scene, dynamics::moreau_jean_fremond(theta), 2e-3, 1e-8);
        run.steps(300);
        CHECK(run.exchanged > 1.0);
        CHECK(run.worst_balance <= 1e-13 * run.exchanged);
        if (newton) CHECK(run.worst_created > 1e-4 * run.exchanged);
        if (rule.second == dynamics::Activation::dissipative && !newton)
          CHECK(run.worst_created <= 1e-8 * run.exchanged);
      }
}

TEST_CASE("dynamics/solids: gravity's work is the change of m g z") {
  SolidScene scene(0.3, 0.2);
  scene.add_ground();
  const int box = scene.add(collision::box({0.5, 0.7, 0.4}), {0.0, 0.0, 1.0});
  scene.last().attitude = Quaterniond(AngleAxisd(0.5, Vector3d(1.0, 1.0, 0.0).normalized()));
  SolidRun run(scene, fremond, 1e-3);
  double work = 0.0;
  for (int k = 0; k < 800; ++k) work += run.step().energy.works.external;
  const double lost = 0.14 * g * (1.0 - run.place(box)[2]);
  CHECK(std::abs(work - lost) <= 1e-13 * lost);
}

TEST_CASE("dynamics/solids: two polyhedra that collide freely keep momentum and spin") {
  for (const double e : {0.0, 1.0}) {
    SolidScene scene(e == 1.0 ? 0.0 : 0.4, e, 0.0);
    scene.add(collision::box({1.0, 0.6, 0.8}), {0.0, 0.0, 0.0});
    scene.last().velocity = {1.0, 0.2, 0.0};
    scene.last().spin = {0.5, 2.0, -1.0};
    scene.add(collision::hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.6, 0.7, 0.5}}),
              {1.2, -0.2, -0.3}, 2.0);
    scene.last().spin = {1.0, -1.0, 0.3};
    SolidRun run(scene, fremond, 2e-3);
    // About the places of the step's beginning, where its impulses act. Those of its end have moved
    // on, and the spin about them with them, by h/2 (v_A − v_B) × (impulse).
    const auto momenta = [&](const Eigen::VectorXd& q) {
      Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
      for (int i = 0; i < 2; ++i) {
        const dynamics::Solid& body = run.scene.solids.bodies[static_cast<std::size_t>(i)];
        sum.head<3>() += body.mass * run.velocity(i);
        sum.tail<3>() += body.mass * dynamics::place_in(q, i).cross(run.velocity(i)) +
                         dynamics::attitude_in(q, i) * (body.inertia * run.spin(i));
      }
      return sum;
    };
    // What the frames of bodies turn by, h ω_θ × Jω_θ, belongs to the motion and not to the
    // contact.
    const auto turning = [&](const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
      Vector3d sum = Vector3d::Zero();
      for (int i = 0; i < 2; ++i) {
        const dynamics::Solid& body = run.scene.solids.bodies[static_cast<std::size_t>(i)];
        const Vector3d w = 0.5 * (run.spin(i) + v.segment<3>(dynamics::v_of(i) + 3));
        sum += dynamics::attitude_in(q, i) * (2e-3 * w.cross(body.inertia * w));
      }
      return sum;
    };
    bool touched = false;
    double worst = 0.0;
    const double size = momenta(run.state.q).norm();
    for (int k = 0; k < 1000; ++k) {
      const Eigen::VectorXd q = run.state.q, v = run.state.v;
      Eigen::Matrix<double, 6, 1> change = -momenta(q);
      const dynamics::StepReport report = run.step();
      change += momenta(q);
      change.tail<3>() += turning(q, v);
      worst = std::max(worst, change.norm());
      touched = touched || report.sticking + report.sliding > 0;
    }
    CHECK(touched);
    CHECK(worst <= 1e-14 * size);
    if (e == 1.0)
      CHECK(run.integrator.energy(run.state).total() == doctest::Approx(run.energy).epsilon(1e-12));
  }
}

TEST_CASE(
    "dynamics/solids: a ball that hits the ground obliquely sticks or slides as its law says") {
  const double v_n = 2.0, e = 0.5, mu = 0.3;
  const auto change = [&](const dynamics::ThetaScheme& scheme, double u_0) {
    SolidScene scene = ball_on_ground(mu, e, 0.0);
    scene.last().velocity = {u_0, 0.0, -v_n};
    SolidRun run(scene, scheme, 1e-4, 1e-13);
    run.steps(1);
    CHECK(run.velocity(1)[2] == doctest::Approx(e * v_n).epsilon(1e-10));
    return run.velocity(1)[0] - u_0;
  };
  const double largest = mu * (1.0 + e) * v_n;
  for (const double side : {0.999, 1.001}) {
    const double newton = side * 3.5 * largest, half = side * 1.75 * largest;
    CHECK(change(moreau_jean, newton) ==
          doctest::Approx(-std::min(side, 1.0) * largest).epsilon(1e-9));
    CHECK(change(fremond, half) == doctest::Approx(-std::min(side, 1.0) * largest).epsilon(1e-9));
  }
  CHECK(change(moreau_jean, 0.5) == doctest::Approx(-0.5 * 2.0 / 7.0).epsilon(1e-9));
  CHECK(change(fremond, 0.5) == doctest::Approx(-0.5 * 4.0 / 7.0).epsilon(1e-9));
}

TEST_CASE("dynamics/solids: a vertex that hits loses (1 - e²) u_N² / (2 W_NN)") {
  const double e = 0.4;
  SolidScene scene(0.0, e, 0.0);
  scene.add_ground();
  const Quaterniond attitude(AngleAxisd(0.7, Vector3d(1.0, 0.4, 0.2).normalized()));
  const collision::Convex shape = collision::box({1.0, 2.0, 1.5});
  double lowest = 0.0;
  for (const Vector3d& vertex : shape.vertices) lowest = std::min(lowest, (attitude * vertex)[2]);
  scene.add(shape, {0.0, 0.0, -lowest});
  scene.last().attitude = attitude;
  scene.last().velocity = {0.3, 0.0, -1.0};
  scene.last().spin = {0.2, 0.1, -0.5};
  for (const dynamics::ThetaScheme& scheme : {fremond, moreau_jean}) {
    SolidRun run(scene, scheme, 1e-5);
    const Eigen::VectorXd v = run.state.v;
    const dynamics::StepReport report = run.step();
    REQUIRE(run.integrator.contacts().size() == 1);
    const double W = run.integrator.contact().own_W(0)(0, 0),
                 u = run.integrator.contacts()[0].velocity(v)[0];
    CHECK(run.integrator.contact().solution().p[0] ==
          doctest::Approx(-(1.0 + e) * u / W).epsilon(1e-4));
    CHECK(-report.energy.works.contact_normal ==
          doctest::Approx((1.0 - e * e) * u * u / (2.0 * W)).epsilon(1e-4));
  }
}

TEST_CASE("dynamics/solids: a sliding ball rolls at 5/7 of its speed after 2 v_0 / (7 mu g)") {
  const double mu = 0.2, v_0 = 3.0, rolls_at = 2.0 * v_0 / (7.0 * mu * g), h = 1e-4;
  SolidScene scene = ball_on_ground(mu, 0.0, g);
  scene.last().velocity = {v_0, 0.0, 0.0};
  SolidRun run(scene, fremond, h);
  // Frémond's law stops the slip between the ends of a step: at these it is left with what one step
  // of friction makes, to and fro.
  const double last_slip = 3.5 * mu * g * h;
  double stopped = 0.0;
  for (int k = 1; k * h < 1.2 * rolls_at; ++k) {
    run.steps(1);
    if (stopped == 0.0 && slip(run, 1).norm() <= last_slip) {
      stopped = k * h;
      CHECK(run.place(1)[0] == doctest::Approx(12.0 * v_0 * v_0 / (49.0 * mu * g)).epsilon(1e-3));
    }
  }
  CHECK(std::abs(stopped - rolls_at) <= 2.0 * h);
  CHECK(std::abs(run.velocity(1)[0] - 5.0 / 7.0 * v_0) <= 2.0 / 7.0 * last_slip);

  // With any spin: v_end = v_0 − (2/7) u_0.
  SolidScene spun = ball_on_ground(0.5, 0.0, g);
  spun.last().velocity = {1.0, -2.0, 0.0};
  spun.last().spin = {3.0, 1.0, 5.0};
  SolidRun other(spun, fremond, h);
  const Vector3d expected = other.velocity(1) - 2.0 / 7.0 * slip(other, 1);
  other.steps(6000);
  CHECK((other.velocity(1) - expected).norm() <= 2.0 / 7.0 * 3.5 * 0.5 * g * h);
}

TEST_CASE("dynamics/solids: a ball on an incline rolls while tan phi <= 7/2 mu") {
  const double phi = 0.5, h = 1e-3, t = 1.0;
  const double threshold = std::tan(phi) / 3.5;
  for (const double mu : {1.01 * threshold, 0.9 * threshold}) {
    SolidScene scene(mu, 0.0, g);
    const Vector3d normal(std::sin(phi), 0.0, std::cos(phi));
    scene.add_ground(normal);
    scene.add(collision::sphere(1.0), normal);
    SolidRun run(scene, fremond, h);
    run.steps(static_cast<int>(t / h));
    const double speed = run.velocity(1).norm();
    const double rolling = 5.0 / 7.0 * g * std::sin(phi) * t,
                 sliding = g * (std::sin(phi) - mu * std::cos(phi)) * t;
    CHECK(speed == doctest::Approx(mu > threshold ? rolling : sliding).epsilon(1e-3));
    CHECK(std::abs(sliding / rolling - 1.0) > 2e-3);
  }
}

TEST_CASE("dynamics/solids: a box slides if tan phi > mu, and topples first if tan phi > b/h") {
  const double phi = 0.4;
  for (const double mu : {1.01 * std::tan(phi), 0.99 * std::tan(phi)}) {
    SolidRun run(box_on_slope(phi, mu), fremond, 1e-3);
    run.steps(500);
    const double acceleration = std::max(0.0, g * (std::sin(phi) - mu * std::cos(phi)));
    CHECK(run.velocity(1).norm() == doctest::Approx(0.5 * acceleration).epsilon(1e-6));
    CHECK(run.spin(1).norm() <= 1e-6);
  }
  for (const double ratio : {0.99, 1.01}) {  // of tan φ to b/h
    SolidRun run(box_on_slope(phi, 2.0, {1.0, 1.0, ratio / std::tan(phi)}), fremond, 1e-3);
    run.steps(500);
    CHECK((run.spin(1).norm() > 1e-3) == (ratio > 1.0));
  }
}

TEST_CASE("dynamics/solids: friction is isotropic, and turning the scene changes nothing") {
  // A block on a slope with tan φ = μ, started sideways with v_0, ends at v_0/2 straight down: to
  // second order in h with Frémond's law, to first with Newton's.
  const double phi = 0.4, v_0 = 1.0;
  SolidScene scene = box_on_slope(phi, std::tan(phi), {1.0, 1.0, 0.02});
  scene.last().velocity = {0.0, v_0, 0.0};
  const Vector3d down(std::cos(phi), 0.0, -std::sin(phi));
  const auto error = [&](const dynamics::ThetaScheme& scheme, double h) {
    SolidRun run(scene, scheme, h);
    run.steps(static_cast<int>(std::lround(3.0 / h)));
    CHECK(std::abs(run.velocity(1)[1]) <= 1e-9);
    return std::abs(run.velocity(1).dot(down) - 0.5 * v_0);
  };
  CHECK(error(fremond, 1e-3) <= 5e-6);
  CHECK(error(moreau_jean, 1e-3) <= 1e-3);
  CHECK(error(moreau_jean, 5e-4) <= 5e-4);

  const Quaterniond turn(AngleAxisd(1.1, Vector3d(0.3, -0.5, 0.8).normalized()));
  SolidScene turned = scene;
  turned.solids.gravity = turn * scene.solids.gravity;
  for (dynamics::Solid& body : turned.solids.bodies) {
    body.place = turn * body.place;
    body.velocity = turn * body.velocity;
    body.attitude = turn * body.attitude;
  }
  SolidRun other(turned, fremond, 1e-3), again(scene, fremond, 1e-3);
  other.steps(1000);
  again.steps(1000);
  CHECK((other.velocity(1) - turn * again.velocity(1)).norm() <= 1e-7);
  CHECK((other.place(1) - turn * again.place(1)).norm() <= 1e-7);
}

TEST_CASE("dynamics/solids: whichever way the tangents of contacts are turned, bodies move alike") {
  const double phi = 0.4;
  SolidScene slope = box_on_slope(phi, 0.8 * std::tan(phi), {1.0, 0.8, 0.5});
  slope.last().velocity = {0.2, 1.0, -0.2 * std::tan(phi)};
  for (const SolidScene& scene : {slope, falling_boxes(3)}) {
    SolidRun run(scene, fremond, 2e-3, 1e-8);
    int compared = 0;
    double worst = 0.0;
    // Until the pile lies on five points at once, of which some slide: two impulses that both solve
    // such a problem to 1e-12 can move it differently by 1e-7.
    for (int k = 0; k < 250; ++k) {
      (void)run.step();
      const auto* problem =
          std::get<const contact::BodyProblem*>(run.integrator.contact().problem_of_step());
      if (problem->active.empty()) continue;
      ++compared;
      const Eigen::VectorXd as_it_is = motion_of(*problem);
      worst = std::max(worst, (motion_of(with_turned_tangents(*problem)) - as_it_is).norm());
    }
    CHECK(compared > 100);
    CHECK(worst <= 1e-10);
  }
}

TEST_CASE("dynamics/solids: a block that spins on its corners slows by 6 mu g / sqrt(a² + b²)") {
  const double mu = 0.3, a = 1.0, b = 0.6, h = 1e-4;
  SolidScene scene(mu, 0.0, g);
  scene.add_ground();
  scene.add(collision::box({a, b, 0.02}), {0.0, 0.0, 0.01});
  scene.last().spin = {0.0, 0.0, 4.0};
  SolidRun run(scene, fremond, h);
  run.steps(1000);
  const double rate = 6.0 * mu * g / std::hypot(a, b);
  CHECK(run.spin(1)[2] == doctest::Approx(4.0 - 0.1 * rate).epsilon(1e-3));
}

TEST_CASE("dynamics/solids: Housner's block keeps 1 - 3/2 sin² alpha of its spin") {
  const double b = 0.4, height = 1.0, alpha = std::atan(b / height);
  SolidScene scene(10.0, 0.0, g);
  scene.add_ground();
  scene.add(collision::box({b, 0.5, height}), Vector3d::Zero());
  const double lean = 1e-6;
  const Quaterniond attitude(AngleAxisd(-lean, Vector3d::UnitY()));
  scene.last().attitude = attitude;
  // It turns about its lower left edge, which is on the ground, and falls on the right one.
  const Vector3d edge = attitude * Vector3d(-0.5 * b, 0.0, -0.5 * height);
  scene.last().place = {0.0, 0.0, -edge[2]};
  const Vector3d spin(0.0, 1.0, 0.0);
  scene.last().spin = spin;
  scene.last().velocity = spin.cross(-edge);
  SolidRun run(scene, moreau_jean, 1e-6);
  run.steps(5);
  CHECK(run.spin(1)[1] ==
        doctest::Approx(1.0 - 1.5 * std::sin(alpha) * std::sin(alpha)).epsilon(1e-3));
}

TEST_CASE("dynamics/solids: a stack bears k m g at joint k, and its blocks stay where they are") {
  constexpr int blocks = 6;
  const double h = 1e-3;
  SolidScene scene(0.5, 0.2, g);
  scene.add_ground();
  for (int k = 0; k < blocks; ++k)
    scene.add(collision::box({1.0, 1.0, 0.5}), {0.0, 0.0, 0.25 + 0.5 * k}, 2.0);
  SolidRun run(scene, fremond, h);
  run.steps(200);
  for (int k = 0; k < blocks; ++k) {
    const double joint = [&] {
      double sum = 0.0;
      for (std::size_t a = 0; a < run.integrator.contacts().size(); ++a)
        if (run.integrator.contacts()[a].B == k + 1 && run.integrator.contacts()[a].A == k)
          sum += run.integrator.contact().solution().p[3 * static_cast<Eigen::Index>(a)];
      return sum / h;
    }();
    CHECK(joint == doctest::Approx((blocks - k) * g).epsilon(1e-8));
    CHECK((run.place(k + 1) - scene.solids.bodies[static_cast<std::size_t>(k) + 1].place).norm() <=
          1e-9);
  }
}

TEST_CASE("dynamics/solids: an overhang of n blocks stands to L/2 (1 + 1/2 + ... + 1/n)") {
  constexpr int blocks = 4;
  const auto falls = [](double share) {
    SolidScene scene(0.8, 0.0, g);
    scene.add_ground();
    scene.add(collision::box({1.0, 1.0, 0.2}), {0.0, 0.0, 0.1});
    scene.last().kind = dynamics::Solid::Kind::fixed;
    double x = 0.0;
    for (int k = 1; k <= blocks; ++k) {
      x += share * 0.5 / (blocks - k + 1);
      scene.add(collision::box({1.0, 1.0, 0.2}), {x, 0.0, 0.1 + 0.2 * k});
    }
    SolidRun run(scene, fremond, 1e-3, 1e-10);
    run.steps(600);
    return (run.place(blocks + 1) - scene.last().place).norm() > 1e-4;
  };
  CHECK_FALSE(falls(0.999));
  CHECK(falls(1.001));
}

TEST_CASE("dynamics/solids: three balls carry a fourth if mu >= sqrt 3 - sqrt 2") {
  const auto falls = [](double mu_balls, double mu_ground) {
    SolidScene scene(mu_balls, 0.0, g);
    scene.add_ground();
    scene.solids.laws.push_back(scene.solids.laws[0]);
    scene.solids.laws[1].friction = contact::Coulomb{mu_ground};
    scene.solids.law_of_groups = {{-1, 1}, {1, 0}};
    for (int k = 0; k < 3; ++k)
      scene.add(collision::sphere(1.0), {2.0 / std::sqrt(3.0) * std::cos(2.0 * pi * k / 3.0),
                                         2.0 / std::sqrt(3.0) * std::sin(2.0 * pi * k / 3.0), 1.0});
    scene.add(collision::sphere(1.0), {0.0, 0.0, 1.0 + std::sqrt(8.0 / 3.0)});
    for (std::size_t i = 1; i < 5; ++i) scene.solids.bodies[i].collider.group = 1;
    SolidRun run(scene, fremond, 1e-3, 1e-10);
    run.steps(500);
    return run.place(4)[2] < scene.last().place[2] - 1e-4;
  };
  const double balls = std::sqrt(3.0) - std::sqrt(2.0), ground = 0.25 * balls;
  CHECK_FALSE(falls(1.01 * balls, 1.01 * ground));
  CHECK(falls(0.99 * balls, 1.01 * ground));
  CHECK(falls(1.01 * balls, 0.99 * ground));
}

TEST_CASE(
    "dynamics/solids: a turntable carries a block below mu g / r, and its work is prescribed") {
  const double mu = 0.5, r = 2.0, h = 1e-3;
  for (const double share : {0.98, 1.02}) {
    const double rate = std::sqrt(share * mu * g / r);
    SolidScene scene(mu, 0.0, g);
    scene.add_ground();
    scene.last().kind = dynamics::Solid::Kind::driven;
    scene.last().drive = [rate](double) {
      return dynamics::Twist{Vector3d::Zero(), {0.0, 0.0, rate}};
    };
    scene.add(collision::box({0.1, 0.1, 0.02}), {r, 0.0, 0.01});
    scene.last().velocity = {0.0, rate * r, 0.0};
    scene.last().spin = {0.0, 0.0, rate};
    SolidRun run(scene, fremond, h);
    run.steps(1500);
    CHECK(run.worst_balance <= 1e-13 * run.exchanged);
    const double away = run.place(1).head<2>().norm() - r;
    CHECK((away > 5e-3) == (share > 1.0));
  }
}

TEST_CASE("dynamics/solids: a body waits until it is born, and its energy is there") {
  SolidScene scene(0.5, 0.0, g);
  scene.add_ground();
  scene.add(collision::box({1.0, 1.0, 1.0}), {0.0, 0.0, 3.0});
  scene.last().birth = 0.05;
  scene.last().velocity = {1.0, 0.0, 0.0};
  SolidRun run(scene, fremond, 0.01);
  run.steps(5);
  CHECK((run.place(1) - scene.last().place).norm() == 0.0);
  CHECK(run.integrator.energy(run.state).total() == run.energy);
  run.steps(1);
  CHECK(run.place(1)[0] == doctest::Approx(0.01));
}

TEST_CASE("dynamics/solids: a block on four points: forces are not unique, the motion is") {
  const double phi = 0.4, h = 1e-3;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (const double mu : {1.5 * std::tan(phi), 0.5 * std::tan(phi)}) {  // it sticks, it slides
    const SolidScene scene = box_on_slope(phi, mu);
    SolidRun first(scene, fremond, h);
    first.steps(1);
    dynamics::ContactMemory memory = first.integrator.contact().memory();
    Eigen::VectorXd& p = memory.sequence.solution.p;
    REQUIRE(p.size() == 12);
    const Eigen::VectorXd found = p;
    double farthest = 0.0, worst = 0.0;
    for (int k = 0; k < 20; ++k) {
      for (Eigen::Index i = 0; i < p.size(); ++i) p[i] = h * g * uniform(random);
      SolidRun run(scene, fremond, h);
      run.integrator.restore(memory);
      run.steps(1);
      CHECK(run.all_certified);
      worst = std::max(worst, (run.state.v - first.state.v).lpNorm<Eigen::Infinity>());
      farthest = std::max(farthest, (run.integrator.contact().solution().p - found).norm());
    }
    CHECK(worst <= 1e-11 * h * g);  // of what a step gains, ten times the tolerance
    CHECK(farthest > 1e-3 * found.norm());
  }
}

TEST_CASE("dynamics/solids: a pebble that flies 0.3 in a step at a plate that is 0.02 thick") {
  const double h = 1e-3, speed = 300.0, length = 0.08;
  struct End {
    double tip, velocity;
  };
  // Upright, so that nothing makes it spin; its tip is 0.3 (2 + share) above the plate.
  const auto end = [&](double share, dynamics::Activation rule,
                       const dynamics::ThetaScheme& scheme) -> End {
    SolidScene scene(0.3, 0.0, 0.0);
    scene.solids.laws[0].activation = rule;
    scene.add(collision::box({1.0, 1.0, 0.02}), {0.0, 0.0, -0.01});
    scene.last().kind = dynamics::Solid::Kind::fixed;
    scene.add(collision::capsule(0.06, 0.01), {0.0, 0.0, 0.5 * length + h * speed * (2.0 + share)});
    scene.last().velocity = {0.0, 0.0, -speed};
    SolidRun run(scene, scheme, h);
    run.steps(12);
    return {run.place(1)[2] - 0.5 * length, run.velocity(1)[2]};
  };
  const dynamics::Activation dissipative = dynamics::Activation::dissipative,
                             predicted = dynamics::Activation::predicted_gap_and_velocity;
  for (double share = 0.05; share < 1.0; share += 0.1) {
    CAPTURE(share);
    const double on_its_way = h * speed * share;  // where the step begins that reaches the plate
    // Stopped where a step happens to begin with the pebble in the plate, and less than half out.
    const bool found = h * speed * (1.0 - share) < 0.5 * (length + 0.02);
    CHECK(end(share, dissipative, fremond).velocity ==
          doctest::Approx(found ? 0.0 : -speed).epsilon(1e-9));
    // Always stopped, but it still moves on with the mean of its velocities, into the plate or to
    // behind it.
    const End half = end(share, predicted, fremond);
    CHECK(std::abs(half.velocity) <= 1e-9 * speed);
    CHECK(half.tip == doctest::Approx(on_its_way - 0.5 * h * speed).epsilon(1e-9));
    // Stopped in front of the plate.
    const End whole = end(share, predicted, dynamics::moreau_jean(1.0));
    CHECK(std::abs(whole.velocity) <= 1e-9 * speed);
    CHECK(whole.tip == doctest::Approx(on_its_way).epsilon(1e-9));
  }
}

TEST_CASE("dynamics/solids: after its memory is handed on, every step has the same bits") {
  SolidScene scene(0.5, 0.3);
  scene.add_ground();
  for (int k = 0; k < 3; ++k) {
    scene.add(collision::box({0.5, 0.7, 0.4}), {0.1 * k, 0.05 * k, 0.4 + 0.5 * k});
    scene.last().spin = Vector3d(1.0, -2.0 * k, 1.0);
  }
  SolidRun run(scene, fremond, 2e-3, 1e-8);
  run.steps(150);
  SolidRun other(scene, fremond, 2e-3, 1e-8);
  other.state = run.state;
  other.integrator.restore(run.integrator.contact().memory());
  run.steps(150);
  other.steps(150);
  CHECK(std::memcmp(run.state.q.data(), other.state.q.data(),
                    sizeof(double) * static_cast<std::size_t>(run.state.q.size())) == 0);
  CHECK(std::memcmp(run.state.v.data(), other.state.v.data(),
                    sizeof(double) * static_cast<std::size_t>(run.state.v.size())) == 0);
}
