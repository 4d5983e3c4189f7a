#include "app/study/measure_bodies.hpp"

#include "app/messages/user_error.hpp"
#include "app/results/read_solids.hpp"
#include "app/study/members.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slipwave::app {

namespace {

/// All rows of bodies.csv, the first of which has every body.
std::vector<SceneState> all_states(const MemberResults& member, std::size_t body_count) {
  std::vector<int> steps;
  const Columns columns = member.columns_of("bodies.csv");
  for (const double step : columns.at("step"))
    if (steps.empty() || steps.back() != static_cast<int>(step))
      steps.push_back(static_cast<int>(step));
  return read_bodies(member, body_count, steps);
}

const SceneState& state_at(const std::vector<SceneState>& states, const StudyQuantity& quantity,
                           const MemberResults& member) {
  const int step = member.c().step_nearest(time_of(quantity, member.c()));
  const auto found = std::ranges::find(states, step, &SceneState::step);
  if (found == states.end())
    throw UserError(fmt::format("quantity \"{}\": {} has no row of step {}", quantity.name,
                                (member.folder() / "bodies.csv").string(), step));
  return *found;
}

double figure_of(BodyQuantity::Of of, const BodyState& now, const BodyState& first) {
  switch (of) {
    case BodyQuantity::Of::x:
      return now.place.x();
    case BodyQuantity::Of::y:
      return now.place.y();
    case BodyQuantity::Of::z:
      return now.place.z();
    case BodyQuantity::Of::distance:
      return (now.place - first.place).norm();
    case BodyQuantity::Of::speed:
      return now.speed;
  }
  return 0.0;
}

}  // namespace

double value_of(const BodyQuantity& what, const StudyQuantity& quantity,
                const MemberResults& member) {
  const std::vector<SceneBody> scene = read_scene(member.folder());
  const auto found = std::ranges::find(scene, what.body, &SceneBody::name);
  if (found == scene.end())
    throw UserError(fmt::format("quantity \"{}\": no body \"{}\" in {}", quantity.name, what.body,
                                (member.folder() / "scene.csv").string()));
  const auto body = static_cast<std::size_t>(found - scene.begin());
  const std::vector<SceneState> states = all_states(member, scene.size());
  const auto value = [&](const SceneState& state) {
    return figure_of(what.of, state.bodies[body], states.front().bodies[body]);
  };
  if (what.when == BodyQuantity::When::at) return value(state_at(states, quantity, member));
  const auto [least, largest] = std::ranges::minmax(states, {}, value);
  return what.when == BodyQuantity::When::minimum ? value(least) : value(largest);
}

double value_of(const DisplacedQuantity& what, const StudyQuantity& quantity,
                const MemberResults& member) {
  const std::vector<SceneBody> scene = read_scene(member.folder());
  const std::vector<SceneState> states = all_states(member, scene.size());
  const SceneState& now = state_at(states, quantity, member);
  int count = 0;
  for (std::size_t i = 0; i < scene.size(); ++i)
    if (std::ranges::find(what.groups, scene[i].group) != what.groups.end())
      count += (now.bodies[i].place - states.front().bodies[i].place).norm() > what.by;
  return count;
}

}  // namespace slipwave::app
