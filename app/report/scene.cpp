#include "app/report/scene.hpp"

#include "app/messages/user_error.hpp"
#include "app/report/packed.hpp"
#include "app/results/read_solids.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace slipwave::app {

namespace {

using Eigen::Vector3d;

void append(std::vector<float>& values, const Vector3d& vector) {
  for (const double value : vector) values.push_back(static_cast<float>(value));
}

/// Whether two surfaces are one to the sixth digit.
bool are_alike(const Surface& a, const Surface& b) {
  if (a.points.size() != b.points.size() || a.faces != b.faces) return false;
  for (std::size_t i = 0; i < a.points.size(); ++i)
    if ((a.points[i] - b.points[i]).norm() > 1e-6 * a.points[i].norm()) return false;
  return true;
}

/// The points, and each face as its number of points and then these.
Json shape_table(const Surface& surface) {
  std::vector<float> points;
  std::vector<std::uint32_t> faces;
  for (const Vector3d& point : surface.points) append(points, point);
  for (const std::vector<int>& face : surface.faces) {
    faces.push_back(static_cast<std::uint32_t>(face.size()));
    faces.insert(faces.end(), face.begin(), face.end());
  }
  return Json{{"points", packed(points)}, {"faces", packed(faces)}};
}

/// Every shape once, and which of them each body has.
void add_shapes(const std::vector<Surface>& surfaces, Json& scene) {
  std::vector<const Surface*> shapes;
  std::vector<int> of_bodies;
  for (const Surface& surface : surfaces) {
    const auto found = std::find_if(shapes.begin(), shapes.end(),
                                    [&](const Surface* s) { return are_alike(*s, surface); });
    of_bodies.push_back(static_cast<int>(found - shapes.begin()));
    if (found == shapes.end()) shapes.push_back(&surface);
  }
  scene["shapes"] = Json::array();
  for (const Surface* shape : shapes) scene["shapes"].push_back(shape_table(*shape));
  scene["shape"] = of_bodies;
}

void add_bodies(const std::vector<SceneBody>& bodies, Json& scene) {
  for (const char* name : {"names", "group", "fixed", "birth"}) scene[name] = Json::array();
  std::vector<std::string> groups;
  for (const SceneBody& body : bodies) {
    const auto found = std::find(groups.begin(), groups.end(), body.group);
    scene["names"].push_back(body.name);
    scene["group"].push_back(found - groups.begin());
    scene["fixed"].push_back(body.fixed);
    scene["birth"].push_back(std::isfinite(body.birth) ? Json(body.birth) : Json(nullptr));
    if (found == groups.end()) groups.push_back(body.group);
  }
  scene["groups"] = groups;
}

/// Frame by frame, body by body: all bodies, so that the page needs no second list.
void add_motion(const std::vector<SceneState>& states, Json& scene) {
  constexpr double levels = 32767.0;
  std::vector<double> t;
  std::vector<float> place, speed, kinetic;
  std::vector<std::int16_t> attitude;
  for (const SceneState& state : states) {
    t.push_back(state.t);
    for (const BodyState& body : state.bodies) {
      append(place, body.place);
      for (const double value :
           {body.attitude.x(), body.attitude.y(), body.attitude.z(), body.attitude.w()})
        attitude.push_back(static_cast<std::int16_t>(std::lround(levels * value)));
      speed.push_back(static_cast<float>(body.speed));
      kinetic.push_back(static_cast<float>(body.kinetic));
    }
  }
  scene["t"] = packed(t);
  scene["place"] = packed(place);
  scene["attitude"] = packed(attitude);
  scene["speed"] = packed(speed);
  scene["kinetic"] = packed(kinetic);
}

/// Of each frame how many forces, then all of them: where they act on the first body, and what they
/// are.
void add_joints(const std::vector<std::vector<JointForce>>& joints, Json& scene) {
  std::vector<std::uint32_t> counts;
  std::vector<float> places, forces;
  for (const std::vector<JointForce>& of_frame : joints) {
    counts.push_back(static_cast<std::uint32_t>(of_frame.size()));
    for (const JointForce& joint : of_frame) {
      append(places, joint.place);
      append(forces, joint.force);
    }
  }
  scene["joint_counts"] = packed(counts);
  scene["joint_places"] = packed(places);
  scene["joint_forces"] = packed(forces);
}

/// The steps of frames, evenly spread, the first and the last among them.
std::vector<int> pick(const std::vector<FrameEntry>& frames, std::size_t most) {
  const std::size_t count = std::min(frames.size(), most);
  std::vector<int> steps;
  for (std::size_t k = 0; k < count; ++k)
    steps.push_back(frames[k * (frames.size() - 1) / std::max<std::size_t>(count - 1, 1)].step);
  return steps;
}

}  // namespace

Json scene_of(const RunResults& run, const SceneBudget& budget) {
  const std::vector<SceneBody> bodies = read_scene(run.folder());
  const std::size_t most = std::clamp<std::size_t>(budget.poses / bodies.size(), 2, budget.frames);
  const std::vector<FrameEntry> frames = run.frames();
  const std::vector<SceneState> states = read_bodies(run, bodies.size(), pick(frames, most));
  if (states.empty() || states.front().step != frames.front().step)
    throw UserError((run.folder() / "bodies.csv").string() + ": does not have the step of " +
                    frames.front().file.string());
  Json scene;
  scene["frames"] = static_cast<int64_t>(frames.size());
  add_bodies(bodies, scene);
  add_shapes(read_surfaces(frames.front().file, states.front()), scene);
  add_motion(states, scene);
  add_joints(read_joints(run, states, budget.joint_forces), scene);
  return scene;
}

}  // namespace slipwave::app
