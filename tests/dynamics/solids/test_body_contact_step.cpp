#include "dynamics/solids/body_contact_step.hpp"

#include "dynamics/contact_step.hpp"

#include <doctest/doctest.h>

#include <array>
#include <span>

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using namespace slipwave;

namespace {

using Part = Eigen::Matrix<double, 3, 6>;

/// A body with contacts at three corners of a square, above an obstacle below it.
struct Table {
  MatrixXd M = VectorXd::LinSpaced(6, 2.0, 3.0).asDiagonal();
  std::vector<Part> H;

  Table() {
    for (const Vector3d& r : {Vector3d(1, 1, -1), Vector3d(-1, 1, -1), Vector3d(-1, -1, -1)}) {
      Part part;  // normal z, tangents x and y
      part << 0, 0, 1, r[1], -r[0], 0, 1, 0, 0, 0, r[2], -r[1], 0, 1, 0, -r[2], 0, r[0];
      H.push_back(part);
    }
  }
  VectorXd all_times(const VectorXd& v) const {
    VectorXd u(9);
    for (int a = 0; a < 3; ++a) u.segment<3>(3 * a) = H[static_cast<std::size_t>(a)] * v;
    return u;
  }
  MatrixXd W() const {
    MatrixXd rows(9, 6);
    for (int a = 0; a < 3; ++a) rows.middleRows<3>(3 * a) = H[static_cast<std::size_t>(a)];
    return rows * M.inverse() * rows.transpose();
  }
};

std::vector<dynamics::StepContact> contacts_with(const std::vector<contact::Key>& keys,
                                                 dynamics::ImpactLaw impact) {
  std::vector<dynamics::StepContact> contacts;
  for (const contact::Key key : keys) {
    dynamics::ContactLaw law;
    law.friction = contact::Coulomb{0.4};
    law.restitution = 0.3;
    law.gap_tolerance = 1e-9;
    law.impact = impact;
    contacts.push_back({key, law});
  }
  return contacts;
}

void begin(dynamics::BodyContactStep& step, const Table& table, const VectorXd& u,
           const std::vector<dynamics::StepContact>& contacts) {
  step.begin(
      contacts,
      [&](contact::BodyDelassus& W) {
        for (const Part& part : table.H) W.add_contact<3>(std::array{0}, &part);
      },
      [](int) { return 0.0; }, [&](int a) -> Vector3d { return u.segment<3>(3 * a); }, 1e-3);
}

}  // namespace

TEST_CASE("dynamics/body_contact_step: solves what ContactStep solves, with W never formed") {
  const Table table;
  const contact::SolverOptions options{contact::Method::automatic, 1e-12, 10000, 1.0};
  const VectorXd v = (VectorXd(6) << 0.5, -0.2, -1.0, 0.3, -0.4, 0.6).finished(),
                 dv = (VectorXd(6) << 0.0, 0.0, -0.1, 0.02, 0.0, -0.01).finished();
  const VectorXd u = table.all_times(v), du = table.all_times(dv);
  for (const dynamics::ImpactLaw impact :
       {dynamics::ImpactLaw::newton, dynamics::ImpactLaw::fremond}) {
    const auto contacts = contacts_with({4, 2, 9}, impact);
    const auto of = [](const VectorXd& x) {
      return [&x](int a) -> Vector3d { return x.segment<3>(3 * a); };
    };
    dynamics::BodyContactStep step({table.M}, {1.0, 0.5}, options);
    begin(step, table, u, contacts);
    step.form_problem(of(du));
    CHECK(step.solve().converged);

    dynamics::ContactStep dense(contacts, table.W(), {1.0, 0.5},
                                {contact::Method::nsgs, 1e-12, 100000, 1.0}, 3);
    dense.begin([](int) { return 0.0; }, of(u), 1e-3);
    dense.form_problem(of(du));
    CHECK(dense.solve().converged);
    // Impulses of a table are not unique, what they do is.
    const VectorXd moved = table.W() * step.solution().p, other = table.W() * dense.solution().p;
    CHECK((moved - other).norm() <= 1e-9 * other.norm());
    CHECK(other.norm() > 0.1);
  }
}

TEST_CASE("dynamics/body_contact_step: contacts that stay remember, new ones start anew") {
  const Table table;
  dynamics::BodyContactStep step({table.M}, {1.0, 0.5}, {});
  const VectorXd u = table.all_times(VectorXd::Constant(6, -0.5));
  begin(step, table, u, contacts_with({4, 2, 9}, dynamics::ImpactLaw::fremond));
  step.form_problem([](int) -> Vector3d { return Vector3d::Zero(); });
  REQUIRE(step.solve().converged);
  const VectorXd p = step.solution().p;
  REQUIRE(p.norm() > 0.0);
  const dynamics::ContactMemory memory = step.memory();
  begin(step, table, u, contacts_with({9, 7, 4}, dynamics::ImpactLaw::fremond));
  CHECK(step.solution().p.segment<3>(0) == p.segment<3>(6));
  CHECK(step.solution().p.segment<3>(3) == Vector3d::Zero());
  CHECK(step.solution().p.segment<3>(6) == p.segment<3>(0));

  dynamics::BodyContactStep other({table.M}, {1.0, 0.5}, {});
  other.restore(memory);
  begin(other, table, u, contacts_with({9, 7, 4}, dynamics::ImpactLaw::fremond));
  CHECK(other.solution().p == step.solution().p);
}
