#pragma once

#include "app/case/case_file.hpp"
#include "app/results/force_means.hpp"
#include "app/results/provenance.hpp"
#include "app/results/run_statistics.hpp"
#include "app/results/threads.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace slipwave::app {

/// Seconds spent, phase by phase.
using PhaseTimes = std::vector<std::pair<std::string, double>>;

/// Counts of nodes, dofs and the like, by name.
using SummarySizes = std::vector<std::pair<std::string, long>>;

/// Everything summary.json says.
struct Summary {
  const Case& c;
  const SummarySizes& sizes;
  const RunStatistics& statistics;
  const PhaseTimes& times;
  const std::vector<std::string>& warnings;
  const Provenance& provenance;
  int steps_done = 0;
  Threads threads;
  std::string exit_reason;
  int resumed_at = 0;  ///< the step it went on after, if any
  ForceMeans forces = {};
  std::optional<bool> deterministic{};  ///< TimeLoop::same_bits_on_one_thread()
};

/// Writes summary.json whole.
void write_summary(const std::filesystem::path& file, const Summary& summary);

}  // namespace slipwave::app
