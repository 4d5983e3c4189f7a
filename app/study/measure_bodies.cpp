#include "app/study/measure_bodies.hpp"

#include "app/messages/user_error.hpp"
#include "app/results/read_solids.hpp"
#include "app/study/members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace slipwave::app {

namespace {

/// The states at the start and at the time of a quantity.
std::pair<SceneState, SceneState> start_and_then(const StudyQuantity& quantity,
                                                 const MemberResults& member,
                                                 std::size_t body_count) {
  const int step = member.c().step_nearest(time_of(quantity, member.c()));
  const std::vector<SceneState> states = read_bodies(member, body_count, {0, step});
  if (states.empty() || states.front().step != 0 || states.back().step != step)
    throw UserError(fmt::format("quantity \"{}\": {} has no rows of step 0 or of step {}",
                                quantity.name, (member.folder() / "bodies.csv").string(), step));
  return {states.front(), states.back()};
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
  if (what.when == BodyQuantity::When::at) {
    const auto [first, now] = start_and_then(quantity, member, scene.size());
    return figure_of(what.of, now.bodies[body], first.bodies[body]);
  }
  const std::vector<SceneState> states = read_bodies(member, scene.size());
  std::vector<double> values;
  for (const SceneState& state : states)
    values.push_back(figure_of(what.of, state.bodies[body], states.front().bodies[body]));
  return what.when == BodyQuantity::When::minimum ? *std::ranges::min_element(values)
                                                  : *std::ranges::max_element(values);
}

double value_of(const DisplacedQuantity& what, const StudyQuantity& quantity,
                const MemberResults& member) {
  const std::vector<SceneBody> scene = read_scene(member.folder());
  const auto [first, now] = start_and_then(quantity, member, scene.size());
  int count = 0;
  for (std::size_t i = 0; i < scene.size(); ++i)
    if (std::ranges::find(what.groups, scene[i].group) != what.groups.end())
      count += (now.bodies[i].place - first.bodies[i].place).norm() > what.by;
  return count;
}

}  // namespace slipwave::app
