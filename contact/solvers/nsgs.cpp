#include "contact/solvers/nsgs.hpp"

namespace slipwave::contact {

template class NsgsOn<DenseBand>;

}  // namespace slipwave::contact
