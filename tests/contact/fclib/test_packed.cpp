#include "contact/fclib/packed.hpp"

#include "tests/contact/fclib/odd_files.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

namespace slipwave::contact::tests {

using Eigen::MatrixXd;

TEST_CASE("contact/packed: problems and solutions come out as they went in") {
  std::mt19937_64 generator(1);
  const StoredProblem local = random_problem(3, 2, generator);
  const StoredProblem same = unpack<StoredProblem>(pack(local));
  CHECK(same.dimension == 2);
  CHECK(MatrixXd(same.W) == MatrixXd(local.W));
  CHECK(same.W.nonZeros() == local.W.nonZeros());
  CHECK(same.b == local.b);
  CHECK(same.mu == local.mu);
  CHECK(same.title == local.title);
  CHECK(same.description == local.description);

  const StoredGlobalProblem global = random_global(5, 2, 3, generator);
  const StoredGlobalProblem other = unpack<StoredGlobalProblem>(pack(global));
  CHECK(other.dimension == 3);
  CHECK(MatrixXd(other.M) == MatrixXd(global.M));
  CHECK(MatrixXd(other.H) == MatrixXd(global.H));
  CHECK(other.f == global.f);
  CHECK(other.w == global.w);
  CHECK(other.mu == global.mu);
  CHECK(other.title == "global");

  const StoredSolution solution{random_matrix(4, 1, generator), random_matrix(4, 1, generator), {}};
  const std::optional<StoredSolution> back =
      unpack<std::optional<StoredSolution>>(pack(std::optional(solution)));
  REQUIRE(back);
  CHECK(back->r == solution.r);
  CHECK(back->u == solution.u);
  CHECK(back->v.size() == 0);
  CHECK(!unpack<std::optional<StoredSolution>>(pack(std::optional<StoredSolution>())));
}

TEST_CASE("contact/packed: bytes that are missing or left are an error") {
  std::mt19937_64 generator(2);
  const std::string bytes = pack(random_problem(2, 2, generator));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK_THROWS_AS((void)unpack<StoredProblem>(bytes.substr(0, size)), std::length_error);
  CHECK_THROWS_AS((void)unpack<StoredProblem>(bytes + "x"), std::length_error);
}

}  // namespace slipwave::contact::tests
