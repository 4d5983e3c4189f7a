#include "app/solve/file_problem.hpp"

#include "contact/fclib/write_fclib.hpp"

#include <doctest/doctest.h>
#include <unistd.h>
#include <Eigen/LU>

#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <string>

using namespace slipwave;
using contact::Method;
using contact::StoredGlobalProblem;
using contact::StoredProblem;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// A file that goes at the end.
struct File {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("slipwave_solve_" + std::to_string(getpid()));
  ~File() { std::filesystem::remove(path); }
};

/// Boxes of unit size in a pile on the ground, each on the four corners of the one below: twelve
/// impulses for six velocities at every joint.
StoredGlobalProblem pile(int boxes, double skew) {
  StoredGlobalProblem problem;
  problem.dimension = 3;
  const int n = 6 * boxes, contacts = 4 * boxes;
  MatrixXd M = MatrixXd::Zero(n, n), H = MatrixXd::Zero(n, 3 * contacts);
  for (int i = 0; i < boxes; ++i) {
    M.block<3, 3>(6 * i, 6 * i) = 2.0 * Eigen::Matrix3d::Identity();
    M.block<3, 3>(6 * i + 3, 6 * i + 3) = Eigen::Vector3d(0.3, 0.35, 0.4).asDiagonal();
    M(6 * i + 3, 6 * i + 4) = skew;
    M(6 * i + 4, 6 * i + 3) = -skew;
    for (int corner = 0; corner < 4; ++corner) {
      const double x = corner % 2 == 0 ? -0.5 : 0.5, y = corner < 2 ? -0.5 : 0.5;
      const int column = 3 * (4 * i + corner);
      for (const int side : {0, 1}) {  // of the upper box, then of the lower one
        if (i - side < 0) continue;
        const double z = side == 0 ? -0.5 : 0.5, sign = side == 0 ? 1.0 : -1.0;
        MatrixXd rows(3, 6);        // velocity at (x, y, z): v + omega x r, normal first
        rows << 0, 0, 1, y, -x, 0,  //
            1, 0, 0, 0, z, -y,      //
            0, 1, 0, -z, 0, x;
        H.block(6 * (i - side), column, 6, 3) = sign * rows.transpose();
      }
    }
  }
  problem.M = M.sparseView();
  problem.H = H.sparseView();
  VectorXd v = VectorXd::Zero(n);
  for (int i = 0; i < boxes; ++i) v.segment<6>(6 * i) << 0.02, 0.0, -0.1, 0.01, 0.0, 0.03 * i;
  problem.f = M * v;
  problem.w = VectorXd::Zero(3 * contacts);
  problem.mu = VectorXd::Constant(contacts, 0.5);
  return problem;
}

/// The same by dense algebra.
StoredProblem condensed_densely(const StoredGlobalProblem& global) {
  const MatrixXd inverse = MatrixXd(global.M).inverse();
  StoredProblem local;
  local.dimension = global.dimension;
  local.W = MatrixXd(global.H.transpose() * inverse * global.H).sparseView(1.0, 1e-13);
  local.b = global.H.transpose() * (inverse * global.f) + global.w;
  local.mu = global.mu;
  return local;
}

}  // namespace

TEST_CASE("app/solve/mass_factor: W and b of a global problem, M symmetric or not") {
  for (const double skew : {0.0, 0.05}) {
    CAPTURE(skew);
    const StoredGlobalProblem global = pile(3, skew);
    const StoredProblem expected = condensed_densely(global),
                        found = app::MassFactor(global).condensed(global);
    CHECK(MatrixXd(found.W - expected.W).norm() <= 1e-12 * expected.W.norm());
    CHECK((found.b - expected.b).norm() <= 1e-12 * expected.b.norm());
    CHECK((contact::skewness(found.W) > 1e-4) == (skew > 0.0));
  }
  StoredGlobalProblem singular = pile(2, 0.1);
  for (int j = 0; j < 12; ++j) singular.M.coeffRef(0, j) = 0.0;
  CHECK_THROWS_AS(app::MassFactor{singular}, std::invalid_argument);
}

TEST_CASE("app/solve/scaling: a power of two and back changes no digit") {
  StoredProblem huge = condensed_densely(pile(1, 0.0));
  CHECK_FALSE(app::Scaling(huge).is_needed());
  huge.W *= 1e110;
  huge.b *= 1e-110;
  const app::Scaling scaling(huge);
  CHECK(scaling.is_needed());
  const StoredProblem scaled = scaling.scaled(huge);
  CHECK(scaled.W.coeffs().abs().maxCoeff() < 2.0);
  CHECK(scaled.b.cwiseAbs().maxCoeff() >= 1.0);
  contact::Solution solution(4, 3);
  solution.p.setLinSpaced(1.0, 2.0);
  solution.w = 3.0 * solution.p;
  const contact::Solution back = scaling.taken_back(solution);
  CHECK(scaling.scaled_p(back.p) == solution.p);
  CHECK(back.w[5] == std::ldexp(solution.w[5], -scaling.b()));
}

TEST_CASE("app/solve/file_problem: bodies, their W, and a dense W have the same motion") {
  const File file;
  for (const double skew : {0.0, 0.05}) {
    CAPTURE(skew);
    const StoredGlobalProblem global = pile(3, skew);
    contact::write_global_problem(file.path, global);
    const app::FileProblem bodies = app::read_problem(file.path, Method::automatic, false);
    CHECK(std::holds_alternative<contact::BodyProblem>(bodies.problem));
    CHECK(bodies.rank == 18);  // of 36 rows
    CHECK((bodies.skewness > 1e-4) == (skew > 0.0));
    const StoredProblem local = condensed_densely(global);
    contact::write_local_problem(file.path, local);
    const app::FileProblem sparse = app::read_problem(file.path, Method::automatic, false);
    CHECK(std::holds_alternative<contact::SparseProblem>(sparse.problem));
    CHECK(sparse.rank == 18);
    for (const Method method :
         {Method::automatic, Method::proximal_newton, Method::interior_point}) {
      CAPTURE(contact::name_of(method));
      const app::Solved a = app::solve(bodies, {.method = method, .tolerance = 1e-9}),
                        b = app::solve(sparse, {.method = method, .tolerance = 1e-9});
      CHECK(a.report.converged);
      CHECK(b.report.converged);
      CHECK((a.solution.w - b.solution.w).norm() <= 1e-6 * local.b.norm());
      CHECK(app::residual_of(sparse, a.solution.p).worst() <= 1e-7);
      CHECK(app::residual_of(bodies, 2.0 * a.solution.p).worst() > 1e-2);
    }
  }
}

TEST_CASE("app/solve/file_problem: newton gets a band, whatever the file") {
  const File file;
  contact::write_global_problem(file.path, pile(1, 0.0));
  const app::FileProblem problem = app::read_problem(file.path, Method::newton, false);
  CHECK(std::holds_alternative<contact::Problem>(problem.problem));
  CHECK(problem.contact_count() == 4);
  CHECK(problem.dimension() == 3);
}

TEST_CASE("app/solve/file_problem: a body in several pieces of M is condensed") {
  const File file;
  StoredGlobalProblem global = pile(2, 0.0);
  global.M.coeffRef(0, 6) = global.M.coeffRef(6, 0) = 0.3;  // couples the boxes
  contact::write_global_problem(file.path, global);
  const app::FileProblem problem = app::read_problem(file.path, Method::automatic, false);
  CHECK(std::holds_alternative<contact::SparseProblem>(problem.problem));
  CHECK(app::solve(problem, {.tolerance = 1e-9}).report.converged);
}
