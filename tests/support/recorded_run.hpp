#pragma once

#include "app/waves/interface_history.hpp"

#include <string>
#include <vector>

namespace slipwave::tests {

/// Runs a case of cases/ as the program does, in a folder that is removed afterwards, and returns
/// what its interface.h5 says. `name` such as "layer_instability"; `set` as on the command line.
app::InterfaceHistory recorded_run(const std::string& name,
                                   const std::vector<std::string>& set = {});

}  // namespace slipwave::tests
