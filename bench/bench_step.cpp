// What a mesh of N nodes costs: assembly, factorisation, one step with its ledger, and, for the
// ratio, one forward and backward solve alone. Run by `make bench`.

#include "bench/structured_block.hpp"
#include "dynamics/integrator.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace slipwave;

constexpr double h = 1e-4;

void assembly(benchmark::State& state) {
  const fem::Mesh mesh = bench::structured_block(static_cast<int>(state.range(0)));
  const fem::MaterialMap materials = bench::paper_material(mesh);
  for (auto _ : state) benchmark::DoNotOptimize(fem::assemble(mesh, materials));
  state.counters["nodes"] = mesh.node_count();
}
BENCHMARK(assembly)
    ->Arg(1000)
    ->Arg(10000)
    ->Arg(100000)
    ->Arg(1000000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void factorisation(benchmark::State& state) {
  const bench::SlidingBlock block =
      bench::sliding_block(bench::structured_block(static_cast<int>(state.range(0))));
  for (auto _ : state) {
    const dynamics::Integrator integrator(block.system, dynamics::moreau_jean_fremond(0.5), h, {});
    state.counters["factor_values"] = static_cast<double>(integrator.factor().L().stored_values());
  }
}
BENCHMARK(factorisation)
    ->Arg(1000)
    ->Arg(10000)
    ->Arg(100000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void step(benchmark::State& state) {
  bench::SlidingBlock block =
      bench::sliding_block(bench::structured_block(static_cast<int>(state.range(0))));
  dynamics::Integrator integrator(block.system, dynamics::moreau_jean_fremond(0.5), h, {});
  for (auto _ : state) benchmark::DoNotOptimize(integrator.advance(block.state));
  state.counters["contacts"] = block.system.contact_count();
}
BENCHMARK(step)->Arg(1000)->Arg(10000)->Arg(100000)->Unit(benchmark::kMillisecond)->UseRealTime();

void forward_and_backward(benchmark::State& state) {
  const bench::SlidingBlock block =
      bench::sliding_block(bench::structured_block(static_cast<int>(state.range(0))));
  const dynamics::Integrator integrator(block.system, dynamics::moreau_jean_fremond(0.5), h, {});
  Eigen::VectorXd y = Eigen::VectorXd::Ones(integrator.factor().L().work_size());
  for (auto _ : state) {
    integrator.factor().L().forward(y);
    integrator.factor().L().backward(y);
    benchmark::DoNotOptimize(y.data());
  }
}
BENCHMARK(forward_and_backward)
    ->Arg(1000)
    ->Arg(10000)
    ->Arg(100000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
