#include "contact/solvers/projected_gradient.hpp"

namespace slipwave::contact {

template class ProjectedGradientOn<DenseBand>;

}  // namespace slipwave::contact
