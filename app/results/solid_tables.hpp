#pragma once

#include "app/model/solids_model.hpp"
#include "dynamics/solids/solids_integrator.hpp"
#include "dynamics/state.hpp"

#include <string>

namespace slipwave::app {

/// Whether a body takes part in the step that follows a time, with steps of size h.
bool is_born(const dynamics::Solid& body, double t, double h);

/// ½ vᵀMv of a free body in a state, 0 of others.
double kinetic_energy(const dynamics::Solid& body, const Eigen::VectorXd& v, int number);

/// scene.csv: a row per body with its number in the other files, name, group, kind, mass, birth.
std::string scene_table(const SolidsModel& model);

/// bodies.csv: where bodies are and how they move. All of them at step 0, later those that move.
extern const char* const bodies_header;
/// Of a state, with steps of size h.
std::string body_rows(const dynamics::Solids& solids, const dynamics::State& state, double h);

/// joints.csv: what pairs of bodies that push each other do in a step: F_N and the force on the
/// first body, means over the step, the centre of pressure where the step began, and which share of
/// the patch's points pushes.
extern const char* const joints_header;
/// Of the last step.
std::string joint_rows(const dynamics::SolidsIntegrator& integrator, const dynamics::State& state);

}  // namespace slipwave::app
