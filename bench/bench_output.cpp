// What writing costs a run. Run by `make bench`, which turns the figures into
// docs/benchmarks-output.md.
//     output/N   the time loop of the sliding block on about N nodes: without output but the
//                ledger, with interface.h5 at every step, and with frames at the default stride, in
//                turns, so that whatever else the machine does hits all three

#include "app/run/run_case.hpp"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace slipwave;

struct Variant {
  const char* name;
  const char* frames;
  const char* interface;
};

constexpr std::array variants{
    Variant{"plain", "output.frames_every=0", "output.interface_every=0"},
    Variant{"interface", "output.frames_every=0", "output.interface_every=1"},
    Variant{"frames", "output.frames_every=100", "output.interface_every=0"},
    Variant{"both", "output.frames_every=100", "output.interface_every=1"}};

/// The seconds of the time loop, as summary.json has them.
double seconds_of_loop(const std::filesystem::path& folder) {
  std::stringstream text;
  text << std::ifstream(folder / "summary.json").rdbuf();
  const std::string key = "\"time_loop\" : ";
  return std::stod(text.str().substr(text.str().find(key) + key.size()));
}

double run(const Variant& variant, const std::string& size, int steps) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("slipwave_bench_" + std::to_string(getpid()));
  app::RunOptions options;
  options.case_file = SLIPWAVE_ROOT "/cases/sliding_block.toml";
  options.out = folder.string();
  options.steps = steps;
  options.set = {variant.frames, variant.interface, "mesh.size=" + size};
  options.force = options.quiet = true;
  if (app::run_case(options) != app::success) throw std::runtime_error("the run failed");
  const double seconds = seconds_of_loop(folder);
  std::filesystem::remove_all(folder);
  return seconds;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void output(benchmark::State& state, const std::string& size, int steps) {
  std::array<std::vector<double>, variants.size()> seconds;
  for (auto _ : state) {
    for (std::size_t k = 0; k < variants.size(); ++k)
      seconds[k].push_back(run(variants[k], size, steps));
    state.SetIterationTime(seconds[0].back());
  }
  const double plain = median(seconds[0]);
  state.counters["plain_s"] = plain;
  for (std::size_t k = 1; k < variants.size(); ++k)
    state.counters[std::string(variants[k].name) + "_over_plain"] = median(seconds[k]) / plain;
}

}  // namespace

BENCHMARK_CAPTURE(output, 1000, "1.0", 10000)
    ->UseManualTime()
    ->Iterations(7)
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(output, 100000, "0.107", 1000)
    ->UseManualTime()
    ->Iterations(3)
    ->Unit(benchmark::kSecond);

BENCHMARK_MAIN();
