#pragma once

#include "app/case/case_file.hpp"
#include "app/model/build_system.hpp"
#include "app/model/few_dofs_model.hpp"
#include "app/model/solids_model.hpp"
#include "app/results/summary.hpp"
#include "dynamics/integrator.hpp"
#include "dynamics/solids/solids_integrator.hpp"

#include <memory>
#include <string>
#include <vector>

namespace slipwave::tests {

/// A case of cases/ made ready to step, without any output.
struct CaseRun {
  /// `name` such as "incline"; `set` as on the command line.
  CaseRun(const std::string& name, const std::vector<std::string>& set);

  dynamics::StepReport advance();
  /// Runs to the end and returns what the summary would say.
  app::RunStatistics run();
  double t() const { return state.time(c.first_step()); }

  app::Case c;
  app::Body body;
  dynamics::State state;
  std::unique_ptr<dynamics::SystemIntegrator> integrator;
};

/// A case with a [system] made ready to step, without any output.
struct FewDofsRun {
  FewDofsRun(const std::string& name, const std::vector<std::string>& set);

  dynamics::StepReport advance();
  const dynamics::StepContacts& contact() const { return stepper.integrator().contact(); }
  bool pushes() const;  ///< whether a contact did in the last step
  double t() const { return state.time(c.first_step()); }

  app::Case c;
  app::FewDofsModel model;
  dynamics::Stepper stepper;
  dynamics::State state;
};

/// A case with rigid bodies in space made ready to step, without any output.
struct SolidsRun {
  SolidsRun(const std::string& name, const std::vector<std::string>& set);

  dynamics::StepReport advance();
  /// So many steps; the last one's report.
  dynamics::StepReport advance(int steps);
  const dynamics::SolidsIntegrator& integrator() const;
  int body(const std::string& body_name) const;  ///< its number
  Eigen::Vector3d place(const std::string& body_name) const;
  Eigen::Vector3d velocity(const std::string& body_name) const;
  /// Kinetic energy less the work of gravity since places were zero.
  double energy() const;
  double t() const { return state.time(c.first_step()); }

  app::Case c;
  app::SolidsModel model;
  dynamics::Stepper stepper;
  dynamics::State state;
};

/// The settings that put the sliding block on the mesh of the reference trajectories: size 4, 2 or
/// 1 mm.
std::vector<std::string> on_reference_mesh(int size);

}  // namespace slipwave::tests
