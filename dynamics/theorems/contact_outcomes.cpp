#include "dynamics/theorems/contact_outcomes.hpp"

#include "contact/laws/coulomb2d.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>

namespace slipwave::dynamics {

namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double tolerance = 1e-12;  // what counts as zero at the configuration studied

/// u_N (row 0) or u_T (row 1), zero if it is round-off of its terms: a tangential contact is no
/// collision, and a sticking one does not slide.
double component(const ContactAt& contact, int row, const VectorXd& u) {
  const double value = contact.H.row(row).dot(u);
  const double terms = contact.H.row(row).cwiseAbs().dot(u.cwiseAbs());
  return std::abs(value) <= 4.0 * std::numeric_limits<double>::epsilon() * terms ? 0.0 : value;
}

Vector2d velocity(const ContactAt& contact, const VectorXd& u) {
  return {component(contact, 0, u), component(contact, 1, u)};
}

/// The impulse p̃ after which a contact with u_N⁻ = 0 sticks, −W⁻¹(0, u_T⁻); zero if it would have
/// to pull. It is in the cone if γ <= 0, on its edge if γ = 0.
Vector2d sticking_impulse(const ContactAt& contact, const VectorXd& u_minus) {
  const Eigen::Matrix2d& W = contact.W;
  const double u_T = component(contact, 1, u_minus);
  if (u_T * W(0, 1) <= 0.0) return Vector2d::Zero();
  return u_T / W.determinant() * Vector2d(W(0, 1), -W(0, 0));
}

/// A point by its place along a segment and its squared distance from the line.
struct PlacedPoint {
  double place, height2;
};

/// The square of the distance of a place x of the line to the points is the least of the parabolas
/// (x − place)² + height². They have one shape, so that two of them meet once. Leaves those that
/// are the least somewhere and returns where each begins to be.
std::vector<double> keep_lowest(std::vector<PlacedPoint>& points) {
  std::sort(points.begin(), points.end(), [](const PlacedPoint& a, const PlacedPoint& b) {
    return a.place < b.place || (a.place == b.place && a.height2 > b.height2);
  });
  const auto meeting = [](const PlacedPoint& a, const PlacedPoint& b) {
    if (a.place == b.place) return -infinity;
    return 0.5 * (a.place + b.place + (b.height2 - a.height2) / (b.place - a.place));
  };
  std::vector<PlacedPoint> lowest;
  std::vector<double> starts;
  for (const PlacedPoint& point : points) {
    while (!lowest.empty() && meeting(lowest.back(), point) <= starts.back()) {
      lowest.pop_back();
      starts.pop_back();
    }
    starts.push_back(lowest.empty() ? -infinity : meeting(lowest.back(), point));
    lowest.push_back(point);
  }
  points = std::move(lowest);
  return starts;
}

/// The largest distance of a place between 0 and `length` to the points: where two parabolas meet,
/// or at an end.
double farthest_place(std::vector<PlacedPoint> points, double length) {
  std::vector<double> starts = keep_lowest(points);
  starts.push_back(infinity);
  double largest2 = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (starts[i + 1] < 0.0 || starts[i] > length) continue;
    for (const double x : {std::max(starts[i], 0.0), std::min(starts[i + 1], length)})
      largest2 = std::max(largest2, std::pow(x - points[i].place, 2) + points[i].height2);
  }
  return std::sqrt(largest2);
}

OutcomeRow row_of(double epsilon, const std::vector<VectorXd>& outcomes, const OutcomeStudy& study,
                  bool segment) {
  const Excesses ends = excesses_from_ends(outcomes, study.u_minus, study.u_tilde);
  const Excesses limit =
      segment ? excesses_from_segment(outcomes, study.u_minus, study.u_tilde) : ends;
  return {epsilon, limit.of_points, limit.from_points, std::max(ends.of_points, ends.from_points)};
}

/// Unit vectors along the axes and half-way between any two of them.
std::vector<VectorXd> directions(Eigen::Index size) {
  std::vector<VectorXd> all;
  for (Eigen::Index i = 0; i < size; ++i)
    for (const double sign : {1.0, -1.0}) {
      all.push_back(sign * VectorXd::Unit(size, i));
      for (Eigen::Index j = 0; j < i; ++j)
        for (const double other : {1.0, -1.0})
          all.push_back(std::sqrt(0.5) *
                        (sign * VectorXd::Unit(size, i) + other * VectorXd::Unit(size, j)));
    }
  return all;
}

/// The centre and points of the ball of radius 1 around 0.
std::vector<VectorXd> ball(Eigen::Index size) {
  std::vector<VectorXd> points{VectorXd::Zero(size)};
  for (const double radius : {1.0 / 4096.0, 1.0 / 64.0, 0.25, 1.0})
    for (const VectorXd& direction : directions(size)) points.push_back(radius * direction);
  return points;
}

/// The velocity nearest to u that has a given normal component.
VectorXd with_normal_velocity(const ContactAt& contact, const VectorXd& u, double u_N) {
  const auto normal = contact.H.row(0);
  return u + (u_N - component(contact, 0, u)) / normal.squaredNorm() * normal.transpose();
}

