#include "app/study/run_study.hpp"

#include "app/messages/say.hpp"
#include "app/results/file_list.hpp"
#include "app/results/run_folder.hpp"
#include "app/study/executors.hpp"
#include "app/study/study_report.hpp"
#include "files/new_file.hpp"
#include "parallel/processors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <ostream>

namespace slipwave::app {

namespace fs = std::filesystem;

namespace {

/// Orders of smooth problems are asked for within this.
constexpr double order_tolerance = 0.15;
/// Mean difference of sliding fractions between the two finest members above which, unless it falls
/// as they refine, they do not follow the same history.
constexpr double history_limit = 0.02;

/// A study's folder is new, or one of the same study to go on with.
void prepare_folder(const Study& study, const fs::path& out, const StudyOptions& options) {
  const bool goes_on = options.resume || options.collect;
  if (files::is_there(out / "study.toml") && !goes_on)
    throw UserError(out.string() +
                    ": already has a study; go on with --resume, or choose another "
                    "folder with --out");
  check_study_folder(out, options.study_file);
  make_output_folder(out);
  const bool is_old =
      files::is_there(out / "study.toml") && !has_file_list(out);  // kept no list yet
  if (!is_old) list_file(out, "study.toml");
  files::write_whole(out / "study.toml", [&](std::ostream& stream) { stream << study.text; });
}

/// Finished members' results, one per member.
using Results = std::vector<std::unique_ptr<MemberResults>>;

std::vector<SeriesResult> make_series(const Study& study, const std::vector<StudyMember>& members,
                                      const Results& results) {
  std::vector<SeriesResult> all;
  for (std::size_t i = 0; i < members.size(); ++i) {
    std::string name;
    for (std::size_t a = 1; a < study.axes.size(); ++a)
      name += fmt::format("{}{} = {}", name.empty() ? "" : ", ", study.axes[a].short_name(),
                          study.axes[a].values[members[i].values[a]]);
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const SeriesResult& one) { return one.name == name; });
    SeriesResult& series = found != all.end() ? *found : all.emplace_back();
    series.name = name;
    series.members.push_back(&members[i]);
    series.series.refines = study.axes[0].refines();
    series.series.sizes.push_back(study.axes[0].is_size()
                                      ? size_of(study.axes[0], members[i].values[0])
                                      : static_cast<double>(series.members.size()));
    series.series.results.push_back(results[i].get());
  }
  for (SeriesResult& series : all) {
    std::size_t& finest = series.series.finest;
    for (std::size_t i = 0; i < series.members.size(); ++i)
      if (series.series.results[i] &&
          (!series.series.results[finest] || series.series.sizes[i] < series.series.sizes[finest]))
        finest = i;
  }
  return all;
}

/// Whether the finest members slide at different times up to `end`, in words; nothing if they do
/// not.
std::optional<std::string> different_histories(const SeriesResult& series, double end) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < series.members.size(); ++i)
    if (series.series.results[i]) places.push_back(i);
  std::sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    return series.series.sizes[a] < series.series.sizes[b];
  });
  if (places.size() < 3 || series.members.front()->c.contacts.empty()) return std::nullopt;
  const auto between = [&](std::size_t a, std::size_t b) {
    return history_difference(*series.series.results[places[a]], *series.series.results[places[b]],
                              end);
  };
  const double fine = between(0, 1), coarse = between(1, 2);
  if (fine <= history_limit || fine <= 0.6 * coarse) return std::nullopt;
  return fmt::format(
      "different stick-slip histories: up to t = {:g} the fractions of sliding contacts of {} and "
      "{} "
      "differ by {:.2g} in the mean, of the two before by {:.2g}",
      end, series.members[places[0]]->name, series.members[places[1]]->name, fine, coarse);
}

/// What of a measurement is no finite number, in words; nothing if all of it is finite.
std::optional<std::string> not_finite(const QuantityResult& result, const SeriesResult& series) {
  const char* what = result.measurement.is_error ? "the error" : "the value";
  const auto& values = result.measurement.values;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] && !std::isfinite(*values[i]))
      return fmt::format(
          "{} of member {} is {}: no finite number; what is exact, or what is "
          "measured, has no value somewhere",
          what, series.members[i]->name, *values[i]);
  if (std::isfinite(result.measurement.scale)) return std::nullopt;
  return fmt::format("what the errors are compared with is {}: no finite number",
                     result.measurement.scale);
}

bool is_as_asked(const QuantityResult& result, const SeriesResult& series) {
  const StudyQuantity& quantity = *result.quantity;
  if (quantity.order && !(result.convergence.order &&
                          std::abs(*result.convergence.order - *quantity.order) <= order_tolerance))
    return false;
  if (!quantity.within) return true;
  const auto& value = result.measurement.values[series.series.finest];
  if (!value) return false;
  if (result.measurement.is_error) return *value <= *quantity.within * result.measurement.scale;
  // Of nothing there is no part: within is then meant as it is.
  const double size = *quantity.exact == 0.0 ? 1.0 : std::abs(*quantity.exact);
  return std::abs(*value - *quantity.exact) <= *quantity.within * size;
}

