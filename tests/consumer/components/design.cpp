// Friction by rule: as stiff as the step allows, F = K times the displacement.
#include <asperity/design/restitution.hpp>
#include <asperity/rules/friction.hpp>
#include <cmath>

int main() {
  using namespace asperity;
  const auto design = design::design_friction({.limit = 5, .mass = 1, .step = 1e-3});
  if (!(design.K > 0 && std::abs(design.K * design.displacement - 5) < 1e-9)) return 1;
  // An undamped Hertz contact gives everything back.
  const auto law = make_law("hertz");
  return std::abs(design::rebound(*law, 1, 1).restitution - 1) < 1e-6 ? 0 : 1;
}
