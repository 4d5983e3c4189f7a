#pragma once

#include "app/case/expression.hpp"
#include "app/waves/mode_growth.hpp"
#include "app/waves/track_waves.hpp"

#include <Eigen/Core>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace slipwave::app {

/// A key of the base case and the values it takes.
struct StudyAxis {
  std::string key;                  ///< such as mesh.size
  std::vector<std::string> values;  ///< as --set takes them
  /// With mesh.size only: time.step follows it so that a pressure wave crosses so many elements in
  /// a step.
  std::optional<double> courant;
  std::string unit;

  /// The last part of the key.
  std::string short_name() const;
  /// Whether every value is a positive number.
  bool is_size() const;
  /// Whether it refines a discretisation, so that orders can be observed along it.
  bool refines() const { return (key == "mesh.size" || key == "time.step") && is_size(); }
};

/// A column of energy.csv, or contact_work, what all contacts did: at a time, its extreme, or for
/// how long it is not what it was at first.
struct LedgerQuantity {
  enum class When { at, maximum, minimum, duration };
  static constexpr const char* contact_work = "contact_work";
  std::string column;
  When when = When::at;
};

/// A component of a field at a point of the body.
struct ProbeQuantity {
  Eigen::Vector2d point{0.0, 0.0};
  std::string field;  ///< "displacement" or "velocity"
  int component = 0;
};

/// The norm of the error of a field against formulas, or against the finest member.
struct ErrorQuantity {
  enum class Norm { L2, H1, energy, maximum };
  Norm norm = Norm::L2;
  std::string field;            ///< "displacement" or "velocity"
  std::optional<Formula> x, y;  ///< of x, y and t; none: against the finest member
  bool against_finest() const { return !x && !y; }
};

/// The mean difference of a contact line's array from that of the finest member.
struct ProfileQuantity {
  std::string array;  ///< such as pressure
};

/// A number made of an array of the contact lines.
struct ContactQuantity {
  /// The extent is the length of the line on which the array is positive, or equal to `value`; the
  /// spread the root of ∫ a (s − s̄)² ds / ∫ a ds, half of a for Hertz's profile.
  enum class Of { maximum, mean, extent, spread };
  std::string array;
  Of of = Of::maximum;
  std::optional<double> value;
};

/// The speed of the wave of a class that came farthest along the contact lines.
struct WaveQuantity {
  WaveClass type = WaveClass::slip_front;
  SurfaceSignal signal = SurfaceSignal::magnitude;
};

/// How fast a wavelength of the slip velocity grows or runs along the first contact line.
struct ModeQuantity {
  enum class Of { growth, phase_speed };
  double wavelength = 0.0;
  Of of = Of::growth;
  Window x, t;
};

/// A column of forces.csv over a stretch of the run.
struct ForceQuantity {
  enum class Of { mean, minimum, maximum, last, period };
  std::string column;  ///< such as bottom.apparent_friction
  Of of = Of::mean;
  Window t;
};

/// Where a rigid body is, how far it is from where it was first, or how fast: at a time, or its
/// extreme over the rows of bodies.csv.
struct BodyQuantity {
  enum class Of { x, y, z, distance, speed };
  enum class When { at, maximum, minimum };
  std::string body;
  Of of = Of::distance;
  When when = When::at;
};

/// How many rigid bodies of some groups are farther from where they were first than this.
struct DisplacedQuantity {
  std::vector<std::string> groups;
  double by = 0.0;
};

/// Something to follow along the axes.
struct StudyQuantity {
  std::string name, unit;
  std::variant<LedgerQuantity, ProbeQuantity, ErrorQuantity, ProfileQuantity, ContactQuantity,
               WaveQuantity, ModeQuantity, ForceQuantity, BodyQuantity, DisplacedQuantity>
      what;
  std::optional<double> at;     ///< time; none: the end
  std::optional<double> exact;  ///< value
  /// A formula of h, the value of the first axis: the quantity is then divided by it, and exact
  /// = 1.
  std::optional<Formula> exact_of_h;
  std::optional<double> order;   ///< by theory
  std::optional<double> within;  ///< relative error of the finest member that is asked for

  /// Whether it is measured in interface.h5, over the whole run.
  bool of_history() const {
    return std::holds_alternative<WaveQuantity>(what) || std::holds_alternative<ModeQuantity>(what);
  }
  /// Whether it is of rigid bodies.
  bool of_bodies() const {
    return std::holds_alternative<BodyQuantity>(what) ||
           std::holds_alternative<DisplacedQuantity>(what);
  }
};

/// Everything a study file says.
struct Study {
  std::string name;  ///< the file's name without its ending
  std::filesystem::path case_file;
  std::vector<std::string> set;  ///< replacements for all members
  std::vector<StudyAxis> axes;   ///< at least one; orders are observed along the first
  std::vector<StudyQuantity> quantities;
  /// Whether the values of the first axis make a sample: what counts are means and spreads over it,
  /// and the differences of those along the other axes.
  bool samples = false;
  std::string text;  ///< the file itself
};

/// Reads and checks a study file. Throws UserError naming file, line and key.
Study read_study(const std::string& file);

}  // namespace slipwave::app
