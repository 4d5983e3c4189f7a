// What a mesh of N nodes costs. Run by `make bench`, which turns the figures into
// docs/benchmarks.md.
//     step/N/T   a whole step with T threads against one plain single-threaded CHOLMOD solve of the
//                same matrix, in turns, so that whatever else the machine does hits both
//     whole/N    assembly, factorisation and 20 steps, and the memory they took: one per process

#include "bench/plain_solve.hpp"
#include "bench/structured_block.hpp"
#include "dynamics/schemes/theta_integrator.hpp"
#include "fem/assembly.hpp"
#include "parallel/team.hpp"

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <memory>

namespace {

using namespace slipwave;

constexpr double h = 1e-4;

template <class Work>
double milliseconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The sliding block ready to step, and the same matrix factorised by CHOLMOD alone.
struct Contest {
  explicit Contest(int nodes_wanted)
      : nodes(nodes_wanted),
        block(bench::sliding_block(bench::structured_block(nodes))),
        plain(bench::free_iteration_matrix(block.system, 0.5, h)),
        integrator(block.system, dynamics::moreau_jean_fremond(0.5), h, {}),
        L(dynamic_cast<const linear::ContactLastMatrix&>(integrator.matrix()).factor().L()),
        y(Eigen::VectorXd::Ones(L.work_size())) {}

  int nodes;
  bench::SlidingBlock block;
  bench::PlainSolve plain;
  dynamics::ThetaIntegrator integrator;
  const linear::SupernodalTriangle& L;
  Eigen::VectorXd y;
};

/// The contest of this size; the one before is forgotten, for two of a million nodes would not fit.
Contest& contest(int nodes) {
  static std::unique_ptr<Contest> kept;
  if (!kept || kept->nodes != nodes) {
    kept.reset();
    kept = std::make_unique<Contest>(nodes);
  }
  return *kept;
}

void step(benchmark::State& state) {
  parallel::set_threads(1);
  Contest& c = contest(static_cast<int>(state.range(0)));
  parallel::set_threads(static_cast<int>(state.range(1)));
  const int turn = std::max(1, 20000 / c.nodes);  // as many of each as take some milliseconds
  std::vector<double> plain, step, triangles, ratio;
  for (auto _ : state) {
    plain.push_back(milliseconds([&] {
                      for (int i = 0; i < turn; ++i) c.plain.solve();
                    }) /
                    turn);
    step.push_back(milliseconds([&] {
                     for (int i = 0; i < turn; ++i)
                       benchmark::DoNotOptimize(
                           parallel::paced([&] { return c.integrator.advance(c.block.state); }));
                   }) /
                   turn);
    triangles.push_back(milliseconds([&] {
                          for (int i = 0; i < turn; ++i) {
                            c.L.forward(c.y);
                            c.L.backward(c.y);
                          }
                        }) /
                        turn);
    ratio.push_back(step.back() / plain.back());
    state.SetIterationTime(step.back() * 1e-3);
  }
  state.counters["contacts"] = c.block.system.contact_count();
  state.counters["factor_values"] = static_cast<double>(c.L.stored_values());
  state.counters["plain_values"] = static_cast<double>(c.plain.stored_values());
  state.counters["plain_ms"] = median(plain);
  state.counters["step_ms"] = median(step);
  state.counters["triangles_ms"] = median(triangles);
  state.counters["ratio"] = median(ratio);
}

double peak_memory_MiB() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

void whole(benchmark::State& state) {
  constexpr int steps = 20;
  const fem::Mesh mesh = bench::structured_block(static_cast<int>(state.range(0)));
  const fem::MaterialMap materials = bench::paper_material(mesh);
  for (auto _ : state) {
    state.counters["assembly_ms"] =
        milliseconds([&] { benchmark::DoNotOptimize(fem::assemble(mesh, materials)); });
    bench::SlidingBlock block = bench::sliding_block(mesh);
    std::unique_ptr<dynamics::ThetaIntegrator> integrator;
    state.counters["factorisation_ms"] = milliseconds([&] {
      integrator = std::make_unique<dynamics::ThetaIntegrator>(
          std::move(block.system), dynamics::moreau_jean_fremond(0.5), h, contact::SolverOptions{});
    });
    state.counters["steps_ms"] = milliseconds([&] {
      for (int i = 0; i < steps; ++i) benchmark::DoNotOptimize(integrator->advance(block.state));
    });
  }
  state.counters["nodes"] = mesh.node_count();
  state.counters["peak_MiB"] = peak_memory_MiB();
}

}  // namespace

// Both numbers of threads of a size one after the other: they share its factorisation.
BENCHMARK(step)
    ->Args({1000, 1})
    ->Args({1000, 2})
    ->Args({10000, 1})
    ->Args({10000, 2})
    ->Iterations(60)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(step)
    ->Args({100000, 1})
    ->Args({100000, 2})
    ->Args({300000, 1})
    ->Args({300000, 2})
    ->Args({1000000, 1})
    ->Args({1000000, 2})
    ->Iterations(15)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(whole)
    ->Arg(1000)
    ->Arg(10000)
    ->Arg(100000)
    ->Arg(1000000)
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
