#include "dynamics/schemes/explicit_integrator.hpp"
#include "dynamics/schemes/newmark_integrator.hpp"
#include "dynamics/schemes/schemes.hpp"
#include "dynamics/schemes/theta_integrator.hpp"

namespace slipwave::dynamics {

std::unique_ptr<SystemIntegrator> make_integrator(System system, const Scheme& scheme, double h,
                                                  const contact::SolverOptions& solver,
                                                  const linear::MakeStepMatrix& make) {
  if (const auto* theta = std::get_if<ThetaScheme>(&scheme))
    return std::make_unique<ThetaIntegrator>(std::move(system), *theta, h, solver, make);
  if (const auto* newmark_scheme = std::get_if<NewmarkScheme>(&scheme))
    return std::make_unique<NewmarkIntegrator>(std::move(system), *newmark_scheme, h, solver, make);
  return std::make_unique<ExplicitIntegrator>(std::move(system), std::get<ExplicitScheme>(scheme),
                                              h, solver, make);
}

}  // namespace slipwave::dynamics
