#include "bench/contest.hpp"

#include "bench/siconos.hpp"
#include "contact/solvers/solver.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <tuple>
#include <variant>

namespace slipwave::bench {

namespace {

constexpr int passes = 5;
constexpr int max_iterations = 10000;
// Of one solver; beyond that it leaves the rest. A slow one needs no repetition.
constexpr double seconds_of_first_pass = 10.0, seconds_of_a_pass = 2.0;

struct OurMethod {
  const char* name;
  contact::Method method;
};
constexpr std::array our_methods = {OurMethod{"auto", contact::Method::automatic},
                                    OurMethod{"nsgs", contact::Method::nsgs},
                                    OurMethod{"newton", contact::Method::newton}};

/// Independent of what the solvers say: w over all entries of W.
bool is_certified(const contact::Problem& problem, contact::Solution solution) {
  solution.w = problem.W.matrix() * solution.p + problem.b;
  return contact::residual(problem, solution).worst() <= tolerance;
}

/// One of our solvers, as the integrator uses it: one object for all problems with one W.
class OurRun {
 public:
  explicit OurRun(contact::Method method) : options_{method, tolerance, max_iterations, 1.0} {}
  void restart() { solver_.reset(), W_ = nullptr; }
  Attempt solve(std::size_t, const contact::Problem& problem) {
    if (W_ != &problem.W) start(problem);
    const auto start = std::chrono::steady_clock::now();
    const contact::SolverReport report = solver_->solve(problem, *solution_);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    return {true, report.converged && is_certified(problem, *solution_), time.count(),
            report.iterations};
  }

 private:
  void start(const contact::Problem& problem) {
    W_ = &problem.W;
    solver_.emplace(problem.W, options_);
    solution_.emplace(problem.W.contact_count(), problem.dimension());
  }

  contact::SolverOptions options_;
  const contact::DenseBand* W_ = nullptr;
  std::optional<contact::Solver> solver_;
  std::optional<contact::Solution> solution_;
};

/// W as Siconos stores it, once per set of active contacts.
class MatrixStore {
 public:
  const SiconosMatrix& get(const contact::Problem& problem, SiconosStorage storage) {
    return store_.try_emplace({&problem.W, storage, problem.active}, problem, storage)
        .first->second;
  }

 private:
  std::map<std::tuple<const contact::DenseBand*, SiconosStorage, std::vector<int>>, SiconosMatrix>
      store_;
};

/// One solver of Siconos. Its own tolerance is not ours: the first pass finds, per problem, the
/// loosest that gets certified, and the others use that.
class SiconosRun {
 public:
  SiconosRun(const SiconosMethod& method, MatrixStore& store, std::size_t count)
      : method_(method), store_(store), solver_(method, max_iterations), own_(count, own.begin()) {}
  void restart() { W_ = nullptr; }
  Attempt solve(std::size_t k, const contact::Problem& problem) {
    if (W_ != &problem.W) start(problem);
    const SiconosMatrix& W = store_.get(problem, method_.storage);
    Attempt attempt;
    for (auto& own_tolerance = own_[k]; own_tolerance != own.end(); ++own_tolerance) {
      contact::Solution solution = *guess_;
      const SiconosReport report = solver_.solve(problem, W, *own_tolerance, solution);
      attempt = {true, is_certified(problem, solution), report.seconds, report.iterations};
      if (attempt.certified) guess_ = std::move(solution);
      if (attempt.certified || report.iterations >= max_iterations) break;
    }
    return attempt;
  }

 private:
  static constexpr std::array own = {1e-10, 1e-11, 1e-12, 1e-13, 1e-14};

  void start(const contact::Problem& problem) {
    W_ = &problem.W;
    guess_.emplace(problem.W.contact_count(), problem.dimension());
  }

