#pragma once

#include "contact/laws/coulomb.hpp"
#include "contact/laws/static_dynamic.hpp"

#include <Eigen/Core>

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace slipwave::contact {

/// A friction law with its parameters. Each has its name, the names of what it remembers of a
/// contact, how that starts, the friction of a step, and what a step does to it.
using FrictionLaw = std::variant<Coulomb, StaticDynamic>;

/// The largest coefficient that a law can ask for.
double largest_friction(const FrictionLaw& law);

/// A parameter of a law: a number of `[contact]` in the case file, at least 0.
struct FrictionParameter {
  std::string name;
  std::optional<double> fallback;  ///< none: it must be given
  std::string meaning;
};

/// A law as users choose it.
struct FrictionLawEntry {
  std::string name;
  std::string what;
  std::vector<FrictionParameter> parameters;
  FrictionLaw (*make)(const std::vector<double>& values);  ///< in the order of the parameters
};

/// All of them, Coulomb's first; adding one is adding a line here.
const std::vector<FrictionLawEntry>& friction_laws();

/// What laws remember: columns by name, "static-dynamic.rest", one number per contact.
using LawColumns = std::map<std::string, Eigen::VectorXd>;

/// The friction of contacts from step to step, with what their laws remember. Costs nothing for
/// laws that remember nothing.
class FrictionStates {
 public:
  /// One law per contact.
  explicit FrictionStates(std::vector<FrictionLaw> laws);

  /// μ of the next step, of all contacts.
  Eigen::VectorXd frictions() const;
  /// The same into `mu`, of the contacts whose laws remember something: the others stay as they
  /// are. Allocates nothing.
  void update(Eigen::VectorXd& mu) const;
  /// After a step: step(a) is the FrictionStep of contact a. Allocates nothing.
  template <class Step>
  void advance(const Step& step);

  /// What the laws remember; contacts whose law has no such column have 0 there.
  LawColumns columns() const;
  /// Goes on with what `before` says, where from(a) is the place of contact a in it, or -1: then it
  /// starts anew, as it does where a column is not there.
  template <class From>
  void restore(const LawColumns& before, const From& from);

 private:
  static constexpr std::size_t most_columns = 4;  // of a law
  using State = std::array<double, most_columns>;

  double friction(int contact) const;
  void advance(int contact, const FrictionStep& step);
  State state_of(int contact) const;
  void set_state(int contact, const State& state);
  void start(int contact);
  void take(const LawColumns& before, int from, int contact);

  std::vector<FrictionLaw> laws_;
  std::vector<int> remembering_;    // contacts whose laws have columns
  std::vector<std::string> names_;  // of the columns
  std::vector<Eigen::VectorXd> columns_;
  std::vector<std::size_t> first_;  // column of each kind of law, by its index in the variant
};

template <class Step>
void FrictionStates::advance(const Step& step) {
  for (const int a : remembering_) advance(a, step(a));
}

template <class From>
void FrictionStates::restore(const LawColumns& before, const From& from) {
  for (const int a : remembering_) {
    start(a);
    if (from(a) >= 0) take(before, from(a), a);
  }
}

}  // namespace slipwave::contact
