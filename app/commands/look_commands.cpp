#include "app/commands/look_commands.hpp"

#include "app/plot/plot_run.hpp"
#include "app/report/write_report.hpp"
#include "app/view/view_results.hpp"
#include "app/commands/waves.hpp"

#include <memory>

namespace slipwave::app {

void take_all(CLI::Option* option) {
  option->expected(1)->allow_extra_args(false)->multi_option_policy(
      CLI::MultiOptionPolicy::TakeAll);
}

namespace {

void add_wave_search(CLI::App* waves, WavesOptions& options) {
  TrackerOptions& tracker = options.tracker;
  const std::map<std::string, SurfaceSignal> signals{{"magnitude", SurfaceSignal::magnitude},
                                                     {"tangential", SurfaceSignal::tangential},
                                                     {"normal", SurfaceSignal::normal}};
  waves->add_option("--min-nodes", tracker.min_nodes, "Nodes that a wave must pass (default 5)")
      ->check(CLI::Range(3, std::numeric_limits<int>::max()));
  waves->add_option("--from", tracker.from, "Look at recorded steps from this time");
  waves->add_option("--to", tracker.to, "Look at recorded steps to this time");
  waves
      ->add_option_function<std::string>(
          "--signal",
          [&tracker, signals](const std::string& name) { tracker.signal = signals.at(name); },
          "Velocity to follow where nothing touches (default magnitude)")
      ->check(CLI::IsMember(signals));
}

void add_waves(CLI::App& app, Action& action) {
  const auto options = std::make_shared<WavesOptions>();
  CLI::App* waves = app.add_subcommand(
      "waves", "Find the waves along the contact lines of a run, or how a wavelength grows");
  waves->add_option("DIR", options->folder, "Folder of a run, with interface.h5")->required();
  CLI::Option* kind = waves->add_option("--class", options->classes, "List only this class");
  take_all(kind);
  kind->check(CLI::IsMember(wave_class_keys()));
  waves->add_option("--line", options->line, "List only this contact line");
  waves->add_option("--json", options->json, "Write the listed waves to this file too");
  waves->add_option("--rows", options->rows, "Longest table (default 30)")
      ->check(CLI::PositiveNumber);
  add_wave_search(waves, *options);
  CLI::Option* wavelength =
      waves
          ->add_option("--wavelength", options->wavelength,
                       "Print growth rate and phase speed of this wavelength, and no waves")
          ->check(CLI::PositiveNumber);
  waves->add_option("--x-from", options->x.from, "With --wavelength: left end of the window")
      ->needs(wavelength);
  waves->add_option("--x-to", options->x.to, "With --wavelength: right end of the window")
      ->needs(wavelength);
  waves->callback([options, &action] { action = [options] { return show_waves(*options); }; });
}

void add_report(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App* report = app.add_subcommand(
      "report", "Write a page that shows runs: verdicts, energies, waves, the deformed body");
  report->add_option("DIR", options->folders, "Folders with the results of runs")->required();
  report->add_option(
      "--out", options->out,
      "File of the page (default: report.html in DIR; of several, report_with_B.html)");
  report->callback([options, &action] { action = [options] { return write_report(*options); }; });
}

void add_view(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ViewOptions>();
  CLI::App* view = app.add_subcommand(
      "view", "Write view.py, a script for ParaView, beside the results, and open it");
  view->add_option("DIR", options->folder, "Folder with the results of a run")->required();
  view->add_option("--warp", options->warp,
                   "Draw the deformation so many times as large (default: one that suits it)");
  view->add_flag_callback(
      "--no-open", [options] { options->open = false; }, "Only write the script");
  view->add_flag("--force", options->force, "Replace a view.py that was changed");
  view->callback([options, &action] { action = [options] { return view_results(*options); }; });
}

void add_plot(CLI::App& app, Action& action) {
  const auto options = std::make_shared<PlotOptions>();
  CLI::App* plot = app.add_subcommand("plot", "Draw a figure of a run for a paper");
  plot->add_option("DIR", options->folder, "Folder of a run's results")->required();
  plot->add_option("--figure", options->figure, "What to draw")
      ->required()
      ->check(CLI::IsMember(plot_figures()));
  plot->add_option("--format", options->format, "Kind of file (default svg)")
      ->check(CLI::IsMember(plot_formats()));
  plot->add_option("--out", options->out, "File (default: DIR/FIGURE.FORMAT)");
  plot->add_option("--time", options->time,
                   "Time T of the snapshot, or T0:T1, the part of the run that is drawn");
  plot->add_option("--warp", options->warp,
                   "Factor on the snapshot's deformation (default: one that suits it)")
      ->check(CLI::Number);
  plot->add_option("--field", options->field,
                   "Colours of the snapshot: displacement (default), velocity, von_mises, ...");
  plot->add_option("--line", options->line, "Contact line of the interface (default: the first)");
  plot->add_option("--width", options->width, "Width of the figure in mm (default 170)")
      ->check(CLI::Range(60.0, 1000.0));
  plot->add_option("--dpi", options->dpi, "Dots per inch of a PNG (default 300)")
      ->check(CLI::Range(30.0, 800.0));
  plot->callback([options, &action] { action = [options] { return plot_run(*options); }; });
}

}  // namespace

void add_look_commands(CLI::App& app, Action& action) {
  add_waves(app, action);
  add_report(app, action);
  add_view(app, action);
  add_plot(app, action);
}

}  // namespace slipwave::app
