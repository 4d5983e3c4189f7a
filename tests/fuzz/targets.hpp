#pragma once

#include <string>

namespace slipwave::fuzz {

/// Each reads an input as the program would. That the input is refused, by a UserError, a MeshError
/// or an FclibError, is no failure; any other exception is one.

/// A case file. Its comments `#--set KEY=VALUE` are given to --set.
void case_file(const std::string& bytes);
/// A formula.
void expression(const std::string& bytes);
/// A contact problem.
void fclib(const std::string& bytes);
/// A `.msh` file.
void mesh(const std::string& bytes);
/// A checkpoint, as a file and as what one is made from.
void checkpoint(const std::string& bytes);

}  // namespace slipwave::fuzz