/// Samples the balls around one configuration and velocity.
class Sampler {
 public:
  Sampler(const FewDofsSystem& system, const VectorXd& q, const VectorXd& u_minus)
      : system_(system), q_(q), u_minus_(u_minus), ball_(ball(q.size())) {}

  /// The contact at points of B(q, ε).
  std::vector<ContactAt> contacts(double epsilon) const;
  /// Adds to the outcomes those from all over B(u⁻, ε), with as many directed velocities as given.
  void add_outcomes(const std::vector<ContactAt>& contacts, double epsilon, int directed,
                    std::vector<VectorXd>& outcomes) const;

 private:
  void add_around(const ContactAt& contact, double epsilon, std::vector<VectorXd>& outcomes) const;
  bool add_directed(const ContactAt& contact, double epsilon, int count,
                    std::vector<VectorXd>& outcomes) const;

  const FewDofsSystem& system_;
  const VectorXd &q_, &u_minus_;
  std::vector<VectorXd> ball_;
};

std::vector<ContactAt> Sampler::contacts(double epsilon) const {
  std::vector<ContactAt> all;
  for (const VectorXd& point : ball_) all.push_back(contact_at(system_, q_ + epsilon * point));
  return all;
}

void Sampler::add_around(const ContactAt& contact, double epsilon,
                         std::vector<VectorXd>& outcomes) const {
  for (const VectorXd& point : ball_)
    outcomes.push_back(discrete_contact_law(contact, u_minus_ + epsilon * point));
  const VectorXd normal = contact.H.row(0).transpose().normalized();
  for (int decade = 0; decade <= 6; ++decade)
    for (const double sign : {1.0, -1.0})
      outcomes.push_back(discrete_contact_law(
          contact, u_minus_ + sign * epsilon * std::pow(10.0, -decade) * normal));
}

/// The velocities of the proof of [P15, Theorem 1] at a point with γ > 0 that are in the ball;
/// returns whether all are.
bool Sampler::add_directed(const ContactAt& contact, double epsilon, int count,
                           std::vector<VectorXd>& outcomes) const {
  const double u_N = -contact.gamma() * sticking_impulse(contact, u_minus_)[0];
  if (u_N == 0.0) return false;
  bool all_inside = true;
  for (int i = 0; i < count; ++i) {
    const VectorXd u = with_normal_velocity(contact, u_minus_, (i + 0.5) / count * u_N);
    const bool inside = (u - u_minus_).norm() <= epsilon;
    if (inside) outcomes.push_back(discrete_contact_law(contact, u));
    all_inside = all_inside && inside;
  }
  return all_inside;
}

void Sampler::add_outcomes(const std::vector<ContactAt>& contacts, double epsilon, int directed,
                           std::vector<VectorXd>& outcomes) const {
  constexpr int few = 16;
  const ContactAt* best = nullptr;  // the largest γ: round-off of u_N is divided by it
  for (const ContactAt& near : contacts) {
    add_around(near, epsilon, outcomes);
    if (!near.closed() || !near.is_regular()) continue;
    const bool all_inside = add_directed(near, epsilon, few, outcomes);
    if (all_inside && (!best || near.gamma() > best->gamma())) best = &near;
  }
  if (best) add_directed(*best, epsilon, directed, outcomes);
}

OutcomeCase classify(const ContactAt& contact, const VectorXd& q, const VectorXd& u) {
  const auto normal = contact.H.row(0);
  if (contact.gap > contact.gap_tolerance + tolerance * (1.0 + q.norm()))
    return OutcomeCase::no_contact;
  if (std::abs(normal.dot(u)) > tolerance * normal.norm() * u.norm())
    return OutcomeCase::not_tangential;
  if (contact.is_paradoxical()) return OutcomeCase::paradoxical;
  return contact.is_regular() ? OutcomeCase::regular : OutcomeCase::critical_throughout;
}

/// Whether γ > 0 at one of the points where the obstacle is touched or entered.
bool some_regular(const std::vector<ContactAt>& contacts) {
  return std::any_of(contacts.begin(), contacts.end(),
                     [](const ContactAt& near) { return near.closed() && near.is_regular(); });
}

/// The power of ε with which the distance falls from the middle of the rows to the last.
double observed_order(const std::vector<OutcomeRow>& rows) {
  const OutcomeRow &middle = rows[(rows.size() - 1) / 2], &last = rows.back();
  if (last.distance() == 0.0) return infinity;
  return std::log(middle.distance() / last.distance()) / std::log(middle.epsilon / last.epsilon);
}

void check(const OutcomeOptions& options) {
  const std::vector<double>& radii = options.radii;
  const bool falling =
      std::adjacent_find(radii.begin(), radii.end(), std::less_equal<>()) == radii.end();
  if (radii.size() < 2 || !falling || !(radii.back() > 0.0))
    throw std::invalid_argument("outcomes are sampled for two or more falling radii > 0");
}

