// What threads do to a step on a machine that has other things to do. Run by `make bench`, which
// turns the figures into docs/benchmarks.md.
//     threads/N/L   a step of a mesh of N nodes with 1, 2, 4 and 8 threads in turns, beside L busy
//                   processes; L = -1: alone in a control group with a quota of one processor.
// As in a run, no more threads are started than there are processors.

#include "bench/load.hpp"
#include "bench/structured_block.hpp"
#include "dynamics/schemes/theta_integrator.hpp"
#include "parallel/processors.hpp"
#include "parallel/team.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace {

using namespace slipwave;

constexpr std::array counts{1, 2, 4, 8};
constexpr double h = 1e-4;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The sliding block ready to step.
struct Run {
  explicit Run(int nodes_wanted)
      : nodes(nodes_wanted),
        block(bench::sliding_block(bench::structured_block(nodes))),
        integrator(block.system, dynamics::moreau_jean_fremond(0.5), h, {}) {}

  int nodes;
  bench::SlidingBlock block;
  dynamics::ThetaIntegrator integrator;
};

/// The run of this size; it is factorised once for all loads.
Run& run_of(int nodes) {
  static std::unique_ptr<Run> kept;
  if (!kept || kept->nodes != nodes) kept = std::make_unique<Run>(nodes);
  return *kept;
}

/// Milliseconds a step, in a stretch of steps as a run makes them: what the team learns about the
/// load it learns in this time.
double step_time(Run& run, int threads, int steps) {
  parallel::set_threads(std::min(threads, parallel::available_processors()));
  const auto start = std::chrono::steady_clock::now();
  for (int k = 0; k < steps; ++k)
    benchmark::DoNotOptimize(
        parallel::paced([&] { return run.integrator.advance(run.block.state); }));
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  return time.count() / steps;
}

void threads(benchmark::State& state) {
  Run& run = run_of(static_cast<int>(state.range(0)));
  const int load = static_cast<int>(state.range(1));
  std::optional<bench::LimitedGroup> group;
  if (load < 0) group.emplace(1.0);
  if (group && !group->made()) return state.SkipWithError("no control group can be made here");
  const bench::BusyProcesses others(std::max(load, 0));
  const int steps = std::max(25, 2500000 / run.nodes);
  std::array<std::vector<double>, counts.size()> times, ratios;
  for (auto _ : state)
    for (std::size_t k = 0; k < counts.size(); ++k) {
      times[k].push_back(step_time(run, counts[k], steps));
      ratios[k].push_back(times[k].back() / times[0].back());
    }
  parallel::set_threads(1);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    state.counters["ms_" + std::to_string(counts[k])] = median(times[k]);
    state.counters["ratio_" + std::to_string(counts[k])] = median(ratios[k]);
  }
}

}  // namespace

BENCHMARK(threads)
    ->Apply([](auto* all) {
      for (const int nodes : {1000, 10000, 100000})
        for (const int load : {0, 1, 2, -1}) all->Args({nodes, load});
    }) -> Iterations(5) -> UseRealTime() -> Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
