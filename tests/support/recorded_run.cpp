#include "tests/support/recorded_run.hpp"

#include "app/results/interface_file.hpp"
#include "app/run/run_case.hpp"
#include "tests/support/temporary_folder.hpp"

#include <stdexcept>

namespace slipwave::tests {

app::InterfaceHistory recorded_run(const std::string& name, const std::vector<std::string>& set) {
  const TemporaryFolder folder;
  app::RunOptions options;
  options.case_file = SLIPWAVE_ROOT "/cases/" + name + ".toml";
  options.out = folder / "run";
  options.set = set;
  options.quiet = true;
  if (app::run_case(options) != app::success) throw std::runtime_error(name + " failed");
  return app::read_interface_history(folder / "run/interface.h5");
}

}  // namespace slipwave::tests
