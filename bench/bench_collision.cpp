// What contact detection costs: docs/rigid-bodies.md has its figures.
//     wall/T/A          the paper's wall of 275 blocks, joints closed, T threads, with an alert
//                       distance of A micrometres
//     open_wall/T/A     the same with joints of 10 mm, where blocks that share no face are near too
//     contacts/N        walls of about N contacts, one thread
// `contacts` are those found, `each` is the time per contact.

#include "parallel/team.hpp"
#include "tests/support/masonry_wall.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace slipwave;

void detect(benchmark::State& state, const tests::MasonryWall& wall, double alert) {
  collision::Detection detection = wall.detection();
  const std::vector<double> alerts = wall.alert(0.5 * alert);
  const std::vector<char> present = wall.present();
  std::size_t contacts = 0;
  for (auto _ : state) {
    contacts = 0;
    for (const collision::Meeting& meeting : detection.find(wall.poses, alerts, present))
      contacts += meeting.patch.points.size();
  }
  using Counter = benchmark::Counter;
  state.counters["contacts"] = static_cast<double>(contacts);
  state.counters["each"] =
      Counter(static_cast<double>(contacts), Counter::kIsIterationInvariantRate | Counter::kInvert);
}

void wall(benchmark::State& state) {
  parallel::set_threads(static_cast<int>(state.range(0)));
  detect(state, tests::MasonryWall(), 1e-6 * static_cast<double>(state.range(1)));
  parallel::set_threads(1);
}
BENCHMARK(wall)->ArgsProduct({{1, 2}, {100, 50000}})->Unit(benchmark::kMillisecond);

void open_wall(benchmark::State& state) {
  parallel::set_threads(static_cast<int>(state.range(0)));
  detect(state, tests::MasonryWall(0.01), 1e-6 * static_cast<double>(state.range(1)));
  parallel::set_threads(1);
}
BENCHMARK(open_wall)->ArgsProduct({{1, 2}, {20000}})->Unit(benchmark::kMillisecond);

/// Four layers, 44 contacts for each block that they are longer.
void contacts(benchmark::State& state) {
  const tests::MasonryWall wall(0.0, 4, 2 + static_cast<int>(state.range(0)) / 44, false);
  detect(state, wall, 1e-4);
}
BENCHMARK(contacts)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
