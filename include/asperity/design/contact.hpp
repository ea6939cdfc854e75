// A contact that bounces as wanted: how bouncy, how deep or how long, for which mass and speed, gives the parameters of a law, the
// impact they make, and the step that keeps the promise.
//
//   linear_compliance     r = alpha/beta and b = omega beta make the restitution (impact.hpp): b on the falling branch, then omega
//                         from the penetration d v0/omega or the contact time t/omega, K = M omega^2, beta = b/omega
//   kelvin_voigt_clamped  zeta from the restitution; K as above, B = 2 zeta sqrt(K M)
//   hunt_crossley         D = b2 v0 from the restitution; K = M v0^2/L^(lambda + 1), L from the penetration d L
//   nonlinear_compliance  with L as above and t* = L/v0 an impact depends on G = gamma t*, B1 = beta1/t*, B2 = beta2 L^lambda/t*
//   and
//                         lambda only. One wish: beta2 = 0. Two: Newton's method in (beta1, beta2) on simulated restitutions, from
//                             1/e = 1 + 1.7644 B1 + .7975 B1^2 + .7976 B2 - .0328 B2^2 + .4303 B1 B2   (lambda 1.5, G large)
//                         More: the same as least squares. What can be had lies between beta2 = 0 and beta1 = 0.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "asperity/contact/defaults.hpp"
#include "asperity/contact/hunt_crossley.hpp"
#include "asperity/contact/kelvin_voigt.hpp"
#include "asperity/contact/linear_compliance.hpp"
#include "asperity/contact/nonlinear_compliance.hpp"
#include "asperity/design/restitution.hpp"

namespace asperity::design {

/// The laws that can be asked for.
using ContactLaw = std::variant<LinearCompliance<>, NonlinearCompliance<>, HuntCrossley<>, KelvinVoigtClamped<>>;
std::vector<std::string> contact_design_laws();
/// Whether the force of a contact law is a power of the indentation.
bool is_curved(std::string_view law);

enum class Scale { penetration, contact_time, stiffness };

struct Bounce {
  double speed = 1;         // m/s
  double restitution = .5;  // speed after over speed before
};

struct ContactWish {
  std::string law{DefaultContact<>::about.name};
  double mass = 1;                  // kg
  std::vector<Bounce> bounces{{}};  // one; for nonlinear_compliance any number
  Scale scale = Scale::penetration;
  double size = 1e-3;             // of the first bounce: m or s; or the stiffness, N/m or N/m^lambda
  std::optional<double> step{};   // s, to be respected
  std::optional<double> ratio{};  // linear_compliance: alpha/beta. By default e/(9 - 8 e)
  std::optional<double> gamma{};  // nonlinear_compliance: 1/s. By default 50/t*
  double lambda = 1.5;            // nonlinear_compliance, hunt_crossley
};

struct ContactDesign {
  ContactLaw law;
  Rebound predicted;                 // the first bounce: in closed form where there is one, otherwise integrated finely
  Rebound simulated;                 // by rk4 at `step`, for that place of the grid at which it is worst
  std::vector<double> restitutions;  // predicted for each bounce
  double largest_step;               // s, stable
  double recommended_step;           // s, rk4 comes within the tolerances below, for each bounce and wherever on the grid it begins
  double step;                       // s, of the simulation: the one asked for, but at most 1e5 in the contact, or the recommended
};
inline constexpr double restitution_tolerance = 5e-4;
inline constexpr double size_tolerance = 1e-2;  // relative, of the penetration or contact time that was asked for

/// What is out of range, whatever can be had; one line each.
std::vector<std::string> problems_of(const ContactWish& wish);

/// Nothing, and every reason, if it is infeasible: `restitution = 0.9 at 5 m/s: must be between 0.314 and 0.74 if ...` Nothing, and
/// the problem "stopped", if the hook asks for it: between two impacts. Progress counts parameters, step and check.
std::optional<ContactDesign> design_contact(const ContactWish& wish, std::vector<std::string>& problems, const Hooks& hooks = {});

/// The wish with its size left to its step: the shortest contact for which that step is the recommended one. Nothing, and every
/// reason, if it is infeasible; stopped as design_contact.
std::optional<ContactWish> sized_by_step(ContactWish wish, std::vector<std::string>& problems, const Hooks& hooks = {});

/// One impact as rk4 with a fixed step sees it; the contact begins `phase` of a step after the first. NaN if it does not end.
Rebound stepped_rebound(const ContactLaw& law, double mass, double speed, double step, double phase);

}  // namespace asperity::design