/// An order is a statement about a limit: where the members' histories differ there is none.
void withhold_order(const std::string& history, QuantityResult& result) {
  result.remarks.push_back("no order is given: " + history);
  Convergence& convergence = result.convergence;
  convergence.order = convergence.extrapolated = convergence.gci = convergence.relative_gci =
      std::nullopt;
  convergence.local_orders.clear();
}

void measure_series(const Study& study, SeriesResult& series, StudyResult& whole) {
  if (!series.series.results[series.series.finest]) return;
  const Case& c = series.series.results[series.series.finest]->c();
  for (const StudyQuantity& quantity : study.quantities) {
    QuantityResult result;
    result.quantity = &quantity;
    result.measurement = measure(quantity, series.series);
    if (series.series.refines)
      result.convergence = judge(quantity, study.axes[0], series.series, result.measurement);
    for (const Remark& remark : result.convergence.remarks)
      result.remarks.push_back(remark.sentence);
    const auto history = different_histories(series, time_of(quantity, c));
    if (history && series.series.refines) {
      withhold_order(*history, result);
      const std::string warning = series.name.empty() ? *history : series.name + ": " + *history;
      if (std::find(whole.warnings.begin(), whole.warnings.end(), warning) == whole.warnings.end())
        whole.warnings.push_back(warning);
    }
    const auto trouble = not_finite(result, series);
    if (trouble) result.remarks.push_back(*trouble);
    result.as_asked = !trouble && is_as_asked(result, series);
    series.quantities.push_back(std::move(result));
  }
}

ExitCode collect(const Study& study, const std::vector<StudyMember>& members, const fs::path& out) {
  StudyResult result{study, members, {}, {}, warnings_about(study, members)};
  Results results;
  bool complete = true;
  for (const StudyMember& member : members) {
    result.outcomes.push_back(outcome_of(out, member));
    const bool finished = result.outcomes.back().finished;
    complete = complete && finished;
    results.push_back(
        finished ? std::make_unique<MemberResults>(member_folder(out, member), member.c) : nullptr);
  }
  result.series = make_series(study, members, results);
  bool as_asked = true;
  for (SeriesResult& series : result.series) {
    measure_series(study, series, result);
    for (const QuantityResult& quantity : series.quantities)
      as_asked = as_asked && quantity.as_asked;
  }
  write_study(result, out);
  say("{}\n  results in {}\n", study_page(result), out.string());
  return complete && as_asked ? success : step_failed;
}

/// In a script of a batch system a line break would begin a command.
void refuse_control_characters(const std::string& text, const std::string& what) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f)
      throw UserError(
          fmt::format("{} \"{}\": has a control character (code {}), such as a line "
                      "break; take it out",
                      what, text, static_cast<int>(c)));
}

/// Every word that could come into a script.
void refuse_control_characters(const Study& study, const StudyOptions& options,
                               const fs::path& out) {
  refuse_control_characters(options.study_file, "study file");
  refuse_control_characters(study.case_file.string(), "case file");
  refuse_control_characters(out.string(), "--out");
  for (const std::string& replacement : study.set) refuse_control_characters(replacement, "set");
  for (const StudyAxis& axis : study.axes) {
    refuse_control_characters(axis.key, "axis");
    for (const std::string& value : axis.values)
      refuse_control_characters(value, fmt::format("axis {}: value", axis.key));
  }
}

JobOptions job_options(const StudyOptions& options) {
  const int cores = parallel::available_processors();
  return {options.jobs, options.threads > 0 ? options.threads : std::max(cores / options.jobs, 1),
          options.trust};
}

}  // namespace

ExitCode run_study(const StudyOptions& options) {
  const Study study = read_study(options.study_file);
  const fs::path out =
      options.out.empty() ? fs::path("results") / study.name : fs::path(options.out);
  refuse_control_characters(study, options, out);
  const std::vector<StudyMember> members = make_members(study);
  for (const std::string& warning : warnings_about(study, members))
    say(stderr, "warning: {}\n", warning);
  prepare_folder(study, out, options);
  const JobOptions jobs = job_options(options);
  if (options.collect) return collect(study, members, out);
  if (options.executor == "snakemake") {
    write_snakefile(study, options.study_file, members, out, jobs);
    say("{}: run `snakemake --cores N --keep-going` there\n", (out / "Snakefile").string());
    return success;
  }
  if (options.executor == "slurm") {
    const std::size_t submitted = submit_to_slurm(study, members, out, jobs, options.wait);
    if (submitted > 0 && !options.wait) {
      say("when they have ended: slipwave study {} --out {} --collect\n", options.study_file,
          out.string());
      return success;
    }
  } else if (!run_members(study, members, out, jobs)) {
    say(stderr, "interrupted; go on with --resume\n");
    return interrupted;
  }
  return collect(study, members, out);
}

}  // namespace slipwave::app
