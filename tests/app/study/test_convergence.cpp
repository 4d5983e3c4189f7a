#include "app/study/convergence.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

using namespace slipwave::app;

namespace {

using Sizes = std::vector<double>;

const Sizes halved{16.0, 8.0, 4.0, 2.0, 1.0};
const Sizes irregular{1.0 * 1.3 * 1.7 * 1.3 * 1.7, 1.3 * 1.7 * 1.3, 1.3 * 1.7, 1.3, 1.0};

std::vector<Member> sample(const Sizes& sizes, const std::function<double(double)>& f) {
  std::vector<Member> members;
  for (const double h : sizes) members.push_back({h, f(h)});
  return members;
}

std::string sentence(const Convergence& c, SequenceFlag flag) {
  for (const Remark& remark : c.remarks)
    if (remark.flag == flag) return remark.sentence;
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Where there is no order there is nothing that is made of it.
void check_no_order(const Convergence& c) {
  CHECK_FALSE(c.order.has_value());
  CHECK_FALSE(c.standard_error.has_value());
  CHECK_FALSE(c.extrapolated.has_value());
  CHECK_FALSE(c.gci.has_value());
  CHECK_FALSE(c.relative_gci.has_value());
  CHECK(c.used_members == 0);
  CHECK(order_text(c) == "—");
  CHECK_FALSE(c.remarks.empty());
}

void check_near(const std::optional<double>& value, double expected, double tolerance) {
  REQUIRE(value.has_value());
  CHECK(std::abs(*value - expected) <= tolerance);
}

}  // namespace

TEST_CASE("app/study/convergence: power laws of values give their order, limit and GCI to 1e-10") {
  for (const double p : {0.5, 1.0, 2.0, 3.7})
    for (const Sizes& sizes : {halved, irregular}) {
      CAPTURE(p);
      const auto f = [p](double h) { return 3.0 - 0.5 * std::pow(h, p); };
      const Convergence c = study_quantity(sample(sizes, f));
      check_near(c.order, p, 1e-10);
      check_near(c.standard_error, 0.0, 1e-10);
      check_near(c.extrapolated, 3.0, 1e-10);
      check_near(c.gci, 1.25 * 0.5, 1e-10);
      check_near(c.relative_gci, 1.25 * 0.5 / 2.5, 1e-10);
      check_near(c.gci_ratio, 1.0, 1e-10);
      CHECK(c.local_orders.size() == 3);
      for (const LocalOrder& local : c.local_orders) check_near(local.order, p, 1e-10);
      CHECK(c.remarks.empty());
      CHECK(c.used_members == 5);
    }
}

TEST_CASE(
    "app/study/convergence: power laws of errors give their order to 1e-10 with and without "
    "exact") {
  for (const double p : {0.5, 1.0, 2.0, 3.7})
    for (const Sizes& sizes : {halved, irregular}) {
      const auto e = [p](double h) { return 1e-3 * std::pow(h, p); };
      const Convergence norms = study_errors(sample(sizes, e));
      check_near(norms.order, p, 1e-10);
      CHECK(norms.local_orders.size() == 4);
      for (const LocalOrder& local : norms.local_orders) check_near(local.order, p, 1e-10);
      CHECK_FALSE(norms.gci.has_value());
      CHECK(norms.remarks.empty());

      ConvergenceOptions options;
      options.exact = 0.125;
      const Convergence values =
          study_quantity(sample(sizes, [&](double h) { return 0.125 - 64.0 * e(h); }), options);
      check_near(values.order, p, 1e-10);
      check_near(values.extrapolated, 0.125, 1e-10);
      CHECK(values.errors.front() == doctest::Approx(0.064).epsilon(1e-13));
    }
}

TEST_CASE("app/study/convergence: the textbook example of Celik et al. (2008)") {
  // Reattachment length on grids with refinement ratios 1.5 and 1.333 (Table 1, first column).
  const Convergence c = study_quantity({{1.0, 6.063}, {1.5, 5.972}, {1.5 * 4.0 / 3.0, 5.863}});
  check_near(c.order, 1.53, 0.005);
  check_near(c.extrapolated, 6.1685, 5e-4);
  check_near(c.relative_gci, 0.022, 5e-4);
  CHECK(c.safety_factor == 1.25);
  CHECK_FALSE(c.standard_error.has_value());
  CHECK(c.remarks.empty());
}

TEST_CASE("app/study/convergence: the order of sizes in the input does not matter") {
  std::vector<Member> members = sample(irregular, [](double h) { return 1.0 + h * h; });
  const Convergence sorted = study_quantity(members);
  std::mt19937 random(3);
  for (int i = 0; i < 20; ++i) {
    std::shuffle(members.begin(), members.end(), random);
    const Convergence c = study_quantity(members);
    CHECK(c.order == sorted.order);
    CHECK(c.gci == sorted.gci);
    CHECK(c.members.front().size == 1.0);
  }
}

TEST_CASE("app/study/convergence: differences of unequal ratios fall and yet diverge") {
  // Differences 0.100 and then 0.040, but over the ratios 3 and 1.5.
  const Convergence c =
      study_quantity(sample({1.0, 1.5, 4.5}, [](double h) { return std::pow(h, -0.1); }));
  CHECK(order_of_differences(c.members).slope == doctest::Approx(-0.1));
  CHECK(c.has(SequenceFlag::divergent));
  check_no_order(c);
  // And they grow and yet converge: order 0.5 with a coarse ratio below the fine one.
  const Convergence d =
      study_quantity(sample({1.0, 4.0, 4.4}, [](double h) { return std::sqrt(h); }));
  check_near(d.order, 0.5, 1e-10);
}

TEST_CASE(
    "app/study/convergence: a perturbed power law is flagged where it is coarse and only there") {
  const auto f = [](double h) { return 1.0 + h + 2.0 * h * h; };
  // 1.92 and 1.85 agree, on a wrong order: only theory tells.
  ConvergenceOptions options;
  options.theoretical_order = 1.0;
  const Convergence coarse = study_quantity(sample({4.0, 2.0, 1.0, 0.5}, f), options);
  REQUIRE(coarse.remarks.size() == 1);
  CHECK(coarse.remarks.front().flag == SequenceFlag::far_from_theory);

  const Sizes many{2.0, 0.5, 0.125, 0.03125, 0.0078125, 0.001953125};
  const Convergence c = study_quantity(sample(many, f));
  REQUIRE(c.has(SequenceFlag::coarse_members));
  CHECK(contains(sentence(c, SequenceFlag::coarse_members), "h = 2 "));
  REQUIRE(c.order.has_value());
  CHECK(*c.order > 1.0);
  CHECK(*c.order < 1.15);
  for (std::size_t i = 0; i + 1 < c.local_orders.size(); ++i)
    CHECK(*c.local_orders[i].order < *c.local_orders[i + 1].order);
  check_near(c.local_orders.front().order, 1.0, 0.05);

  const Convergence abrupt = study_quantity(sample({2.0, 0.5, 0.125, 0.03125}, f));
  CHECK(abrupt.has(SequenceFlag::not_asymptotic));
  check_no_order(abrupt);
}

TEST_CASE("app/study/convergence: oscillating values have no order") {
  const Convergence c = study_quantity({{4, 1.4}, {2, 0.8}, {1, 1.1}});
  REQUIRE(c.has(SequenceFlag::oscillatory));
  CHECK(contains(sentence(c, SequenceFlag::oscillatory), "h = 4, 2 and 1"));
  check_no_order(c);
  ConvergenceOptions options;
  options.exact = 1.0;
  const Convergence exact = study_quantity({{4, 1.4}, {2, 0.8}, {1, 1.1}}, options);
  CHECK(exact.has(SequenceFlag::oscillatory));
  check_no_order(exact);
}

TEST_CASE("app/study/convergence: diverging values and errors have no order") {
  const Convergence c = study_quantity({{4, 1.0}, {2, 2.0}, {1, 4.0}, {0.5, 8.0}});
  CHECK(c.has(SequenceFlag::divergent));
  check_no_order(c);
  const Convergence e = study_errors({{4, 0.1}, {2, 0.2}, {1, 0.3}});
  CHECK(contains(sentence(e, SequenceFlag::divergent), "h = 4, 2 and 1"));
  check_no_order(e);
}

TEST_CASE("app/study/convergence: a difference that vanishes by chance gives no order") {
  const Convergence c = study_quantity({{4, 2.0}, {2, 1.0}, {1, 1.0 - 1e-9}});
  REQUIRE(c.has(SequenceFlag::not_asymptotic));
  CHECK(
      contains(sentence(c, SequenceFlag::not_asymptotic), "faster than order 8 at h = 4, 2 and 1"));
  check_no_order(c);
  check_no_order(study_errors({{4, 2.0}, {2, 1.0}, {1, 1e-9}}));
}

TEST_CASE("app/study/convergence: trouble among the finest members alone takes the order away") {
  const Convergence c = study_errors({{8, 64.0}, {4, 16.0}, {2, 4.0}, {1, 5.0}});
  CHECK(c.has(SequenceFlag::divergent));
  CHECK(contains(sentence(c, SequenceFlag::divergent), "h = 2 and 1"));
  check_no_order(c);
}

TEST_CASE("app/study/convergence: constant values are converged to round-off and have no order") {
  const Convergence c = study_quantity({{4, 1.1}, {2, 1.1}, {1, 1.1 + 2e-16}});
  CHECK(c.has(SequenceFlag::round_off));
  check_no_order(c);
  CHECK(study_quantity({{4, 0.0}, {2, 0.0}, {1, 0.0}}).has(SequenceFlag::round_off));
  const Convergence e = study_errors({{4, 1e-2}, {2, 1e-8}, {1, 0.0}});
  CHECK(contains(sentence(e, SequenceFlag::round_off), "h = 2 and 1"));
  check_no_order(e);
  ConvergenceOptions options;
  options.scale = 1e3;
  CHECK(study_errors({{4, 4e-12}, {2, 2e-12}, {1, 1e-12}}).remarks.empty());
  check_no_order(study_errors({{4, 4e-12}, {2, 2e-12}, {1, 1e-12}}, options));
}

TEST_CASE(
    "app/study/convergence: with 1 % of noise the standard error covers the order or a flag is "
    "raised") {
  // Student's 95 % points: five errors leave three degrees of freedom, four differences two.
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0.0, 0.01);
  int judged = 0, covered = 0;
  for (int i = 0; i < 1000; ++i) {
    std::vector<Member> members =
        sample(halved, [&](double h) { return h * h * (1 + noise(random)); });
    const Convergence errors = study_errors(members);
    for (Member& member : members) member.value += 1.0;
    const Convergence values = study_quantity(members);
    for (const auto& [c, t] : {std::pair{&errors, 3.182}, std::pair{&values, 4.303}}) {
      if (!c->order) {
        CHECK_FALSE(c->remarks.empty());
        continue;
      }
      REQUIRE(c->standard_error.has_value());
      ++judged;
      covered += std::abs(*c->order - 2.0) <= t * *c->standard_error;
    }
  }
  MESSAGE("judged ", judged, " of 2000, covered ", covered);
  CHECK(judged > 1900);
  CHECK(covered > 0.92 * judged);
}

