#pragma once

#include "app/solve/file_problem.hpp"

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace slipwave::app {

/// What is asked of every solve of a comparison.
struct TimedOptions {
  double tolerance = 1e-10;  ///< of both residuals
  int threads = 1;           ///< of our methods, and of the BLAS under those of Siconos
  double limit = 20.0;       ///< s, after which a solve has failed
  std::function<bool()> unwanted = [] { return false; };  ///< whether to stop at once
};

/// What became of a solve. Certified means by our certificate, whoever solved.
struct TimedSolve {
  double seconds =
      std::numeric_limits<double>::infinity();  ///< the least of three; of one above 2 s
  contact::Residual residual{std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::infinity()};
  bool certified = false;
  double own_tolerance = 0.0;  ///< what the solver was asked for
  std::string remark;          ///< why there is no answer
};

/// Solves a file with a method of ours, in a process of its own; `judge` certifies.
TimedSolve timed_solve(const FileProblem& judge, contact::Method method,
                       const TimedOptions& options);

/// The solvers of Siconos, by way of the program slipwave_siconos.
class SiconosRunner {
 public:
  /// Looks for the program beside this one and in PATH.
  SiconosRunner();

  /// Names of the solvers that suit a file; none where the program is not there.
  std::vector<std::string> methods_for(const FileProblem& problem) const;
  /// Its own criterion is looser than ours: it is asked for the tolerance, a tenth of it and so on
  /// down to 1e-14 until our certificate accepts; the time is that of the accepted solve alone.
  TimedSolve solve(const FileProblem& judge, const std::string& method,
                   const TimedOptions& options) const;

 private:
  std::string program_;
};

}  // namespace slipwave::app
