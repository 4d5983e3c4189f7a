#pragma once

#include "contact/problem.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace slipwave::bench {

/// Contact problems to be solved one after the other, and the matrices they refer to.
struct Sequence {
  std::vector<std::unique_ptr<const contact::NodalDelassus>> matrices;
  std::vector<contact::Problem> problems;
};

/// A run of the sliding block of which steps are captured; lengths of time in ms.
struct BlockRun {
  int contacts = 41;
  double h = 1e-4;
  double friction = 0.5;
  double restitution = 0.0;
  int skipped = 50;  ///< steps before the first captured one
  int captured = 200;
};

/// The contact problems of consecutive steps of the paper's block, square elements.
Sequence block_sequence(const BlockRun& run);

/// Problems that have nothing to do with each other, each with a W of its own that does not decay:
/// every contact sees every other one, cond(W) about 10, one solution each.
Sequence random_sequence(int contacts, int dimension, int count);

/// Problems with one banded W whose b wanders by a hundredth per problem.
Sequence wandering_sequence(int contacts, int dimension, int count);

/// The one problem of an FCLIB file, local or global. Throws contact::FclibError.
Sequence stored_sequence(const std::filesystem::path& file);

/// Largest over smallest eigenvalue of a sequence's first W.
double condition(const Sequence& sequence);

}  // namespace slipwave::bench
