#include "dynamics/solids/solids_integrator.hpp"

#include "dynamics/solids/spin.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>

#include <array>
#include <cassert>
#include <span>

namespace slipwave::dynamics {

namespace {

/// M of each free body.
std::vector<Eigen::MatrixXd> masses_of(const Solids& solids) {
  std::vector<Eigen::MatrixXd> masses;
  for (const Solid& body : solids.bodies) {
    if (body.kind != Solid::Kind::free) continue;
    Eigen::MatrixXd& M = masses.emplace_back(Eigen::MatrixXd::Zero(6, 6));
    M.diagonal().head<3>().setConstant(body.mass);
    M.bottomRightCorner<3, 3>() = body.inertia;
  }
  return masses;
}

/// Newton's method keeps a factor of a dense W.
contact::SolverOptions without_band(contact::SolverOptions options) {
  if (options.method == contact::Method::newton) options.method = contact::Method::automatic;
  return options;
}

/// A drive's velocities as a state has them.
Eigen::Matrix<double, 6, 1> velocities_of(const Solid& body, double t,
                                          const Eigen::Quaterniond& attitude) {
  Eigen::Matrix<double, 6, 1> v = Eigen::Matrix<double, 6, 1>::Zero();
  if (body.kind != Solid::Kind::driven) return v;
  const Twist twist = body.drive(t);
  v << twist.velocity, attitude.conjugate() * twist.spin;
  return v;
}

/// How often impulses and gyroscopic terms are found in turns. They contract by h|ω|.
constexpr int most_turns = 30;

}  // namespace

SolidsIntegrator::SolidsIntegrator(const Solids& solids, const ThetaScheme& scheme, double h,
                                   const contact::SolverOptions& solver)
    : solids_(solids),
      scheme_(scheme),
      h_(h),
      contacts_(solids),
      contact_(masses_of(solids), {scheme.law_theta, scheme.theta}, without_band(solver)),
      present_(solids.bodies.size(), 1) {
  assert(h > 0.0 && fault_of(solids).empty());
  int free = 0;
  for (const Solid& body : solids.bodies)
    number_.push_back(body.kind == Solid::Kind::free ? free++ : -1);
  for (Eigen::VectorXd* vector : {&v_next_, &v_theta_, &increments_, &v_0_, &impulses_})
    vector->setZero(v_of(solids.body_count()));
}

void SolidsIntegrator::start(State& state) const {
  for (int i = 0; i < solids_.body_count(); ++i) {
    const Eigen::Quaterniond attitude = attitude_in(state.q, i).normalized();
    state.q.segment<4>(q_of(i) + 3) << attitude.w(), attitude.vec();
    if (!is_free(i))
      state.v.segment<6>(v_of(i)) =
          velocities_of(solids_.bodies[static_cast<std::size_t>(i)], state.time(h_), attitude);
  }
}

/// vᵀMv of a free body.
double SolidsIntegrator::norm2(int i, const Eigen::VectorXd& v) const {
  const Solid& body = solids_.bodies[static_cast<std::size_t>(i)];
  const Eigen::Vector3d spin = v.segment<3>(v_of(i) + 3);
  return body.mass * v.segment<3>(v_of(i)).squaredNorm() + spin.dot(body.inertia * spin);
}

Energy SolidsIntegrator::energy(const State& state) const {
  Energy energy;
  for (int i = 0; i < solids_.body_count(); ++i)
    if (is_free(i)) energy.kinetic += 0.5 * norm2(i, state.v);
  return energy;
}

/// A body is born with the step that begins nearest to its time.
void SolidsIntegrator::see_who_is_present(const State& state) {
  for (std::size_t i = 0; i < present_.size(); ++i)
    present_[i] = state.time(h_) + 0.5 * h_ > solids_.bodies[i].birth;
}

/// The motion without contacts.
void SolidsIntegrator::move_freely(const State& state) {
  impulses_.setZero();
  find_velocities(state);
}

/// v_{k+1} and v_θ from the impulses, exactly.
void SolidsIntegrator::find_velocities(const State& state) {
  const double theta = scheme_.theta;
  for (int i = 0; i < solids_.body_count(); ++i) {
    const Solid& body = solids_.bodies[static_cast<std::size_t>(i)];
    const Eigen::Matrix<double, 6, 1> v = state.v.segment<6>(v_of(i));
    auto next = v_next_.segment<6>(v_of(i)), between = v_theta_.segment<6>(v_of(i));
    next = v;
    between = v;
    if (!is_free(i)) {
      next = velocities_of(body, state.time(h_, 1), attitude_in(state.q, i));
      between = (1.0 - theta) * v + theta * next;
    }
    if (!moves_freely(i)) continue;
    next.head<3>() += h_ * solids_.gravity + impulses_.segment<3>(v_of(i)) / body.mass;
    between.head<3>() = (1.0 - theta) * v.head<3>() + theta * next.head<3>();
    between.tail<3>() =
        spin_between(body.inertia, v.tail<3>(), impulses_.segment<3>(v_of(i) + 3), theta, h_);
    next.tail<3>() += (between.tail<3>() - v.tail<3>()) / theta;
  }
}

/// What contacts see of v_{k+1} − v_k beside W p: impulses act by M⁻¹, and all the rest is here.
void SolidsIntegrator::find_increments(const State& state) {
  increments_ = v_next_ - state.v;
  for (int i = 0; i < solids_.body_count(); ++i) {
    if (!moves_freely(i)) continue;
    const Solid& body = solids_.bodies[static_cast<std::size_t>(i)];
    increments_.segment<3>(v_of(i)) -= impulses_.segment<3>(v_of(i)) / body.mass;
    increments_.segment<3>(v_of(i) + 3) -=
        body.inertia.llt().solve(impulses_.segment<3>(v_of(i) + 3));
  }
}

void SolidsIntegrator::begin_contacts(const State& state) {
  const std::vector<SolidContact>& contacts = contacts_.find(state.q, state.v, h_, present_);
  laws_.clear();
  for (const SolidContact& contact : contacts)
    laws_.push_back({contact.key, solids_.laws[static_cast<std::size_t>(contact.law)]});
  const auto add_to = [&](contact::BodyDelassus& W) {
    for (const SolidContact& contact : contacts) {
      const std::array<int, 2> of{number_[static_cast<std::size_t>(contact.A)],
                                  number_[static_cast<std::size_t>(contact.B)]};
      if (of[0] < 0)
        W.add_contact<3>(std::span(&of[1], 1), &contact.H_B);
      else if (of[1] < 0)
        W.add_contact<3>(std::span(&of[0], 1), &contact.H_A);
      else
        W.add_contact<3>(of, std::array{contact.H_A, contact.H_B}.data());
    }
  };
  const auto at = [&](int a) -> const SolidContact& {
    return contacts[static_cast<std::size_t>(a)];
  };
  contact_.begin(
      laws_, add_to, [&](int a) { return at(a).gap; },
      [&](int a) { return at(a).velocity(state.v); }, h_);
}

/// Hᵀp.
void SolidsIntegrator::sum_impulses() {
  impulses_.setZero();
  for (const int a : contact_.active()) {
    const SolidContact& contact = contacts()[static_cast<std::size_t>(a)];
    const Eigen::Vector3d p = contact_.solution().p.segment<3>(3 * a);
    impulses_.segment<6>(v_of(contact.A)) += contact.H_A.transpose() * p;
    impulses_.segment<6>(v_of(contact.B)) += contact.H_B.transpose() * p;
  }
}

/// Impulses for the gyroscopic term that they cause: a fixed point. The certificate is of the
/// velocities that the impulses really lead to.
contact::SolverReport SolidsIntegrator::solve(const State& state) {
  const auto increment = [&](int a) {
    return contacts()[static_cast<std::size_t>(a)].velocity(increments_);
  };
  contact::SolverReport report;
  int iterations = 0;
  find_increments(state);
  contact_.form_problem(increment);
  for (int turn = 0; turn < most_turns; ++turn) {
    report = contact_.solve();
    iterations += report.iterations;
    report.iterations = iterations;
    if (!report.converged || contact_.active().empty()) break;
    sum_impulses();
    find_velocities(state);
    find_increments(state);
    contact_.form_problem(increment);
    report.residual = contact_.certify();
    report.converged = report.residual.worst() <= contact_.tolerance();
    if (report.converged) break;
  }
  return report;
}

StepReport SolidsIntegrator::advance(State& state) {
  assert(state.q.size() == q_of(solids_.body_count()) &&
         state.v.size() == v_of(solids_.body_count()));
  see_who_is_present(state);
  begin_contacts(state);
  move_freely(state);
  StepReport report;
  report.contact = solve(state);
  sum_impulses();
  find_velocities(state);
  move(state);
  report.energy = balance(state);
  static_cast<ContactFigures&>(report) = contact_.figures();
  return report;
}

/// Gaps are those of the step's beginning carried on by u_θ: exact to first order, as contacts
/// see them.
void SolidsIntegrator::move(State& state) {
  v_0_ = state.v;
  for (int i = 0; i < solids_.body_count(); ++i) {
    if (!present_[static_cast<std::size_t>(i)]) continue;
    const Eigen::Quaterniond q =
        turned_by_cayley(attitude_in(state.q, i), v_theta_.segment<3>(v_of(i) + 3), h_);
    state.q.segment<3>(q_of(i)) += h_ * v_theta_.segment<3>(v_of(i));
    state.q.segment<4>(q_of(i) + 3) << q.w(), q.vec();
  }
  state.v = v_next_;
  ++state.step;
  const auto velocity = [&](int a) {
    return contacts()[static_cast<std::size_t>(a)].velocity(v_theta_);
  };
  contact_.finish(
      [&](int a) { return contacts()[static_cast<std::size_t>(a)].gap + h_ * velocity(a)[0]; },
      velocity);
}

/// Δ(½ vᵀMv) = external + gyroscopic + numerical + Σ u_θ·p − v_θ·Hᵀp of driven bodies.
EnergyBalance SolidsIntegrator::balance(const State& state) {
  EnergyBalance result;
  Works& works = result.works;
  result.energy = energy(state);
  for (int i = 0; i < solids_.body_count(); ++i) {
    const auto between = v_theta_.segment<6>(v_of(i));
    if (!is_free(i)) works.prescribed -= between.dot(impulses_.segment<6>(v_of(i)));
    if (!moves_freely(i)) continue;
    const Solid& body = solids_.bodies[static_cast<std::size_t>(i)];
    const Eigen::Vector3d dv = (state.v - v_0_).segment<3>(v_of(i)),
                          dw = (state.v - v_0_).segment<3>(v_of(i) + 3),
                          v = (state.v + v_0_).segment<3>(v_of(i)),
                          w = (state.v + v_0_).segment<3>(v_of(i) + 3), w_theta = between.tail<3>();
    result.change += 0.5 * (body.mass * v.dot(dv) + w.dot(body.inertia * dw));
    works.external += h_ * body.mass * between.head<3>().dot(solids_.gravity);
    works.gyroscopic -= h_ * w_theta.dot(w_theta.cross(body.inertia * w_theta));
    works.numerical +=
        (0.5 - scheme_.theta) * (body.mass * dv.squaredNorm() + dw.dot(body.inertia * dw));
  }
  contact_.add_works(works.contact_normal, works.contact_tangential);
  return result;
}

}  // namespace slipwave::dynamics