TEST_CASE("app/study/convergence: 1 % of noise on values that barely change gives no order") {
  std::mt19937 random(11);
  std::normal_distribution<double> noise(0.0, 0.01);
  int false_orders = 0;
  for (int i = 0; i < 1000; ++i) {
    const Convergence c = study_quantity(
        sample(halved, [&](double h) { return 1.0 + 1e-5 * h * h + noise(random); }));
    false_orders += c.order.has_value();
  }
  MESSAGE("orders read into noise: ", false_orders, " of 1000");
  CHECK(false_orders < 20);
}

TEST_CASE(
    "app/study/convergence: too few members are said, and two have a GCI by theory with factor 3") {
  CHECK(study_quantity({}).has(SequenceFlag::too_few));
  check_no_order(study_quantity({{1.0, 2.0}}));
  check_no_order(study_errors({{2.0, 4.0}, {1.0, 1.0}}));
  const std::vector<Member> two{{2.0, 1.4}, {1.0, 1.1}};
  check_no_order(study_quantity(two));
  ConvergenceOptions options;
  options.theoretical_order = 2.0;
  const Convergence c = study_quantity(two, options);
  CHECK(c.has(SequenceFlag::too_few));
  CHECK_FALSE(c.order.has_value());
  CHECK(c.safety_factor == 3.0);
  check_near(c.gci, 3.0 * 0.1, 1e-14);
  check_near(c.extrapolated, 1.0, 1e-14);
}

