#include "app/case/solids_scatter.hpp"

#include "app/case/solids_shape.hpp"
#include "app/case/toml_reader.hpp"

#include <numbers>
#include <random>

namespace slipwave::app {

namespace {

using Eigen::Vector3d;

/// Three numbers between -1 and 1. The distributions of the standard library differ from library to
/// library, its generator does not.
Vector3d evenly_spread(std::mt19937_64& generator) {
  Vector3d numbers;
  for (double& number : numbers)
    number = std::ldexp(static_cast<double>(generator() >> 11), -52) - 1.0;
  return numbers;
}

}  // namespace

void read_scatter(TableReader table, BodyEntry& body) {
  const int seed = table.integer("seed", 0);
  if (seed < 0) table.fail("seed", "must not be negative");
  std::mt19937_64 generator(static_cast<std::uint64_t>(seed));
  // All are drawn, whichever are asked for: one key more changes none of the others.
  const auto difference = [&](const char* key) -> Vector3d {
    const Vector3d most = read_vector(table, key, Vector3d::Zero());
    if (most.minCoeff() < 0.0) table.fail(key, "must not be negative");
    const Vector3d drawn = evenly_spread(generator).cwiseProduct(most);
    return seed > 0 ? drawn : Vector3d::Zero();
  };
  body.place += difference("at");
  body.velocity += difference("velocity");
  body.spin += difference("spin");
  const Vector3d turn = difference("turn") * std::numbers::pi / 180.0;
  if (!turn.isZero(0.0))
    body.attitude = Eigen::AngleAxisd(turn.norm(), turn.normalized()) * body.attitude;
  table.finish();
}

}  // namespace slipwave::app
