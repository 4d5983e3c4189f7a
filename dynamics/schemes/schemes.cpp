#include "dynamics/schemes/schemes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slipwave::dynamics {

namespace {

constexpr double rounding = 1e-12;

const SchemeParameter theta_parameter{"theta", 0.5, 1.0, 0.5,
                                      "θ: ½ second order, 1 implicit Euler"};
const SchemeParameter rho_parameter{"rho_infinity", 0.0, 1.0, 0.8,
                                    "spectral radius at infinite frequency"};
const SchemeParameter alpha_m_parameter{"alpha_m", -1.0, 0.5, {}, "instead of rho_infinity"};
const SchemeParameter alpha_f_parameter{"alpha_f", 0.0, 0.5, {}, "instead of rho_infinity"};
const SchemeParameter gamma_parameter{"gamma", 0.0, 1.0, {}, "default ½ + α_f − α_m"};
const SchemeParameter beta_parameter{"beta", 1e-3, 1.0, {}, "default ¼(γ + ½)²"};

double value_or(const SchemeValues& values, const std::string& name, double fallback) {
  const auto found = values.find(name);
  return found == values.end() ? fallback : found->second;
}

/// By α_m and α_f if one of them is given, by ρ∞ otherwise; γ and β on top.
NewmarkScheme alpha_scheme(const SchemeValues& values) {
  NewmarkScheme scheme = generalized_alpha(values.at("rho_infinity"));
  if (values.contains("alpha_m") || values.contains("alpha_f"))
    scheme = generalized_alpha(value_or(values, "alpha_m", 0.0), value_or(values, "alpha_f", 0.0));
  scheme.gamma = value_or(values, "gamma", scheme.gamma);
  scheme.beta = value_or(values, "beta", usual_beta(scheme.gamma));
  return scheme;
}

Scheme make_newmark(const SchemeValues& values) {
  const double gamma = values.at("gamma");
  return newmark(gamma, value_or(values, "beta", usual_beta(gamma)));
}

}  // namespace

const std::vector<SchemeEntry>& schemes() {
  static const std::vector<SchemeEntry> table{
      {"moreau-jean-fremond",
       "θ-method, named after Frémond's law on u_{k+θ}",
       "2 for θ = ½, else 1",
       "½ ≤ θ ≤ 1/(1+e) (87)",
       "[AC24] (72), identity (65)",
       {theta_parameter},
       ImpactLaw::fremond,
       [](const SchemeValues& v) -> Scheme { return moreau_jean_fremond(v.at("theta")); }},
      {"moreau-jean",
       "θ-method, with Newton's law on u_{k+1}",
       "2 for θ = ½, else 1",
       "not with friction",
       "[AC24] (61), identity (65)",
       {theta_parameter},
       ImpactLaw::newton,
       [](const SchemeValues& v) -> Scheme { return moreau_jean(v.at("theta")); }},
      {"moreau-jean-midpoint",
       "θ-method with q_{k+1} = q_k + h v_{k+½}",
       "2 for θ = ½, else 1",
       "θ ≥ ½, without friction",
       "[A14] (31), identity (92)",
       {theta_parameter},
       ImpactLaw::newton,
       [](const SchemeValues& v) -> Scheme { return moreau_jean_midpoint(v.at("theta")); }},
      {"newmark",
       "Newmark with impulses",
       "2 for γ = ½, else 1",
       "2β ≥ γ ≥ ½ [A14] (90), without friction",
       "[A14] (27), identity (88)",
       {{"gamma", 0.0, 1.0, 0.5, "γ: ½ second order, more damps"}, beta_parameter},
       ImpactLaw::newton,
       make_newmark},
      {"hht",
       "Hilber–Hughes–Taylor with impulses",
       "2",
       "2β ≥ γ ≥ ½, 0 ≤ α ≤ γ−½ ≤ ½ [A14] (82), without friction",
       "[A14] (27), identity (80)",
       {{"alpha", 0.0, 1.0 / 3.0, 0.1, "α_f: more damps high frequencies more"}},
       ImpactLaw::newton,
       [](const SchemeValues& v) -> Scheme { return hht(v.at("alpha")); }},
      {"generalized-alpha",
       "Generalized-α of Chung and Hulbert with impulses",
       "2 for γ = ½ + α_f − α_m",
       "2β ≥ γ ≥ ½, 0 ≤ η ≤ γ−½ ≤ ν [A14] (74), without load, damping, friction",
       "[A14] (27), identity (69)",
       {rho_parameter, alpha_m_parameter, alpha_f_parameter, gamma_parameter, beta_parameter},
       ImpactLaw::newton,
       [](const SchemeValues& v) -> Scheme { return alpha_scheme(v); }},
      {"kh-alpha",
       "Generalized-α of Krenk and Høgsberg with impulses",
       "2 for γ = ½ + α_f − α_m in free vibration; 1 under load or damping",
       "2β ≥ γ ≥ ½, 0 ≤ η ≤ γ−½ ≤ ν [A14] (74), without friction",
       "[A14] (32), identity (72)",
       {rho_parameter, alpha_m_parameter, alpha_f_parameter, gamma_parameter, beta_parameter},
       ImpactLaw::newton,
       [](const SchemeValues& v) -> Scheme { return kh_alpha(alpha_scheme(v)); }},
      {"newmark-position",
       "Newmark with contact at the position level, without friction: a counter-example",
       "2 for γ = ½, else 1",
       "no: creates energy at impacts",
       "[A14] section 1, identity (88) with contact forces",
       {{"gamma", 0.0, 1.0, 0.5, "γ"}, beta_parameter},
       ImpactLaw::newton,
       [](const SchemeValues& v) -> Scheme {
         const double gamma = v.at("gamma");
         return newmark_position(gamma, value_or(v, "beta", usual_beta(gamma)));
       }},
      {"moreau-explicit",
       "Moreau's contact dynamics: positions first, then velocities; stable for h ω_max ≤ 2",
       "1",
       "its energy E + (h/2) v·Kq: without friction, or with Fremond's law",
       "[P15], identity in docs/theory.md section 12",
       {},
       ImpactLaw::newton,
       [](const SchemeValues&) -> Scheme { return ExplicitScheme{}; }},
  };
  return table;
}

