#include "app/results/force_columns.hpp"

#include "app/results/forces_writer.hpp"
#include "app/results/solid_forces.hpp"

namespace slipwave::app {

std::vector<std::string> force_columns(const Case& c) {
  if (c.few_dofs) return force_layout(FewDofsModel(c)).columns();
  if (c.solids) return force_layout(SolidsModel(c)).columns();
  return named_layout(c).columns();
}

}  // namespace slipwave::app
