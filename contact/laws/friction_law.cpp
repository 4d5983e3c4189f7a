#include "contact/laws/friction_law.hpp"

#include <cassert>
#include <utility>

namespace slipwave::contact {

namespace {

std::vector<std::string> columns_of(const FrictionLaw& law) {
  return std::visit(
      [](const auto& l) {
        std::vector<std::string> names;
        for (const char* column : l.columns) names.push_back(std::string(l.name) + "." + column);
        return names;
      },
      law);
}

}  // namespace

double largest_friction(const FrictionLaw& law) {
  return std::visit([](const auto& l) { return l.largest(); }, law);
}

const std::vector<FrictionLawEntry>& friction_laws() {
  static const std::vector<FrictionLawEntry> table{
      {Coulomb::name,
       "one coefficient",
       {{"friction", {}, "μ"}},
       [](const std::vector<double>& v) -> FrictionLaw { return Coulomb(v[0]); }},
      {StaticDynamic::name,
       "μ_s where the contact did not slide in the last step, μ_d where it did",
       {{"friction", {}, "μ_s"},
        {"dynamic_friction", {}, "μ_d"},
        {"healing", 0.0, "how long it must not slide to have μ_s again, a time"}},
       [](const std::vector<double>& v) -> FrictionLaw { return StaticDynamic(v[0], v[1], v[2]); }},
  };
  return table;
}

FrictionStates::FrictionStates(std::vector<FrictionLaw> laws)
    : laws_(std::move(laws)), first_(std::variant_size_v<FrictionLaw>, 0) {
  const auto count = static_cast<Eigen::Index>(laws_.size());
  std::vector<bool> met(first_.size(), false);
  for (int a = 0; a < static_cast<int>(laws_.size()); ++a) {
    const FrictionLaw& law = laws_[static_cast<std::size_t>(a)];
    const std::vector<std::string> names = columns_of(law);
    assert(names.size() <= most_columns);
    if (names.empty()) continue;
    remembering_.push_back(a);
    if (!met[law.index()]) {
      met[law.index()] = true;
      first_[law.index()] = names_.size();
      names_.insert(names_.end(), names.begin(), names.end());
      columns_.resize(names_.size(), Eigen::VectorXd::Zero(count));
    }
    start(a);
  }
}

FrictionStates::State FrictionStates::state_of(int contact) const {
  const FrictionLaw& law = laws_[static_cast<std::size_t>(contact)];
  State state{};
  for (std::size_t k = 0; k < most_columns && first_[law.index()] + k < columns_.size(); ++k)
    state[k] = columns_[first_[law.index()] + k][contact];
  return state;
}

void FrictionStates::set_state(int contact, const State& state) {
  std::visit(
      [&](const auto& law) {
        const std::size_t first = first_[laws_[static_cast<std::size_t>(contact)].index()];
        for (std::size_t k = 0; k < law.columns.size(); ++k)
          columns_[first + k][contact] = state[k];
      },
      laws_[static_cast<std::size_t>(contact)]);
}

void FrictionStates::start(int contact) {
  State state{};
  std::visit([&](const auto& law) { law.start(state.data()); },
             laws_[static_cast<std::size_t>(contact)]);
  set_state(contact, state);
}

double FrictionStates::friction(int contact) const {
  const State state = state_of(contact);
  return std::visit([&](const auto& law) { return law.friction(state.data()); },
                    laws_[static_cast<std::size_t>(contact)]);
}

Eigen::VectorXd FrictionStates::frictions() const {
  Eigen::VectorXd mu(static_cast<Eigen::Index>(laws_.size()));
  for (int a = 0; a < static_cast<int>(laws_.size()); ++a) mu[a] = friction(a);
  return mu;
}

void FrictionStates::update(Eigen::VectorXd& mu) const {
  assert(mu.size() == static_cast<Eigen::Index>(laws_.size()));
  for (const int a : remembering_) mu[a] = friction(a);
}

void FrictionStates::advance(int contact, const FrictionStep& step) {
  State state = state_of(contact);
  std::visit([&](const auto& law) { law.advance(step, state.data()); },
             laws_[static_cast<std::size_t>(contact)]);
  set_state(contact, state);
}

LawColumns FrictionStates::columns() const {
  LawColumns result;
  for (std::size_t k = 0; k < names_.size(); ++k) result[names_[k]] = columns_[k];
  return result;
}

void FrictionStates::take(const LawColumns& before, int from, int contact) {
  const std::size_t first = first_[laws_[static_cast<std::size_t>(contact)].index()];
  for (std::size_t k = 0; k < columns_of(laws_[static_cast<std::size_t>(contact)]).size(); ++k) {
    const auto column = before.find(names_[first + k]);
    if (column != before.end() && from < column->second.size())
      columns_[first + k][contact] = column->second[from];
  }
}

}  // namespace slipwave::contact
