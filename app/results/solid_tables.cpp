#include "app/results/solid_tables.hpp"

#include "app/results/columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <iterator>
#include <vector>

namespace slipwave::app {

namespace {

using dynamics::Solid;
using dynamics::SolidContact;
using Eigen::Vector3d;

const char* name_of(Solid::Kind kind) {
  if (kind == Solid::Kind::fixed) return "fixed";
  return kind == Solid::Kind::driven ? "driven" : "free";
}

/// The sums over the points of a patch.
struct Joint {
  int A = 0, B = 0, points = 0, pushing = 0;
  double p_N = 0.0;
  Vector3d p = Vector3d::Zero(), moment = Vector3d::Zero();  // Σ p_N x

  void add(const SolidContact& contact, const Vector3d& impulse) {
    ++points;
    pushing += impulse[0] > 0.0 ? 1 : 0;
    p_N += impulse[0];
    p += contact.frame.transpose() * impulse;
    moment += impulse[0] * contact.point;
  }
};

/// Contacts of a pair of bodies are neighbours.
std::vector<Joint> joints_of(const dynamics::SolidsIntegrator& integrator) {
  const std::vector<SolidContact>& contacts = integrator.contacts();
  const Eigen::VectorXd& p = integrator.contact().solution().p;
  std::vector<Joint> joints;
  for (std::size_t a = 0; a < contacts.size(); ++a) {
    const SolidContact& contact = contacts[a];
    if (joints.empty() || joints.back().A != contact.A || joints.back().B != contact.B)
      joints.push_back({.A = contact.A, .B = contact.B});
    joints.back().add(contact, p.segment<3>(3 * static_cast<Eigen::Index>(a)));
  }
  return joints;
}

}  // namespace

const char* const bodies_header =
    "step,t,body,x,y,z,q_w,q_x,q_y,q_z,v_x,v_y,v_z,spin_1,spin_2,spin_3,kinetic\n";
const char* const joints_header = "step,t,body_A,body_B,F_N,F_x,F_y,F_z,x,y,z,points,compressed\n";

bool is_born(const Solid& body, double t, double h) { return t + 0.5 * h > body.birth; }

double kinetic_energy(const Solid& body, const Eigen::VectorXd& v, int number) {
  if (body.kind != Solid::Kind::free) return 0.0;
  const Vector3d velocity = v.segment<3>(dynamics::v_of(number)),
                 spin = v.segment<3>(dynamics::v_of(number) + 3);
  return 0.5 * (body.mass * velocity.squaredNorm() + spin.dot(body.inertia * spin));
}

std::string scene_table(const SolidsModel& model) {
  std::string table = "body,name,group,kind,mass,birth\n";
  for (std::size_t i = 0; i < model.scene().bodies.size(); ++i) {
    const BodyEntry& entry = model.scene().bodies[i];
    const Solid& body = model.solids().bodies[i];
    const bool is_free = body.kind == Solid::Kind::free;
    table += fmt::format("{},{},{},{},{},{}\n", i, cell_of(entry.name), cell_of(entry.group),
                         name_of(body.kind), is_free ? fmt::to_string(body.mass) : "",
                         std::isfinite(body.birth) ? fmt::to_string(body.birth) : "");
  }
  return table;
}

std::string body_rows(const dynamics::Solids& solids, const dynamics::State& state, double h) {
  const double t = state.time(h);
  fmt::memory_buffer rows;
  for (int i = 0; i < solids.body_count(); ++i) {
    const Solid& body = solids.bodies[static_cast<std::size_t>(i)];
    const bool moves = body.kind != Solid::Kind::fixed && is_born(body, t, h);
    if (!moves && state.step > 0) continue;
    fmt::format_to(std::back_inserter(rows), "{},{},{},{},{},{}\n", state.step, t, i,
                   fmt::join(state.q.segment<7>(dynamics::q_of(i)), ","),
                   fmt::join(state.v.segment<6>(dynamics::v_of(i)), ","),
                   kinetic_energy(body, state.v, i));
  }
  return fmt::to_string(rows);
}

std::string joint_rows(const dynamics::SolidsIntegrator& integrator, const dynamics::State& state) {
  const double h = integrator.h(), t = state.time(h);
  fmt::memory_buffer rows;
  for (const Joint& joint : joints_of(integrator)) {
    if (!(joint.p_N > 0.0)) continue;
    const Vector3d force = joint.p / h, centre = joint.moment / joint.p_N;
    fmt::format_to(std::back_inserter(rows), "{},{},{},{},{},{},{},{},{}\n", state.step, t, joint.A,
                   joint.B, joint.p_N / h, fmt::join(force, ","), fmt::join(centre, ","),
                   joint.points, static_cast<double>(joint.pushing) / joint.points);
  }
  return fmt::to_string(rows);
}

}  // namespace slipwave::app
