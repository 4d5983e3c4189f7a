#include "dynamics/solids/solids.hpp"

#include <fmt/format.h>
#include <Eigen/Cholesky>

#include <cmath>

namespace slipwave::dynamics {

namespace {

std::string fault_of(const Solid& body) {
  if (const auto* shape = std::get_if<collision::Convex>(&body.collider.shape))
    if (const std::string fault = collision::fault_of(*shape); !fault.empty()) return fault;
  if (std::abs(body.attitude.norm() - 1.0) > 1e-9) return "its attitude is no unit quaternion";
  if (body.kind == Solid::Kind::driven && !body.drive) return "it is driven by nothing";
  if (body.kind != Solid::Kind::free) return "";
  if (!(body.mass > 0.0)) return fmt::format("its mass is {:g}, not positive", body.mass);
  const Eigen::LLT<Eigen::Matrix3d> factor(body.inertia);
  if (factor.info() != Eigen::Success) return "its inertia is not positive definite";
  return "";
}

}  // namespace

std::string fault_of(const Solids& solids) {
  const auto groups = solids.law_of_groups.size();
  for (std::size_t i = 0; i < solids.bodies.size(); ++i) {
    const Solid& body = solids.bodies[i];
    std::string fault = fault_of(body);
    if (body.collider.group < 0 || static_cast<std::size_t>(body.collider.group) >= groups)
      fault = fmt::format("its group {} has no laws", body.collider.group);
    if (!fault.empty()) return fmt::format("body {}: {}", i, fault);
  }
  for (const std::vector<int>& row : solids.law_of_groups)
    for (const int law : row)
      if (law >= static_cast<int>(solids.laws.size()))
        return fmt::format("there is no law {}", law);
  for (const ContactLaw& law : solids.laws)
    if (solids.alert < law.gap_tolerance) return "the alert distance is below a gap tolerance";
  return "";
}

}  // namespace slipwave::dynamics
