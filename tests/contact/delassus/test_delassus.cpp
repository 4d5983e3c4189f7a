#include "bench/random_problems.hpp"
#include "contact/residual.hpp"
#include "contact/solvers/nsgs.hpp"
#include "contact/solvers/projected_gradient.hpp"
#include "parallel/team.hpp"
#include "tests/support/block_lists.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

namespace slipwave::contact {

namespace {

using tests::BlockLists;

/// The same problem on block lists.
ProblemOn<BlockLists> on_lists(const Problem& problem) {
  return {BlockLists(problem.W.matrix(), problem.dimension()), problem.b, problem.mu,
          problem.active};
}

Solution start(const Problem& problem) {
  return Solution(problem.W.contact_count(), problem.dimension());
}

/// W of a chain: each contact sees its two neighbours, and differently from how they see it.
Eigen::MatrixXd unsymmetric_chain(int n, int d, std::mt19937_64& generator) {
  Eigen::MatrixXd W = Eigen::MatrixXd::Identity(d * n, d * n);
  for (int a = 0; a + 1 < n; ++a)
    for (int i = 0; i < d; ++i) {
      W.row(d * a + i).segment(d * (a + 1), d) =
          0.08 * tests::random_vector(d, 0.0, generator).transpose();
      W.row(d * (a + 1) + i).segment(d * a, d) =
          0.08 * tests::random_vector(d, 0.0, generator).transpose();
    }
  return W;
}

}  // namespace

TEST_CASE("contact/delassus: certificates on block lists are those on a dense band to 1e-13") {
  std::mt19937_64 generator(1);
  for (int trial = 0; trial < 100; ++trial) {
    const int d = 2 + trial % 2, n = 1 + trial % 13;
    const Problem dense =
        tests::problem_with(tests::random_delassus(n, d, 0.3, generator), d, 0.5, generator);
    Solution ours = start(dense);
    ours.p = tests::random_vector(d * n, 0.5, generator);
    Solution theirs = ours;
    const Residual expected = certify(dense, 1e-10, ours);
    const Residual found = certify(on_lists(dense), 1e-10, theirs);
    CHECK(std::abs(found.raw - expected.raw) <= 1e-13 * expected.raw);
    CHECK(std::abs(found.scaled - expected.scaled) <= 1e-13 * expected.scaled);
    CHECK((theirs.w - ours.w).norm() <= 1e-13 * ours.w.norm());
  }
}

TEST_CASE("contact/delassus: nsgs finds on block lists what it finds on a dense band") {
  std::mt19937_64 generator(2);
  for (int trial = 0; trial < 100; ++trial) {
    const int d = 2 + trial % 2, n = 1 + trial % 13;
    const Problem dense =
        tests::problem_with(tests::random_delassus(n, d, 0.3, generator), d, 0.5, generator);
    const ProblemOn<BlockLists> lists = on_lists(dense);
    Solution expected = start(dense), found = expected;
    REQUIRE(Nsgs(dense.W).solve(dense, {.tolerance = 1e-13}, expected).converged);
    REQUIRE(NsgsOn(lists.W).solve(lists, {.tolerance = 1e-13}, found).converged);
    CHECK((found.p - expected.p).norm() <= 1e-11 * expected.p.norm());
    CHECK(certify(dense, 1e-13, found).worst() <= 2e-13);
  }
}

TEST_CASE("contact/delassus: projected gradient finds on block lists what it finds on a band") {
  std::mt19937_64 generator(3);
  for (const int d : {2, 3}) {
    const Problem dense =
        tests::problem_with(tests::random_delassus(8, d, 0.3, generator), d, 0.5, generator);
    const ProblemOn<BlockLists> lists = on_lists(dense);
    Solution expected = start(dense), found = expected;
    REQUIRE(ProjectedGradient(dense.W).solve(dense, {}, expected).converged);
    REQUIRE(ProjectedGradientOn(lists.W).solve(lists, {}, found).converged);
    CHECK((found.p - expected.p).norm() <= 1e-7 * expected.p.norm());
    CHECK(found.status == expected.status);
  }
}

TEST_CASE("contact/delassus: an unsymmetric chain is solved alike, colours or band") {
  std::mt19937_64 generator(4);
  for (const int d : {2, 3}) {
    const Problem dense =
        tests::problem_with(unsymmetric_chain(40, d, generator), d, 0.4, generator);
    const ProblemOn<BlockLists> lists = on_lists(dense);
    CHECK(lists.W.colours().colours.size() == 2);
    Solution expected = start(dense), found = expected;
    REQUIRE(Nsgs(dense.W).solve(dense, {.tolerance = 1e-13}, expected).converged);
    REQUIRE(NsgsOn(lists.W).solve(lists, {.tolerance = 1e-13}, found).converged);
    CHECK((found.p - expected.p).norm() <= 1e-11 * expected.p.norm());
  }
}

TEST_CASE("contact/delassus: same bits on 1, 2 and 4 threads with a colour for each neighbour") {
  std::mt19937_64 generator(5);
  Problem dense = tests::problem_with(unsymmetric_chain(40, 3, generator), 3, 0.4, generator);
  std::erase_if(dense.active, [](int a) { return a % 7 == 3; });
  const ProblemOn<BlockLists> lists = on_lists(dense);
  parallel::set_threads(1);
  Solution one = start(dense);
  REQUIRE(NsgsOn(lists.W).solve(lists, {}, one).converged);
  for (const int threads : {2, 4}) {
    parallel::set_threads(threads);
    Solution several = start(dense);
    REQUIRE(NsgsOn(lists.W).solve(lists, {}, several).converged);
    CHECK(several.p == one.p);
  }
  parallel::set_threads(1);
}

TEST_CASE("contact/delassus: groups of one colour do not see each other in a dense band") {
  const DenseBand W(tests::banded_delassus(900, 2, 0.5));
  const Colours colours = W.colours();
  REQUIRE(colours.colours.size() == 2);
  REQUIRE(colours.group.size() == 900);
  std::set<int> groups;
  for (const std::vector<int>& colour : colours.colours)
    groups.insert(colour.begin(), colour.end());
  CHECK(groups == std::set<int>(colours.group.begin(), colours.group.end()));
  const auto colour_of = [&](int a) {
    const std::vector<int>& first = colours.colours[0];
    const int group = colours.group[static_cast<std::size_t>(a)];
    return std::find(first.begin(), first.end(), group) != first.end() ? 0 : 1;
  };
  int sharing = 0;
  for (int a = 0; a < 900; ++a)
    for (int b = a; b <= std::min(a + W.half_bandwidth(), 899); ++b)
      if (colours.group[static_cast<std::size_t>(a)] !=
              colours.group[static_cast<std::size_t>(b)] &&
          colour_of(a) == colour_of(b))
        ++sharing;
  CHECK(sharing == 0);
}

}  // namespace slipwave::contact
