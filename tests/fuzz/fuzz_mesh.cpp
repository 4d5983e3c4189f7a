#include "fem/gmsh/gmsh_reader.hpp"
#include "tests/fuzz/input_file.hpp"
#include "tests/fuzz/targets.hpp"

namespace slipwave::fuzz {

void mesh(const std::string& bytes) {
  const InputFile file(bytes, ".msh");
  try {
    (void)fem::read_mesh(file.path());
  } catch (const fem::MeshError&) {
  }
}

}  // namespace slipwave::fuzz
