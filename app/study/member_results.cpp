#include "app/study/member_results.hpp"

#include "app/results/interface_file.hpp"

#include <cmath>

namespace slipwave::app {

MemberResults::MemberResults(std::filesystem::path folder, const Case& c)
    : RunResults(std::move(folder)), c_(c) {}

BodyFrame MemberResults::body_at(double t) const {
  return read_body_frame(frame_file("frames", c_.step_nearest(t)));
}

LineFrame MemberResults::line_at(const std::string& array, double t) const {
  return read_line_frame(frame_file("contact", c_.step_nearest(t)), array);
}

InterfaceHistory MemberResults::history() const {
  return read_interface_history(folder() / "interface.h5");
}

double history_difference(const MemberResults& a, const MemberResults& b, double end) {
  const auto sliding_fraction = [](const MemberResults& member, double t) {
    const std::size_t row = member.row_at(t);
    const double sliding = member.ledger("sliding")[row];
    const double all = sliding + member.ledger("sticking")[row] + member.ledger("open")[row];
    return all > 0.0 ? sliding / all : 0.0;
  };
  constexpr int samples = 1000;
  double sum = 0.0;
  for (int i = 1; i <= samples; ++i) {
    const double t = end * i / samples;
    sum += std::abs(sliding_fraction(a, t) - sliding_fraction(b, t));
  }
  return sum / samples;
}

}  // namespace slipwave::app
