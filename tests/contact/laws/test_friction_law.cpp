#include "contact/laws/friction_law.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace slipwave;
using contact::Coulomb;
using contact::FrictionStates;
using contact::FrictionStep;
using contact::StaticDynamic;
using contact::Status;

namespace {

constexpr double h = 0.1;

/// The friction of the step after each of these.
std::vector<double> frictions_after(FrictionStates& states, const std::vector<Status>& statuses) {
  std::vector<double> result;
  for (const Status status : statuses) {
    states.advance([&](int) { return FrictionStep{h, status, 1.0}; });
    result.push_back(states.frictions()[0]);
  }
  return result;
}

}  // namespace

TEST_CASE("contact/friction_law: Coulomb's friction is what it is and remembers nothing") {
  FrictionStates states({Coulomb(0.3), 0.7});
  CHECK(states.frictions() == Eigen::Vector2d(0.3, 0.7));
  CHECK(states.columns().empty());
  CHECK(frictions_after(states, {Status::sliding_forward, Status::open, Status::sticking}) ==
        std::vector<double>{0.3, 0.3, 0.3});
}

TEST_CASE("contact/friction_law: static where it stuck in the last step, dynamic where it slid") {
  FrictionStates states({StaticDynamic(0.6, 0.4, 0.0)});
  CHECK(states.frictions()[0] == 0.6);
  CHECK(frictions_after(states, {Status::sticking, Status::sliding_forward,
                                 Status::sliding_backward, Status::sticking, Status::open}) ==
        std::vector<double>{0.6, 0.4, 0.4, 0.6, 0.6});
}

TEST_CASE("contact/friction_law: heals after its time, counted from the last slip") {
  FrictionStates states({StaticDynamic(0.6, 0.4, 0.25)});
  CHECK(frictions_after(states, {Status::sliding_forward, Status::sticking, Status::sticking,
                                 Status::sticking, Status::sticking}) ==
        std::vector<double>{0.4, 0.4, 0.4, 0.6, 0.6});
}

TEST_CASE("contact/friction_law: what laws remember travels by name and by contact") {
  const StaticDynamic law(0.6, 0.4, 1.0);
  FrictionStates before({law, Coulomb(0.1), law});
  before.advance([](int a) {
    return FrictionStep{h, a == 0 ? Status::sliding_forward : Status::sticking, 0.0};
  });
  const contact::LawColumns columns = before.columns();
  REQUIRE(columns.size() == 1);
  CHECK(columns.at("static-dynamic.rest")[0] == 0.0);

  FrictionStates after({Coulomb(0.2), law, law});  // the old contacts 2 and 0, and a new one
  after.restore(columns, [](int a) { return a == 1 ? 2 : a == 2 ? 0 : -1; });
  CHECK(after.frictions() == Eigen::Vector3d(0.2, 0.6, 0.4));
  after.restore({}, [](int a) { return a; });
  CHECK(after.frictions() == Eigen::Vector3d(0.2, 0.6, 0.6));
}

TEST_CASE("contact/friction_law: the table names each law once, makes it, and needs no more") {
  std::set<std::string> names;
  for (const contact::FrictionLawEntry& entry : contact::friction_laws()) {
    CHECK(names.insert(entry.name).second);
    const contact::FrictionLaw law = entry.make(std::vector<double>(entry.parameters.size(), 0.25));
    CHECK(contact::largest_friction(law) == 0.25);
    CHECK(std::visit([](const auto& l) { return std::string(l.name); }, law) == entry.name);
  }
  CHECK(names.size() == std::variant_size_v<contact::FrictionLaw>);
}
