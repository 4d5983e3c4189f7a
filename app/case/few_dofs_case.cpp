#include "app/case/few_dofs_case.hpp"

#include "app/case/contact_law.hpp"
#include "app/case/scheme_choice.hpp"
#include "app/case/toml_reader.hpp"
#include "app/messages/user_error.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace slipwave::app {

namespace {

using dynamics::Ball;
using dynamics::MassSpring;
using dynamics::RigidBodyData;

/// Of the body's size, as 1e-12 of the element size elsewhere.
constexpr double relative_gap_tolerance = 1e-12;

Eigen::Vector2d read_gravity(TableReader table) {
  const Eigen::Vector2d gravity{table.number("x", 0.0), table.number("y", 0.0)};
  table.finish();
  return gravity;
}

/// Friction may be a formula of the configuration.
void read_rigid_contact(TableReader table, const SchemeChoice& scheme, FewDofsCase& result,
                        RigidBodyData& data) {
  const auto formula = table.formula("friction", {"x", "y", "angle"});
  dynamics::ContactLaw law = read_coulomb_contact(table, scheme.impact, result.notes, !formula);
  law.gap_tolerance = relative_gap_tolerance * result.size;
  table.finish();
  data.laws.assign(data.contact_positions.size(), law);
  if (formula) data.friction = [mu = *formula](const Eigen::VectorXd& q) { return mu(q.data()); };
}

RigidBodyData read_rigid_body(TableReader& root, TableReader& table, const SchemeChoice& scheme,
                              FewDofsCase& result) {
  const double mass = table.positive("mass", 1.0);
  RigidBodyData data;
  if (result.kind == "stick") {
    result.size = table.positive("length", 1.0);
    const bool by_end = table.choice("placed_by", {"centre", "end"}, 0) == 1;
    data = dynamics::stick(mass, result.size, by_end);
  } else {
    const double width = table.positive("width", 1.0), height = table.positive("height", 1.0);
    result.size = std::max(width, height);
    data = dynamics::block(mass, width, height);
  }
  data.inertia = table.positive("inertia", data.inertia);
  data.gravity = read_gravity(root.table("gravity"));
  read_rigid_contact(root.table("contact"), scheme, result, data);
  return data;
}

Ball read_ball(TableReader& root, TableReader& table, const SchemeChoice& scheme,
               FewDofsCase& result) {
  Ball ball;
  ball.mass = table.positive("mass", 1.0);
  ball.radius = result.size = table.positive("radius", 0.5);
  ball.gravity = read_gravity(root.table("gravity"));
  TableReader contact = root.table("contact");
  ball.law = read_coulomb_contact(contact, scheme.impact, result.notes);
  ball.law.gap_tolerance = relative_gap_tolerance * ball.radius;
  ball.projection = contact.flag("projection", false);
  contact.finish();
  return ball;
}

MassSpring read_mass_spring(TableReader& root, TableReader& table, const SchemeChoice& scheme,
                            FewDofsCase& result) {
  MassSpring model;
  model.mass = table.positive("mass", 1.0);
  model.K_t = table.positive("K_t");
  model.W = table.number("W");
  model.K_n = table.positive("K_n");
  model.F_t = table.number("F_t");
  model.F_n = table.number("F_n");
  model.epsilon = table.number("epsilon", 0.0);
  if (const auto xi = table.expression("xi_t")) model.xi_t = xi->value;
  if (const auto xi = table.expression("xi_n")) model.xi_n = xi->value;
  result.size = table.positive("size", model.length_scale());
  if (model.W * model.W >= model.K_t * model.K_n)
    table.fail("W", "must be less than sqrt(K_t K_n) in size: the springs would not hold the mass");
  TableReader contact = root.table("contact");
  const dynamics::ContactLaw law = read_coulomb_contact(contact, scheme.impact, result.notes);
  model.friction = largest_friction(law.friction);
  model.restitution = law.restitution;
  model.impact = law.impact;
  model.activation = law.activation;
  model.projection = contact.flag("projection", true);
  contact.finish();
  return model;
}

void read_initial(TableReader table, int dofs, FewDofsCase& result) {
  result.position = table.numbers("position", dofs, Eigen::VectorXd::Zero(dofs));
  result.velocity = table.numbers("velocity", dofs, Eigen::VectorXd::Zero(dofs));
  table.finish();
}

/// The law of each model's contacts.
struct LawOf {
  dynamics::ContactLaw operator()(const RigidBodyData& data) const { return data.laws.front(); }
  dynamics::ContactLaw operator()(const Ball& ball) const { return ball.law; }
  dynamics::ContactLaw operator()(const MassSpring& model) const {
    return dynamics::make_system(model).contacts.front().law;
  }
};

}  // namespace

dynamics::ContactLaw contact_law(const FewDofsCase& few_dofs) {
  return std::visit(LawOf{}, few_dofs.model);
}

FewDofsCase read_few_dofs_case(TableReader& root, const SchemeChoice& scheme) {
  const std::vector<std::string> kinds{"stick", "block", "ball", "mass-spring"};
  TableReader table = root.table("system");
  FewDofsCase result;
  result.kind = kinds[table.choice("kind", kinds, std::nullopt)];
  const bool rigid = result.kind == "stick" || result.kind == "block";
  if (rigid && !std::holds_alternative<dynamics::ThetaScheme>(scheme.scheme))
    throw UserError(fmt::format(
        "{}: time.scheme = \"{}\" advances systems with constant matrices, and those of a {} "
        "change as it turns; choose moreau-jean or moreau-jean-fremond",
        root.file(), scheme.name, result.kind));
  if (rigid) result.model = read_rigid_body(root, table, scheme, result);
  if (result.kind == "ball") result.model = read_ball(root, table, scheme, result);
  if (result.kind == "mass-spring") result.model = read_mass_spring(root, table, scheme, result);
  table.finish();
  read_initial(root.table("initial"), rigid ? 3 : 2, result);
  return result;
}

}  // namespace slipwave::app