TEST_CASE("app/study/convergence: NaN, bad sizes and repeated sizes are left out and said") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  ConvergenceOptions options;
  options.size_name = "time step";
  options.size_unit = "ms";
  const Convergence c = study_quantity(
      {{8, 65}, {4, 17}, {2, 5}, {1, 2}, {0.5, nan}, {-1, 3}, {2, 7}, {nan, 1}}, options);
  check_near(c.order, 2.0, 1e-12);
  CHECK(c.members.size() == 4);
  CHECK(contains(sentence(c, SequenceFlag::unusable), "time step = 0.5 ms"));
  CHECK(contains(sentence(c, SequenceFlag::duplicate_size), "time step = 2 ms"));
  CHECK(std::count_if(c.remarks.begin(), c.remarks.end(), [](const Remark& remark) {
          return remark.flag == SequenceFlag::unusable;
        }) == 3);
}

TEST_CASE("app/study/convergence: a value of zero has a GCI but no relative one") {
  const Convergence c = study_quantity({{4, 15}, {2, 3}, {1, 0}});
  check_near(c.order, 2.0, 1e-12);
  check_near(c.gci, 1.25, 1e-12);
  CHECK_FALSE(c.relative_gci.has_value());
  CHECK(c.has(SequenceFlag::zero_value));
}

