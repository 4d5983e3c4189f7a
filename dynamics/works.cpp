#include "dynamics/works.hpp"

#include <cmath>

namespace slipwave::dynamics {

double Works::sum() const {
  double total = 0.0;
  for (const WorkTerm& term : work_terms) total += this->*term.value;
  return total;
}

double Works::sum_of_magnitudes() const {
  double total = 0.0;
  for (const WorkTerm& term : work_terms) total += std::abs(this->*term.value);
  return total;
}

Works& Works::operator+=(const Works& other) {
  for (const WorkTerm& term : work_terms) this->*term.value += other.*term.value;
  return *this;
}

}  // namespace slipwave::dynamics