int directed_count(const OutcomeOptions& options, double epsilon) {
  return static_cast<int>(std::ceil(std::min(options.directed / epsilon, 1e6)));
}

/// Fills the rows; returns whether γ > 0 near q, as far as that is seen, for every ε.
bool sample_rows(const FewDofsSystem& system, const VectorXd& q, const OutcomeOptions& options,
                 bool segment, OutcomeStudy& study) {
  const Sampler sampler(system, q, study.u_minus);
  bool regular_nearby = true;
  for (const double epsilon : options.radii) {
    const std::vector<ContactAt> contacts = sampler.contacts(epsilon);
    regular_nearby = regular_nearby && some_regular(contacts);
    std::vector<VectorXd> outcomes;
    sampler.add_outcomes(contacts, epsilon, directed_count(options, epsilon), outcomes);
    study.rows.push_back(row_of(epsilon, outcomes, study, segment));
  }
  return regular_nearby;
}

}  // namespace

double ContactAt::gamma() const { return W(0, 0) - mu * std::abs(W(0, 1)); }

bool ContactAt::is_critical() const { return std::abs(gamma()) <= tolerance * W(0, 0); }

ContactAt contact_at(const FewDofsSystem& system, const VectorXd& q) {
  if (system.contact_count() != 1)
    throw std::invalid_argument("the outcomes of a contact are studied for systems with one");
  const int n = system.dof_count();
  ContactAt contact;
  VectorXd gap(1);
  Eigen::MatrixXd M(n, n);
  contact.H.resize(2, n);
  system.gaps(q, gap);
  system.inertia(q, M);
  system.directions(q, contact.H);
  contact.gap = gap[0];
  contact.gap_tolerance = system.contacts()[0].gap_tolerance;
  contact.mu = system.friction(0, q);
  contact.response = M.llt().solve(contact.H.transpose());
  contact.W = contact.H * contact.response;
  if (!(contact.W(0, 0) > 0.0 && contact.W.determinant() > 0.0))
    throw std::invalid_argument("the two directions of the contact are not independent");
  return contact;
}

VectorXd discrete_contact_law(const ContactAt& contact, const VectorXd& u_minus) {
  const Vector2d c = velocity(contact, u_minus);
  if (!contact.closed() || c[0] >= 0.0) return u_minus;
  const Vector2d p = contact::solve_local(contact.W, c, contact.mu, contact::Status::sticking).p;
  return u_minus + contact.response * p;
}

Excesses excesses_from_ends(const std::vector<VectorXd>& points, const VectorXd& a,
                            const VectorXd& b) {
  double to_a = infinity, to_b = infinity, farthest = 0.0;
  for (const VectorXd& point : points) {
    const double from_a = (point - a).norm(), from_b = (point - b).norm();
    to_a = std::min(to_a, from_a);
    to_b = std::min(to_b, from_b);
    farthest = std::max(farthest, std::min(from_a, from_b));
  }
  return {farthest, std::max(to_a, to_b)};
}

Excesses excesses_from_segment(const std::vector<VectorXd>& points, const VectorXd& a,
                               const VectorXd& b) {
  const double length = (b - a).norm();
  if (length == 0.0) return excesses_from_ends(points, a, b);
  const VectorXd along = (b - a) / length;
  std::vector<PlacedPoint> placed;
  placed.reserve(points.size());
  double farthest2 = 0.0;
  for (const VectorXd& point : points) {
    const double place = along.dot(point - a);
    const double height2 = (point - a - place * along).squaredNorm();
    const double outside = place - std::clamp(place, 0.0, length);
    farthest2 = std::max(farthest2, height2 + outside * outside);
    placed.push_back({place, height2});
  }
  return {std::sqrt(farthest2), farthest_place(std::move(placed), length)};
}

VectorXd tangential_projection(const ContactAt& contact, const VectorXd& u_minus) {
  if (contact.is_regular()) return u_minus;
  return u_minus + contact.response * sticking_impulse(contact, u_minus);
}

OutcomeStudy sample_outcomes(const FewDofsSystem& system, const VectorXd& q,
                             const VectorXd& u_minus, const OutcomeOptions& options) {
  check(options);
  OutcomeStudy study;
  study.contact = contact_at(system, q);
  study.u = velocity(study.contact, u_minus);
  study.u_minus = u_minus;
  study.u_tilde = tangential_projection(study.contact, u_minus);
  study.kind = classify(study.contact, q, u_minus);
  if (study.kind == OutcomeCase::no_contact || study.kind == OutcomeCase::not_tangential)
    return study;
  const bool critical = study.kind == OutcomeCase::critical_throughout;
  const bool regular_nearby = sample_rows(system, q, options, critical, study);
  if (critical && regular_nearby) study.kind = OutcomeCase::critical_with_regular;
  study.predicted = study.kind != OutcomeCase::critical_throughout || !study.jumps();
  study.order = observed_order(study.rows);
  study.observed = study.order > 0.5;
  return study;
}

}  // namespace slipwave::dynamics
