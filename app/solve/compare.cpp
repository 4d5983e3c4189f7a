#include "app/solve/compare.hpp"

#include "app/messages/say.hpp"
#include "app/plot/chart.hpp"
#include "app/results/run_folder.hpp"
#include "app/solve/profile.hpp"
#include "app/solve/timed_solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <exception>
#include <limits>
#include <optional>

namespace slipwave::app {

namespace {

/// Where the profile is printed.
constexpr std::array taus = {1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 100.0};

volatile std::sig_atomic_t signal_received = 0;

/// The first asks to stop, a second ends the program.
void listen_for_signals_once() {
  struct sigaction action {};
  action.sa_handler = [](int signal) { signal_received = signal; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

/// A row of the table.
struct Row {
  std::string method;
  TimedSolve solve;
};

/// A file with its rows.
struct ComparedFile {
  std::string name;
  int dimension = 0, contacts = 0;
  std::vector<Row> rows;

  const TimedSolve* of(const std::string& method) const {
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [&](const Row& row) { return row.method == method; });
    return found == rows.end() ? nullptr : &found->solve;
  }
};

bool is_siconos(const std::string& method) { return method.starts_with("siconos-"); }

/// In the order in which files have them.
std::vector<std::string> methods_of(const std::vector<ComparedFile>& files) {
  std::vector<std::string> names;
  for (const bool theirs : {false, true})
    for (const ComparedFile& file : files)
      for (const Row& row : file.rows)
        if (is_siconos(row.method) == theirs &&
            std::find(names.begin(), names.end(), row.method) == names.end())
          names.push_back(row.method);
  return names;
}

Eigen::ArrayXXd times_of(const std::vector<ComparedFile>& files,
                         const std::vector<std::string>& methods) {
  Eigen::ArrayXXd times(files.size(), methods.size());
  for (std::size_t f = 0; f < files.size(); ++f)
    for (std::size_t m = 0; m < methods.size(); ++m) {
      const TimedSolve* solve = files[f].of(methods[m]);
      times(static_cast<Eigen::Index>(f), static_cast<Eigen::Index>(m)) =
          solve && solve->certified ? solve->seconds : std::numeric_limits<double>::infinity();
    }
  return times;
}

/// Ours that suit a problem: newton is of plane local ones.
std::vector<contact::Method> methods_for(const FileProblem& problem) {
  using contact::Method;
  std::vector<Method> methods{Method::automatic, Method::nsgs, Method::proximal_newton,
                              Method::interior_point};
  if (problem.dimension() == 2 && problem.form != contact::StoredForm::global)
    methods.push_back(Method::newton);
  return methods;
}

std::string ms_text(const TimedSolve& solve) {
  return std::isfinite(solve.seconds) ? fmt::format("{:.3g}", 1e3 * solve.seconds) : "-";
}

std::string residual_text(double residual) {
  return std::isfinite(residual) ? fmt::format("{:.1e}", residual) : "-";
}

std::string verdict(const TimedSolve& solve) {
  if (solve.certified) return "yes";
  return solve.remark.empty() ? "no" : "no: " + solve.remark;
}

/// One file, solve after solve.
class FileContest {
 public:
  FileContest(const CompareOptions& options, const SiconosRunner& siconos, std::string place)
      : siconos_(siconos), place_(std::move(place)) {
    timed_.tolerance = options.tolerance;
    timed_.threads = options.threads;
    timed_.limit = options.limit;
    timed_.unwanted = [] { return signal_received != 0; };
  }

  /// What was not interrupted.
  ComparedFile run(const std::string& name) {
    const FileProblem problem = read_problem(name, contact::Method::automatic, false);
    ComparedFile file{name, problem.dimension(), problem.contact_count(), {}};
    for (const contact::Method method : methods_for(problem))
      add(file, std::string(contact::name_of(method)),
          [&] { return timed_solve(problem, method, timed_); });
    for (const std::string& method : siconos_.methods_for(problem))
      add(file, "siconos-" + method, [&] { return siconos_.solve(problem, method, timed_); });
    return file;
  }

 private:
  template <class Solve>
  void add(ComparedFile& file, const std::string& method, const Solve& solve) {
    if (signal_received != 0) return;
    const TimedSolve solved = solve();
    if (signal_received != 0) return;
    say(stderr, "[{}] {}: {} ms, certified: {}\n", place_, method, ms_text(solved),
        verdict(solved));
    file.rows.push_back({method, solved});
  }

  const SiconosRunner& siconos_;
  std::string place_;
  TimedOptions timed_;
};

/// A file's name without its folders.
std::string short_name(const std::string& file) {
  return std::filesystem::path(file).filename().string();
}

void print_table(const std::vector<ComparedFile>& files) {
  std::size_t width = 4;
  for (const ComparedFile& file : files) width = std::max(width, short_name(file.name).size());
  fmt::print("{:{}}  {:16} {:>9} {:>8} {:>8}  {}\n", "file", width, "method", "ms", "raw", "scaled",
             "certified");
  for (const ComparedFile& file : files)
    for (const Row& row : file.rows)
      fmt::print("{:{}}  {:16} {:>9} {:>8} {:>8}  {}\n", short_name(file.name), width, row.method,
                 ms_text(row.solve), residual_text(row.solve.residual.raw),
                 residual_text(row.solve.residual.scaled), verdict(row.solve));
}

void print_profile(const std::vector<std::string>& methods, const Eigen::ArrayXXd& ratios) {
  fmt::print("\nshare of the {} file(s) solved within tau times the fastest\n{:16}", ratios.rows(),
             "tau");
  for (const double tau : taus) fmt::print(" {:>6g}", tau);
  fmt::print("\n");
  for (std::size_t m = 0; m < methods.size(); ++m) {
    fmt::print("{:16}", methods[m]);
    for (const double tau : taus)
      fmt::print(" {:6.2f}", share_within(ratios.col(static_cast<Eigen::Index>(m)), tau));
    fmt::print("\n");
  }
}

/// The fastest certified solver of Siconos for a file.
const Row* best_of_siconos(const ComparedFile& file) {
  const Row* best = nullptr;
  for (const Row& row : file.rows)
    if (is_siconos(row.method) && row.solve.certified &&
        (!best || row.solve.seconds < best->solve.seconds))
      best = &row;
  return best;
}

/// How many times as long as auto the best solver of Siconos took, where both have a certificate.
void print_ratios(const std::vector<ComparedFile>& files) {
  std::vector<double> ratios;
  fmt::print("\nfastest of Siconos / auto\n");
  for (const ComparedFile& file : files) {
    const Row* best = best_of_siconos(file);
    const TimedSolve* ours = file.of("auto");
    const bool both = best && ours && ours->certified;
    if (both) ratios.push_back(best->solve.seconds / ours->seconds);
    fmt::print("{:>9}  {}: {}\n", both ? fmt::format("{:.3g}", ratios.back()) : "-",
               short_name(file.name), best ? best->method : "none of Siconos is certified");
  }
  if (!ratios.empty())
    fmt::print("{:>9.3g}  median of {} file(s)\n", median(ratios), ratios.size());
}

/// In quotes, and quotes doubled.
std::string csv_text(const std::string& text) {
  std::string field = "\"";
  for (const char c : text) field.append(c == '"' ? 2 : 1, c);
  return field + "\"";
}

std::string csv_number(double number) {
  return std::isfinite(number) ? fmt::format("{}", number) : "";
}

void write_table(const std::vector<ComparedFile>& files, const std::string& folder) {
  write_result(folder, "compare.csv", [&](std::ostream& out) {
    out << "file,dimension,contacts,method,ms,raw,scaled,certified,asked_tolerance,remark\n";
    for (const ComparedFile& file : files)
      for (const auto& [method, solve] : file.rows)
        out << fmt::format("{},{},{},{},{},{},{},{},{},{}\n", csv_text(file.name), file.dimension,
                           file.contacts, method, csv_number(1e3 * solve.seconds),
                           csv_number(solve.residual.raw), csv_number(solve.residual.scaled),
                           solve.certified ? "yes" : "no", solve.own_tolerance,
                           csv_text(solve.remark));
  });
}

void write_profile(const std::vector<std::string>& methods, const Eigen::ArrayXXd& ratios,
                   const std::string& folder) {
  write_result(folder, "profile.csv", [&](std::ostream& out) {
    out << "method";
    for (const double tau : taus) out << fmt::format(",{:g}", tau);
    out << "\n";
    for (std::size_t m = 0; m < methods.size(); ++m) {
      out << methods[m];
      for (const double tau : taus)
        out << fmt::format(",{}", share_within(ratios.col(static_cast<Eigen::Index>(m)), tau));
      out << "\n";
    }
  });
}

/// The next power of two from the largest ratio on, but no more than 2^10.
double last_tau(const Eigen::ArrayXXd& ratios) {
  const double largest = ratios.isFinite().select(ratios, 1.0).maxCoeff();
  return std::exp2(std::clamp(std::ceil(std::log2(largest)), 1.0, 10.0));
}

/// Ours solid and wide, those of Siconos dashed.
Chart profile_figure(const std::vector<std::string>& methods, const Eigen::ArrayXXd& ratios) {
  const double last = last_tau(ratios);
  Chart chart{.title = fmt::format("Performance profile over {} contact problem(s)", ratios.rows()),
              .x = {"log₂ τ", "", AxisScale::linear, 0.0, std::log2(last)},
              .y = {"share solved within τ × the fastest", "", AxisScale::linear, 0.0, 1.02},
              .curves = {},
              .slopes = {},
              .style = {.markers = false}};
  for (std::size_t m = 0; m < methods.size(); ++m) {
    ProfileSteps steps = profile_steps(ratios.col(static_cast<Eigen::Index>(m)), last);
    if (steps.x.empty()) continue;
    const std::size_t place = chart.curves.size();
    const CurveLook look =
        is_siconos(methods[m]) ? CurveLook{place, 1 + place % 3, 1.4} : CurveLook{place, 0, 2.4};
    chart.curves.push_back({methods[m], std::move(steps.x), std::move(steps.y), look});
  }
  return chart;
}

void print_and_write(const std::vector<ComparedFile>& files, const std::string& folder) {
  const std::vector<std::string> methods = methods_of(files);
  if (methods.empty()) return;
  const Eigen::ArrayXXd ratios = ratios_to_fastest(times_of(files, methods));
  print_table(files);
  print_profile(methods, ratios);
  if (std::any_of(methods.begin(), methods.end(), is_siconos)) print_ratios(files);
  write_table(files, folder);
  write_profile(methods, ratios, folder);
  const Figure figure = draw_chart(profile_figure(methods, ratios));
  write_result(folder, "profile.svg", [&](std::ostream& out) { out << figure.svg; });
  fmt::print("\nwritten to {}: compare.csv, profile.csv, profile.svg\n", folder);
}

ExitCode worse(ExitCode a, ExitCode b) { return std::max(a, b); }

}  // namespace

ExitCode compare_solvers(const CompareOptions& options) {
  make_output_folder(options.out);
  listen_for_signals_once();
  const SiconosRunner siconos;
  std::vector<ComparedFile> files;
  ExitCode code = success;
  for (std::size_t f = 0; f < options.files.size() && signal_received == 0; ++f) {
    const std::string& name = options.files[f];
    FileContest contest(options, siconos,
                        fmt::format("{}/{} {}", f + 1, options.files.size(), short_name(name)));
    try {
      files.push_back(contest.run(name));
      const TimedSolve* ours = files.back().of("auto");
      if (ours && !ours->certified) code = worse(code, step_failed);
    } catch (const contact::FclibError& error) {
      print_error(error.what());
      code = worse(code, bad_input);
    } catch (const std::invalid_argument& error) {
      print_error(name + ": " + error.what());
      code = worse(code, bad_input);
    }
  }
  print_and_write(files, options.out);
  if (signal_received == 0) return code;
  say(stderr, "interrupted: the rest was not solved\n");
  return signal_received == SIGINT ? interrupted : terminated;
}

}  // namespace slipwave::app
