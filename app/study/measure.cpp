#include "app/study/measure.hpp"

#include "app/messages/user_error.hpp"
#include "app/model/build_system.hpp"
#include "app/results/force_table.hpp"
#include "app/study/measure_bodies.hpp"
#include "app/study/members.hpp"
#include "fem/error_norms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

namespace slipwave::app {

namespace {

fem::MaterialMap materials_of(const Case& c, const fem::Mesh& mesh) {
  if (c.materials.size() > 1) return make_body(c).materials;
  const auto count = static_cast<std::size_t>(mesh.triangle_count());
  return {{c.materials.front().material}, std::vector<int>(count, 0)};
}

double norm_of(const fem::Norms& norms, ErrorQuantity::Norm norm) {
  switch (norm) {
    case ErrorQuantity::Norm::L2:
      return norms.L2;
    case ErrorQuantity::Norm::H1:
      return norms.H1;
    case ErrorQuantity::Norm::energy:
      return norms.energy;
    case ErrorQuantity::Norm::maximum:
      return norms.max;
  }
  return 0.0;
}

/// For how long a column is not what it is in its first row.
double time_away_from_start(const MemberResults& member, const std::vector<double>& column) {
  const std::vector<double>& t = member.ledger("t");
  double sum = 0.0;
  for (std::size_t i = 1; i < column.size(); ++i)
    if (column[i] != column[0]) sum += t[i] - t[i - 1];
  return sum;
}

/// A column of the ledger, or the sum of those of contacts.
std::vector<double> column_of(const LedgerQuantity& what, const MemberResults& member) {
  if (what.column != LedgerQuantity::contact_work) return member.ledger(what.column);
  std::vector<double> sum = member.ledger("contact_normal_work");
  const std::vector<double>& tangential = member.ledger("contact_tangential_work");
  std::transform(sum.begin(), sum.end(), tangential.begin(), sum.begin(), std::plus<>());
  return sum;
}

double value_of(const LedgerQuantity& what, const StudyQuantity& quantity,
                const MemberResults& member) {
  const std::vector<double> column = column_of(what, member);
  if (what.when == LedgerQuantity::When::maximum)
    return *std::max_element(column.begin(), column.end());
  if (what.when == LedgerQuantity::When::minimum)
    return *std::min_element(column.begin(), column.end());
  if (what.when == LedgerQuantity::When::duration) return time_away_from_start(member, column);
  return column[member.row_at(time_of(quantity, member.c()))];
}

double value_of(const ProbeQuantity& what, const StudyQuantity& quantity,
                const MemberResults& member) {
  const BodyFrame frame = member.body_at(time_of(quantity, member.c()));
  const auto location = fem::PointLocator(frame.mesh).find(what.point);
  if (!location)
    throw UserError(fmt::format("quantity \"{}\": the probe ({:g}, {:g}) is outside the body",
                                quantity.name, what.point[0], what.point[1]));
  return fem::interpolate(frame.mesh, *location, frame.fields.at(what.field))[what.component];
}

/// The part of the line that belongs to a node: halfway to its neighbours.
double share_of(const LineFrame& line, std::size_t i) {
  const double before = i > 0 ? line.s[i] - line.s[i - 1] : 0.0;
  const double after = i + 1 < line.s.size() ? line.s[i + 1] - line.s[i] : 0.0;
  return 0.5 * (before + after);
}

double spread_of(const LineFrame& line) {
  double sum = 0.0, first = 0.0, second = 0.0;
  for (std::size_t i = 0; i < line.s.size(); ++i) {
    const double weight = share_of(line, i) * line.values[i];
    sum += weight;
    first += weight * line.s[i];
    second += weight * line.s[i] * line.s[i];
  }
  return std::sqrt(second / sum - first * first / (sum * sum));
}

double value_of(const ContactQuantity& what, const StudyQuantity& quantity,
                const MemberResults& member) {
  const LineFrame line = member.line_at(what.array, time_of(quantity, member.c()));
  if (what.of == ContactQuantity::Of::maximum)
    return *std::max_element(line.values.begin(), line.values.end());
  if (what.of == ContactQuantity::Of::spread) return spread_of(line);
  double length = 0.0, sum = 0.0, extent = 0.0;
  for (std::size_t i = 0; i < line.s.size(); ++i) {
    const double share = share_of(line, i), value = line.values[i];
    length += share;
    sum += share * value;
    if (what.value ? value == *what.value : value > 0.0) extent += share;
  }
  return what.of == ContactQuantity::Of::mean ? sum / length : extent;
}

double value_of(const WaveQuantity& what, const StudyQuantity& quantity,
                const MemberResults& member) {
  TrackerOptions options;
  options.signal = what.signal;
  const auto path = [&](const Wave& wave) {
    return wave.type == what.type ? std::abs(wave.end.x - wave.start.x) : 0.0;
  };
  const std::vector<Wave> waves = track_waves(member.history(), options);
  const auto farthest = std::max_element(
      waves.begin(), waves.end(), [&](const Wave& a, const Wave& b) { return path(a) < path(b); });
  if (farthest == waves.end() || farthest->type != what.type)
    throw UserError(fmt::format("quantity \"{}\": no {} was found in {}", quantity.name,
                                name_of(what.type), member.folder().string()));
  return farthest->speed;
}

double value_of(const ModeQuantity& what, const MemberResults& member) {
  const InterfaceHistory history = member.history();
  const ModeGrowth mode =
      mode_growth(history.lines.front(), history.t, what.wavelength, what.x, what.t);
  return what.of == ModeQuantity::Of::growth ? mode.growth : mode.phase_speed;
}

double value_of(const ForceQuantity& what, const StudyQuantity& quantity,
                const MemberResults& member) {
  const ForceTable forces = read_forces(member);
  const auto figures = forces.statistics(what.column, what.t);
  const auto period =
      what.of == ForceQuantity::Of::period ? forces.period(what.column, what.t) : std::nullopt;
  if (!figures || (what.of == ForceQuantity::Of::period && !period))
    throw UserError(
        fmt::format("quantity \"{}\": {} of {} between `from` and `to` in {}", quantity.name,
                    figures ? "nothing comes again in the values" : "there are no values",
                    what.column, (member.folder() / "forces.csv").string()));
  switch (what.of) {
    case ForceQuantity::Of::mean:
      return figures->mean;
    case ForceQuantity::Of::minimum:
      return figures->minimum;
    case ForceQuantity::Of::maximum:
      return figures->maximum;
    case ForceQuantity::Of::last:
      return figures->last;
    case ForceQuantity::Of::period:
      return *period;
  }
  return 0.0;
}

fem::ExactField exact_field(const ErrorQuantity& what, double t) {
  fem::ExactField exact;
  exact.value = [&what, t](const Eigen::Vector2d& point) -> Eigen::Vector2d {
    const std::array<double, 3> values{point[0], point[1], t};
    return {(*what.x)(values.data()), (*what.y)(values.data())};
  };
  return exact;
}

void measure_errors(const ErrorQuantity& what, const StudyQuantity& quantity,
                    const SeriesOfMembers& series, Measurement& result) {
  result.is_error = true;
  result.against_finest = what.against_finest();
  const MemberResults& finest = *series.results[series.finest];
  const double t = time_of(quantity, finest.c());
  const BodyFrame fine = finest.body_at(t);
  const fem::MaterialMap fine_materials = materials_of(finest.c(), fine.mesh);
  for (std::size_t i = 0; i < series.results.size(); ++i) {
    if (!series.results[i] || (what.against_finest() && i == series.finest)) continue;
    const BodyFrame frame = series.results[i]->body_at(t);
    const Eigen::VectorXd& q = frame.fields.at(what.field);
    const fem::FieldError error =
        what.against_finest()
            ? fem::error_norms(fem::PointLocator(frame.mesh), q, fine.mesh, fine_materials,
                               fine.fields.at(what.field))
            : fem::error_norms(frame.mesh, materials_of(series.results[i]->c(), frame.mesh), q,
                               exact_field(what, t));
    result.values[i] = norm_of(error.error, what.norm);
    result.scale = norm_of(error.reference, what.norm);
  }
}

/// A profile at s by linear interpolation, held constant beyond its ends.
double profile_at(const LineFrame& line, double s) {
  const auto after = std::upper_bound(line.s.begin(), line.s.end(), s);
  if (after == line.s.begin()) return line.values.front();
  if (after == line.s.end()) return line.values.back();
  const auto i = static_cast<std::size_t>(after - line.s.begin());
  const double part = (s - line.s[i - 1]) / (line.s[i] - line.s[i - 1]);
  return (1.0 - part) * line.values[i - 1] + part * line.values[i];
}

/// ∫|a − b| ds / ∫|b| ds over the length of b, at many equal steps.
double profile_difference(const LineFrame& a, const LineFrame& b) {
  constexpr int steps = 20000;
  const double first = b.s.front(), length = b.s.back() - b.s.front();
  double difference = 0.0, size = 0.0;
  for (int i = 0; i < steps; ++i) {
    const double s = first + length * (i + 0.5) / steps;
    const double value = profile_at(b, s);
    difference += std::abs(profile_at(a, s) - value);
    size += std::abs(value);
  }
  return difference / size;
}

void measure_profiles(const ProfileQuantity& what, const StudyQuantity& quantity,
                      const SeriesOfMembers& series, Measurement& result) {
  result.is_error = result.against_finest = true;
  result.scale = 1.0;
  const MemberResults& finest = *series.results[series.finest];
  const double t = time_of(quantity, finest.c());
  const LineFrame fine = finest.line_at(what.array, t);
  for (std::size_t i = 0; i < series.results.size(); ++i)
    if (series.results[i] && i != series.finest)
      result.values[i] = profile_difference(series.results[i]->line_at(what.array, t), fine);
}

/// Sizes as they are, or (h^p − h_f^p)^{1/p}.
std::vector<Member> samples(const SeriesOfMembers& series, const Measurement& measurement,
                            std::optional<double> p) {
  const double h_f = series.sizes[series.finest];
  std::vector<Member> members;
  for (std::size_t i = 0; i < series.sizes.size(); ++i) {
    if (!measurement.values[i]) continue;
    const double h = series.sizes[i];
    const double size = p ? std::pow(std::pow(h, *p) - std::pow(h_f, *p), 1.0 / *p) : h;
    members.push_back({size, *measurement.values[i]});
  }
  return members;
}

/// A reference without a finite value makes no value, not nothing of it.
double finite_or_nan(double reference) {
  return std::isfinite(reference) ? reference : std::numeric_limits<double>::quiet_NaN();
}

/// A quantity that a member has for itself.
double value_on(const StudyQuantity& quantity, const MemberResults& member) {
  if (const auto* ledger = std::get_if<LedgerQuantity>(&quantity.what))
    return value_of(*ledger, quantity, member);
  if (const auto* probe = std::get_if<ProbeQuantity>(&quantity.what))
    return value_of(*probe, quantity, member);
  if (const auto* wave = std::get_if<WaveQuantity>(&quantity.what))
    return value_of(*wave, quantity, member);
  if (const auto* mode = std::get_if<ModeQuantity>(&quantity.what)) return value_of(*mode, member);
  if (const auto* force = std::get_if<ForceQuantity>(&quantity.what))
    return value_of(*force, quantity, member);
  if (const auto* body = std::get_if<BodyQuantity>(&quantity.what))
    return value_of(*body, quantity, member);
  if (const auto* displaced = std::get_if<DisplacedQuantity>(&quantity.what))
    return value_of(*displaced, quantity, member);
  return value_of(std::get<ContactQuantity>(quantity.what), quantity, member);
}

}  // namespace

Measurement measure(const StudyQuantity& quantity, const SeriesOfMembers& series) {
  Measurement result;
  result.values.resize(series.results.size());
  if (!series.results[series.finest]) return result;
  if (const auto* error = std::get_if<ErrorQuantity>(&quantity.what))
    measure_errors(*error, quantity, series, result);
  else if (const auto* profile = std::get_if<ProfileQuantity>(&quantity.what))
    measure_profiles(*profile, quantity, series, result);
  else
    for (std::size_t i = 0; i < series.results.size(); ++i)
      if (series.results[i])
        result.values[i] =
            value_on(quantity, *series.results[i]) /
            finite_or_nan(quantity.exact_of_h ? (*quantity.exact_of_h)(&series.sizes[i]) : 1.0);
  return result;
}

Convergence judge(const StudyQuantity& quantity, const StudyAxis& axis,
                  const SeriesOfMembers& series, const Measurement& measurement) {
  ConvergenceOptions options;
  options.exact = quantity.exact;
  options.theoretical_order = quantity.order;
  options.scale = measurement.scale;
  options.size_name = axis.short_name();
  options.size_unit = axis.unit;
  if (!measurement.is_error)
    return study_quantity(samples(series, measurement, std::nullopt), options);
  const Convergence plain = study_errors(samples(series, measurement, std::nullopt), options);
  if (!measurement.against_finest) return plain;
  options.size_name += ", corrected for the finest,";
  // The order must be the one that the sizes were corrected with.
  for (double p : {plain.order.value_or(2.0), 1.0, 0.5}) {
    for (int i = 0; i < 30; ++i) {
      Convergence result = study_errors(samples(series, measurement, p), options);
      if (!result.order) break;
      if (std::abs(*result.order - p) < 1e-3) return result;
      p = std::clamp(*result.order, 0.1, 8.0);
    }
  }
  return plain;
}

}  // namespace slipwave::app
