#pragma once

#include "app/case/case_file.hpp"
#include "app/model/node_labels.hpp"
#include "dynamics/solids/solid_contacts.hpp"
#include "dynamics/solids/solids.hpp"
#include "dynamics/stepper.hpp"

#include <string>
#include <vector>

namespace slipwave::app {

/// A scene of rigid bodies made ready to move.
class SolidsModel {
 public:
  /// Of a case with Case::solids, which must outlive the model.
  explicit SolidsModel(const Case& c);

  /// Everything for steps of one size; the model must outlive it. Its integrator is a
  /// dynamics::SolidsIntegrator. Throws UserError.
  dynamics::Stepper make_stepper(double step) const;
  dynamics::State initial_state() const;
  const Case& case_file() const { return c_; }
  const SolidsCase& scene() const { return *c_.solids; }
  /// Bodies in the order of scene().bodies, groups by their numbers in scene().groups.
  const dynamics::Solids& solids() const { return solids_; }
  int free_count() const;  ///< of bodies that move as they are pushed

 private:
  const Case& c_;
  dynamics::Solids solids_;
};

/// The contacts before the first step, between bodies that are there from the start and no farther
/// apart than the alert distance.
std::vector<dynamics::SolidContact> contacts_at_start(const SolidsModel& model);

/// Bodies and their contacts in the words of messages; the model must outlive the names.
Names names_of(const SolidsModel& model);

/// What a user should know before the run: bodies that overlap at the start, or that float.
std::vector<std::string> warnings_about(const SolidsModel& model);

}  // namespace slipwave::app
