#include "app/results/energy_csv.hpp"

#include <fmt/format.h>

namespace slipwave::app {

namespace {

/// Works that came later than the first columns stand behind them.
constexpr std::size_t first_works = 6;

std::vector<std::string> all_columns() {
  std::vector<std::string> columns{"step", "t", "kinetic", "strain"};
  const auto add_works = [&](std::size_t from, std::size_t to) {
    for (std::size_t k = from; k < to; ++k) columns.push_back(dynamics::work_terms[k].column);
  };
  add_works(0, first_works);
  for (const char* column :
       {"balance_residual", "max_tangential_work", "min_tangential_work", "open", "sticking",
        "sliding", "iterations", "contact_residual", "algorithmic_energy"})
    columns.push_back(column);
  add_works(first_works, dynamics::work_terms.size());
  return columns;
}

}  // namespace

const std::vector<std::string>& ledger_columns() {
  static const std::vector<std::string> columns = all_columns();
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
  fmt::memory_buffer line;
  const auto to = fmt::appender(line);
  const auto add_works = [&](std::size_t from, std::size_t end) {
    for (std::size_t k = from; k < end; ++k)
      fmt::format_to(to, ",{}", total.*dynamics::work_terms[k].value);
  };
  fmt::format_to(to, "{},{},{},{}", step, t, report.energy.energy.kinetic,
                 report.energy.energy.strain);
  add_works(0, first_works);
  fmt::format_to(to, ",{},{},{},{},{},{},{},{},{}", report.energy.residual(),
                 report.max_tangential_work, report.min_tangential_work, report.open,
                 report.sticking, report.sliding, report.contact.iterations,
                 report.contact.residual.worst(), report.energy.energy.algorithmic);
  add_works(first_works, dynamics::work_terms.size());
  line.push_back('\n');
  file_.add(fmt::to_string(line));
}

}  // namespace slipwave::app