TEST_CASE("app/study/convergence: theory is compared with, and bounds the order in the GCI") {
  ConvergenceOptions options;
  options.theoretical_order = 1.0;
  const Convergence c =
      study_quantity(sample(halved, [](double h) { return 1.0 + h * h; }), options);
  check_near(c.order, 2.0, 1e-12);
  CHECK(c.has(SequenceFlag::far_from_theory));
  check_near(c.gci, 1.25 * 3.0, 1e-12);  // |f_2 - f_1| / (2^1 - 1)
  options.theoretical_order = 2.0;
  CHECK(study_quantity(sample(halved, [](double h) { return 1.0 + h * h; }), options)
            .remarks.empty());
}

TEST_CASE(
    "app/study/convergence: the GCI ratio sees a finest triplet that strays from the others") {
  ConvergenceOptions options;
  options.order_spread = 10.0;
  const std::vector<Member> members{{16, 257}, {8, 65}, {4, 17}, {2, 5}, {1, 3.9}};
  const Convergence c = study_quantity(members, options);
  CHECK(c.has(SequenceFlag::gci_ratio));
  check_no_order(c);
}

TEST_CASE("app/study/convergence: a line through points has the textbook standard error") {
  // Residuals -1/6, 1/3 and -1/6; one degree of freedom; sum of (x - 1)^2 is 2.
  const Line line = fit_line({0, 1, 2}, {0, 2, 3});
  CHECK(line.slope == doctest::Approx(1.5));
  CHECK(line.intercept == doctest::Approx(1.0 / 6.0));
  CHECK(*line.slope_error == doctest::Approx(std::sqrt(1.0 / 12.0)));
}

TEST_CASE("app/study/convergence: an order is printed with its standard error") {
  Convergence c;
  CHECK(order_text(c) == "—");
  c.order = 1.984;
  CHECK(order_text(c) == "1.98");
  c.standard_error = 0.021;
  CHECK(order_text(c) == "1.98 ± 0.02");
}
