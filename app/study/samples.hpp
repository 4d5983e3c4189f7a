#pragma once

#include <cstddef>
#include <vector>

namespace slipwave::app {

/// What a sample of numbers is like.
struct SampleFigures {
  std::size_t count = 0;
  double mean = 0.0;
  double deviation = 0.0;  ///< standard deviation of one, from count − 1; 0 of a single number
  double least = 0.0, largest = 0.0;
};

/// Of at least one number.
SampleFigures figures_of(const std::vector<double>& values);

/// How two samples differ whose numbers belong together one by one.
struct PairedComparison {
  std::size_t count = 0;
  double mean = 0.0;            ///< of the differences b − a
  double standard_error = 0.0;  ///< of that mean; 0 of a single pair
  /// How likely a mean difference at least so far from 0 would be if it were chance which of the
  /// two of a pair is called a: two-sided, no distribution is assumed.
  double p = 1.0;
  bool exact = true;  ///< every choice of signs was counted; otherwise a million of them
};

/// Of as many numbers each, at least one.
PairedComparison compare_pairs(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace slipwave::app