namespace {

std::vector<std::string> broken(const ThetaScheme& s, ImpactLaw law, double e) {
  if (law != ImpactLaw::fremond || s.theta * (1.0 + e) <= 1.0 + rounding) return {};
  return {fmt::format("time.theta = {:g} > 1/(1+e) = {:g} (87)", s.theta, 1.0 / (1.0 + e))};
}

/// (90) for Newmark, (82) for HHT, (74) for KH-α, and for generalized-α without load and damping.
std::vector<std::string> broken(const NewmarkScheme& s, ImpactLaw, double) {
  const char* number = s.kh || s.alpha_m != 0.0 ? "(74)" : s.alpha_f > 0.0 ? "(82)" : "(90)";
  std::vector<std::string> found;
  if (s.gamma < 0.5 - rounding)
    found.push_back(fmt::format("gamma = {:g} < 1/2 {}", s.gamma, number));
  if (2.0 * s.beta < s.gamma - rounding)
    found.push_back(fmt::format("2 beta = {:g} < gamma = {:g} {}", 2.0 * s.beta, s.gamma, number));
  if (s.eta() < -rounding || s.eta() > std::max(s.gamma - 0.5, 0.0) + rounding)
    found.push_back(
        fmt::format("alpha_f - alpha_m = {:g} is not between 0 and gamma - 1/2 = {:g} {}", s.eta(),
                    s.gamma - 0.5, number));
  if (s.gamma - 0.5 > s.nu() + rounding)
    found.push_back(
        fmt::format("gamma - 1/2 = {:g} > 1/2 - alpha_m = {:g} {}", s.gamma - 0.5, s.nu(), number));
  return found;
}

std::vector<std::string> broken(const ExplicitScheme&, ImpactLaw, double) { return {}; }

}  // namespace

std::vector<std::string> broken_conditions(const Scheme& scheme, ImpactLaw impact,
                                           double restitution) {
  return std::visit([&](const auto& s) { return broken(s, impact, restitution); }, scheme);
}

}  // namespace slipwave::dynamics
