#include "app/results/energy_csv.hpp"

#include <fmt/format.h>

namespace slipwave::app {

const std::vector<std::string>& ledger_columns() {
  static const std::vector<std::string> columns{"step",
                                                "t",
                                                "kinetic",
                                                "strain",
                                                "external_work",
                                                "damping_work",
                                                "prescribed_work",
                                                "numerical_work",
                                                "contact_normal_work",
                                                "contact_tangential_work",
                                                "balance_residual",
                                                "max_tangential_work",
                                                "min_tangential_work",
                                                "open",
                                                "sticking",
                                                "sliding",
                                                "iterations",
                                                "contact_residual",
                                                "algorithmic_energy",
                                                "projection_work"};
  return columns;
}

CsvLedger::CsvLedger(const std::filesystem::path& file, const FileMark& mark)
    : file_(file, fmt::format("{}\n", fmt::join(ledger_columns(), ",")), mark) {}

void CsvLedger::write_initial(const dynamics::Energy& energy, int contact_count) {
  dynamics::StepReport nothing;
  nothing.energy.energy = energy;
  nothing.open = contact_count;
  write(0, 0.0, {}, nothing);
}

void CsvLedger::write(int step, double t, const dynamics::Works& total,
                      const dynamics::StepReport& report) {
  file_.add(fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", step, t,
      report.energy.energy.kinetic, report.energy.energy.strain, total.external, total.damping,
      total.prescribed, total.numerical, total.contact_normal, total.contact_tangential,
      report.energy.residual(), report.max_tangential_work, report.min_tangential_work, report.open,
      report.sticking, report.sliding, report.contact.iterations, report.contact.residual.worst(),
      report.energy.energy.algorithmic, total.projection));
}

}  // namespace slipwave::app
