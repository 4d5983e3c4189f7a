#pragma once

#include "app/case/case_file.hpp"
#include "app/model/body.hpp"

#include <string>
#include <vector>

namespace slipwave::app {

/// What a user should know about the reach of the model before believing a run: bodies that do not
/// see each other, friction beyond which sliding is ill-posed, triangles that lock.
std::vector<std::string> warnings_about_scope(const Case& c, const Body& body);

}  // namespace slipwave::app
