#include "tests/support/recorded_run.hpp"

#include "app/results/interface_file.hpp"
#include "app/run/run_case.hpp"

#include <unistd.h>

#include <filesystem>
#include <stdexcept>

namespace slipwave::tests {

app::InterfaceHistory recorded_run(const std::string& name, const std::vector<std::string>& set) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() /
                                       ("slipwave_recorded_run_" + std::to_string(getpid()));
  app::RunOptions options;
  options.case_file = SLIPWAVE_ROOT "/cases/" + name + ".toml";
  options.out = folder.string();
  options.set = set;
  options.force = options.quiet = true;
  if (app::run_case(options) != app::success) throw std::runtime_error(name + " failed");
  app::InterfaceHistory history = app::read_interface_history(folder / "interface.h5");
  std::filesystem::remove_all(folder);
  return history;
}

}  // namespace slipwave::tests
