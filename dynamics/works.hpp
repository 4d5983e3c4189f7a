#pragma once

#include <array>

namespace slipwave::dynamics {

/// The works of one step, or their sums over many, in units of energy (docs/theory.md section 9).
struct Works {
  double external = 0.0;            ///< W_ext = h v_{k+θ} · F_{k+θ}
  double damping = 0.0;             ///< W_damp = −h v_{k+θ} · C v_{k+θ}
  double prescribed = 0.0;          ///< W_presc = v_{k+θ,D} · reaction impulse on D
  double numerical = 0.0;           ///< W_num = (½−θ)(‖Δv‖²_M + ‖Δq‖²_K)
  double contact_normal = 0.0;      ///< W_N = Σ u_{N,k+θ} p_N
  double contact_tangential = 0.0;  ///< W_T = Σ u_{T,k+θ} p_T
  double projection = 0.0;          ///< of positions pushed back out of obstacles
  double gyroscopic = 0.0;  ///< W_gyro = −h ω_θ · (ω_θ × Jω_θ): zero, seen and not assumed

  double sum() const;
  double sum_of_magnitudes() const;
  Works& operator+=(const Works& other);
};

/// One of the works: its names, and where it stands.
struct WorkTerm {
  const char* name;    ///< "external"
  const char* column;  ///< of energy.csv and summary.json
  const char* words;   ///< for people
  double Works::*value;
};

/// All of them, in the order in which they are added up. The ledger, checkpoints, summaries, pages
/// and figures go through this table: a work that is a member of Works and a line here is in all of
/// them. New ones come last.
inline constexpr std::array work_terms{
    WorkTerm{"external", "external_work", "external work", &Works::external},
    WorkTerm{"damping", "damping_work", "damping work", &Works::damping},
    WorkTerm{"prescribed", "prescribed_work", "prescribed work", &Works::prescribed},
    WorkTerm{"numerical", "numerical_work", "numerical work", &Works::numerical},
    WorkTerm{"contact_normal", "contact_normal_work", "normal work", &Works::contact_normal},
    WorkTerm{"contact_tangential", "contact_tangential_work", "tangential work",
             &Works::contact_tangential},
    WorkTerm{"projection", "projection_work", "projection work", &Works::projection},
    WorkTerm{"gyroscopic", "gyroscopic_work", "gyroscopic work", &Works::gyroscopic},
};

}  // namespace slipwave::dynamics