  SiconosMethod method_;
  MatrixStore& store_;
  SiconosSolver solver_;
  std::vector<decltype(own)::const_iterator> own_;  // tolerance per problem
  const contact::DenseBand* W_ = nullptr;
  std::optional<contact::Solution> guess_;
};

using Run = std::variant<OurRun, SiconosRun>;

std::vector<Run> all_runs(const Sequence& sequence, MatrixStore& store) {
  std::vector<Run> runs;
  for (const OurMethod& method : our_methods) runs.emplace_back(OurRun(method.method));
  for (const SiconosMethod& method : siconos_methods(sequence.dimension()))
    runs.emplace_back(SiconosRun(method, store, sequence.size()));
  return runs;
}

/// The shortest time of all passes; what did not succeed once is not tried again.
void record(const Attempt& attempt, bool first_pass, Attempt& best) {
  if (first_pass) best = attempt;
  if (attempt.certified) best.seconds = std::min(best.seconds, attempt.seconds);
}

/// One pass of all solvers through the sequence, side by side. Each problem and pass begins with
/// another solver: the first one finds nothing in the caches.
void run_pass(Sequence& sequence, int pass, std::vector<Run>& runs,
              std::vector<Outcome>& outcomes) {
  std::vector<double> spent(runs.size(), 0.0);
  const double limit = pass == 0 ? seconds_of_first_pass : seconds_of_a_pass;
  for (Run& run : runs) std::visit([](auto& r) { r.restart(); }, run);
  for (std::size_t k = 0; k < sequence.size(); ++k)
    for (std::size_t turn = 0; turn < runs.size(); ++turn) {
      const std::size_t s = (turn + k + static_cast<std::size_t>(pass)) % runs.size();
      Attempt& best = outcomes[s].attempts[k];
      if (spent[s] > limit || (pass > 0 && !best.certified)) continue;
      const auto start = std::chrono::steady_clock::now();
      record(std::visit([&](auto& run) { return run.solve(k, sequence.problem(k)); }, runs[s]),
             pass == 0, best);
      spent[s] += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
}

std::vector<double> tried_seconds(const Outcome& outcome) {
  std::vector<double> seconds;
  for (const Attempt& attempt : outcome.attempts)
    if (attempt.tried) seconds.push_back(attempt.seconds);
  return seconds;
}

bool is_siconos(const Outcome& outcome) { return outcome.solver.starts_with("siconos"); }

}  // namespace

int Outcome::certified() const {
  return static_cast<int>(std::count_if(attempts.begin(), attempts.end(),
                                        [](const Attempt& a) { return a.certified; }));
}

double Outcome::median() const {
  std::vector<double> seconds = tried_seconds(*this);
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

double Outcome::longest() const {
  const std::vector<double> seconds = tried_seconds(*this);
  return *std::max_element(seconds.begin(), seconds.end());
}

const Outcome& Contest::of(const std::string& solver) const {
  return *std::find_if(outcomes.begin(), outcomes.end(),
                       [&](const Outcome& outcome) { return outcome.solver == solver; });
}

const Outcome* Contest::fastest_siconos() const {
  const Outcome* fastest = nullptr;
  for (const Outcome& outcome : outcomes)
    if (is_siconos(outcome) && outcome.certified_all() &&
        (fastest == nullptr || outcome.median() < fastest->median()))
      fastest = &outcome;
  return fastest;
}

std::optional<double> Contest::worst_ratio() const {
  const Outcome& ours = of("auto");
  std::optional<double> worst;
  for (std::size_t k = 0; k < ours.attempts.size(); ++k) {
    std::optional<double> best;
    for (const Outcome& outcome : outcomes)
      if (is_siconos(outcome) && outcome.attempts[k].certified)
        best = std::min(best.value_or(1e300), outcome.attempts[k].seconds);
    if (best) worst = std::min(worst.value_or(1e300), *best / ours.attempts[k].seconds);
  }
  return worst;
}

int Contest::lost() const {
  const Outcome& ours = of("auto");
  int count = 0;
  for (std::size_t k = 0; k < ours.attempts.size(); ++k)
    if (!ours.attempts[k].certified &&
        std::any_of(outcomes.begin(), outcomes.end(),
                    [&](const Outcome& o) { return is_siconos(o) && o.attempts[k].certified; }))
      ++count;
  return count;
}

std::vector<std::string> solver_names(int dimension) {
  std::vector<std::string> names;
  for (const OurMethod& method : our_methods) names.emplace_back(method.name);
  for (const SiconosMethod& method : siconos_methods(dimension)) names.emplace_back(method.name);
  return names;
}

Contest hold_contest(Sequence sequence) {
  MatrixStore store;
  std::vector<Run> runs = all_runs(sequence, store);
  Contest contest;
  const contact::DenseBand& first = sequence.problem(0).W;
  contest.contacts = first.contact_count();
  contest.condition = condition(first);
  for (const std::string& name : solver_names(sequence.dimension()))
    contest.outcomes.push_back({name, std::vector<Attempt>(sequence.size())});
  for (int pass = 0; pass < passes; ++pass) run_pass(sequence, pass, runs, contest.outcomes);
  return contest;
}

}  // namespace slipwave::bench
