#include "contact/solvers/projected_gradient.hpp"

namespace slipwave::contact {

template class ProjectedGradientOn<DenseBand>;
template class ProjectedGradientOn<BlockSparse>;
template class ProjectedGradientOn<BodyDelassus>;

}  // namespace slipwave::contact
