#include "contact/solvers/nsgs.hpp"

namespace slipwave::contact {

template class NsgsOn<DenseBand>;
template class NsgsOn<BlockSparse>;
template class NsgsOn<BodyDelassus>;

}  // namespace slipwave::contact
