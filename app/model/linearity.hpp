#pragma once

#include "app/case/case_file.hpp"
#include "app/model/body.hpp"
#include "dynamics/system.hpp"
#include "fem/rotation.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <string>
#include <vector>

namespace slipwave::app {

/// How far a run has gone from where linear elasticity and the tangents of discs are exact.
struct LinearityFigures {
  double body_rotation = 0.0;   ///< rad, of the rigid motion nearest to a body
  double local_rotation = 0.0;  ///< rad, of a triangle
  double sliding = 0.0;         ///< of a node that a disc pushes, as a share of the disc's radius
  /// Of what: the first node of the body, the triangle, the contact; -1 for none.
  int body = -1, triangle = -1, contact = -1;

  double rotation() const { return std::max(body_rotation, local_rotation); }
};

/// A run that linear elasticity is too small for, in words.
struct BeyondLinearity {
  std::string reason;   ///< for summary.json
  std::string message;  ///< what, by how much, and what to do
};

/// Watches how far a meshed body turns and slides over discs. Small rotations are what linear
/// elasticity supposes: a body that turns by φ grows by 1/cos φ − 1, which is 0.1 % at 0.05 rad and
/// 2 % at 0.2 rad. A node meets a disc as the tangent where it was on the undeformed mesh: once it
/// has slid by s, the disc's normal has turned by s/R, and the same angles are its measure.
class Linearity {
 public:
  /// A pass over the mesh takes a fraction of a step; with this many steps between two, it does not
  /// count. A body takes longer to turn by anything that matters.
  static constexpr int steps_between_looks = 32;
  /// From here on, in rad or as a share of a radius, the user is told.
  static constexpr double worth_a_word = 0.05;

  /// The case and the body must outlive it.
  Linearity(const Case& c, const Body& body, const dynamics::System& system);

  /// Adds what the bodies have turned; for every so many steps.
  void look_at_rotations(const Eigen::VectorXd& q, LinearityFigures& figures) const;
  /// Adds what nodes that are pushed have slid over discs; for every step.
  void look_at_sliding(const Eigen::VectorXd& q, const Eigen::VectorXd& p,
                       LinearityFigures& figures) const;

  /// What to tell of a rotation, or of sliding, that is worth a word; empty for less.
  std::string rotation_warning(const LinearityFigures& figures) const;
  std::string sliding_warning(const LinearityFigures& figures) const;
  /// What is beyond [limits]; an empty message where nothing is.
  BeyondLinearity beyond(const LinearityFigures& figures) const;

 private:
  struct OnDisc {
    int contact = 0, dof = 0;
    Eigen::Vector2d tangent_by_radius;
  };

  std::string rotation_text(const LinearityFigures& figures, double from) const;
  std::string sliding_text(const LinearityFigures& figures) const;

  const Case& c_;
  const Body& body_;
  fem::Rotations rotations_;
  std::vector<OnDisc> on_discs_;
};

}  // namespace slipwave::app
