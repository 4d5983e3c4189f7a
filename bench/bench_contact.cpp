// Our contact solvers beside those of Siconos 4.4, on the same problems and to the same certified
// residual: steps of the sliding block, hard ones among them, random problems, and FCLIB files:
//     bench_contact [FILE.hdf5 ...] [--benchmark_filter=block_41] [--benchmark_out=contact.json]
// A row contact/<sequence>/<solver> is the median over the sequence's problems; the rows of `auto`
// have the ratio of the fastest solver of Siconos to it. A table follows on standard error. Run by
// `make bench`.

#include "bench/contest.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <list>
#include <stdexcept>

namespace {

using namespace slipwave;

/// A sequence by name, made and measured when the first of its rows is asked for.
struct Event {
  std::string name;
  int dimension = 2;
  std::function<bench::Sequence()> make;
  std::optional<bench::Contest> contest;

  const bench::Contest& result() {
    if (!contest) contest = bench::hold_contest(make());
    return *contest;
  }
};

Event block(const std::string& name, const bench::BlockRun& run) {
  return {name, 2, [run] { return bench::block_sequence(run); }, {}};
}

std::list<Event> own_events() {
  return {
      block("block_41", {}),
      block("block_127", {.contacts = 127}),
      block("block_693", {.contacts = 693, .captured = 40}),
      block("large_step", {.contacts = 127, .h = 1e-2}),
      block("high_friction", {.contacts = 127, .friction = 1.5}),
      block("restitution", {.contacts = 127, .restitution = 0.9}),
      block("ill_conditioned", {.contacts = 127, .h = 0.1, .friction = 1.5, .restitution = 0.9}),
      {"random_2d_24", 2, [] { return bench::random_sequence(24, 2, 50); }, {}},
      {"random_2d_100", 2, [] { return bench::random_sequence(100, 2, 20); }, {}},
      {"random_3d_12", 3, [] { return bench::random_sequence(12, 3, 50); }, {}},
      {"random_3d_50", 3, [] { return bench::random_sequence(50, 3, 20); }, {}},
      {"wandering_3d_100", 3, [] { return bench::wandering_sequence(100, 3, 50); }, {}},
  };
}

Event stored(const std::filesystem::path& file) {
  const int dimension = bench::stored_sequence(file).dimension();
  return {file.stem().string(), dimension, [file] { return bench::stored_sequence(file); }, {}};
}

std::list<Event> stored_events(int argc, char** argv) {
  std::vector<std::filesystem::path> files(argv + 1, argv + argc);
  for (const auto& entry : std::filesystem::directory_iterator(SLIPWAVE_TEST_DATA "/fclib"))
    if (entry.path().extension() == ".hdf5") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::list<Event> events;
  for (const std::filesystem::path& file : files) events.push_back(stored(file));
  return events;
}

void add_ratios(const bench::Contest& contest, benchmark::State& state) {
  const bench::Outcome* fastest = contest.fastest_siconos();
  if (fastest != nullptr) state.counters["ratio"] = fastest->median() / contest.of("auto").median();
  if (const auto worst = contest.worst_ratio()) state.counters["worst_ratio"] = *worst;
  state.counters["lost"] = contest.lost();
}

void row(benchmark::State& state, Event& event, const std::string& solver) {
  const bench::Contest& contest = event.result();
  const bench::Outcome& outcome = contest.of(solver);
  for (auto _ : state) state.SetIterationTime(outcome.median());
  state.counters["contacts"] = contest.contacts;
  state.counters["condition"] = contest.condition;
  state.counters["problems"] = static_cast<double>(outcome.attempts.size());
  state.counters["certified"] = outcome.certified();
  state.counters["median_us"] = 1e6 * outcome.median();
  state.counters["max_us"] = 1e6 * outcome.longest();
  if (solver == "auto") add_ratios(contest, state);
}

void print_line(const Event& event) {
  const bench::Contest& contest = *event.contest;
  const bench::Outcome& ours = contest.of("auto");
  const bench::Outcome* theirs = contest.fastest_siconos();
  fmt::print(stderr, "{:<18}{:>5}{:>10.1e}{:>6}/{:<5}{:>10.1f}  {:<20}{:>10}{:>8}{:>8}{:>6}\n",
             event.name, contest.contacts, contest.condition, ours.certified(),
             ours.attempts.size(), 1e6 * ours.median(), theirs ? theirs->solver : "none",
             theirs ? fmt::format("{:.1f}", 1e6 * theirs->median()) : "-",
             theirs ? fmt::format("{:.1f}", theirs->median() / ours.median()) : "-",
             contest.worst_ratio() ? fmt::format("{:.2f}", *contest.worst_ratio()) : "-",
             contest.lost());
}

void print_table(const std::list<Event>& events) {
  fmt::print(stderr, "\n{:<18}{:>5}{:>10}{:>12}{:>10}  {:<20}{:>10}{:>8}{:>8}{:>6}\n", "sequence",
             "n", "cond(W)", "certified", "auto us", "fastest of Siconos", "us", "ratio", "worst",
             "lost");
  for (const Event& event : events)
    if (event.contest) print_line(event);
}

}  // namespace

int main(int argc, char** argv) try {
  benchmark::Initialize(&argc, argv);
  std::list<Event> events = own_events();
  events.splice(events.end(), stored_events(argc, argv));
  for (Event& event : events)
    for (const std::string& solver : bench::solver_names(event.dimension))
      benchmark::RegisterBenchmark(
          fmt::format("contact/{}/{}", event.name, solver).c_str(),
          [&event, solver](benchmark::State& state) { row(state, event, solver); })
          ->Iterations(1)
          ->UseManualTime()
          ->Unit(benchmark::kMicrosecond);
  benchmark::RunSpecifiedBenchmarks();
  print_table(events);
} catch (const std::exception& error) {
  fmt::print(stderr, "bench_contact: {}\n", error.what());
  return 1;
}
