#include "contact/delassus.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace slipwave::contact {

NodalDelassus::NodalDelassus(Eigen::MatrixXd W) : W_(std::move(W)) {
  for (int contact = 0; contact < contact_count(); ++contact) {
    const Eigen::Matrix2d diagonal = block(contact);
    // W_TT = 0 is allowed: the tangential motion of that node is prescribed.
    if (diagonal(0, 0) > 0.0 && diagonal(1, 1) >= 0.0) continue;
    throw std::invalid_argument(
        fmt::format("contact {}: its diagonal block of W has W_NN = {:g}, W_TT = {:g}; its normal "
                    "motion must be free",
                    contact, diagonal(0, 0), diagonal(1, 1)));
  }
}

}  // namespace slipwave::contact
