// What a design delivers, in words and for programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "asperity/design/contact.hpp"
#include "asperity/design/scene.hpp"
#include "asperity/rules/friction.hpp"
#include "asperity/rules/stability.hpp"

namespace asperity::design {

/// The parameters of the law that was designed.
std::vector<Parameter> parameters_of_design(const ContactDesign& design);

std::string to_text(const ContactWish& wish, const ContactDesign& design);
std::string to_json(const ContactWish& wish, const ContactDesign& design);

/// Friction for a wish, and what the law itself does at that step.
struct HeldFriction {
  FrictionDesign design{};
  FrictionRun run{};
  /// The run has the last word.
  bool slips() const noexcept { return run.shaken && run.shaken->slip > 0; }
  bool stopped() const noexcept { return run.stopped; }
  bool delivers() const noexcept { return design.delivers() && !stopped() && !slips(); }
};
/// What is out of range; one line each. `dash` stands in front of the names: "--" where they are options.
std::vector<std::string> problems_of(const FrictionWish& wish, std::string_view dash = "");
/// The run ends where the hook asks for it; the design is there all the same.
HeldFriction hold(const FrictionWish& wish, const Hooks& hooks = {});
/// What is infeasible, and what would have to change; one line each.
std::vector<std::string> shortfalls(const FrictionWish& wish, const FrictionDesign& design, std::string_view dash = "");
std::string to_text(const FrictionWish& wish, const HeldFriction& held);
std::string to_json(const FrictionWish& wish, const HeldFriction& held);

std::string to_text(const SceneDesign& design);
std::string to_json(const SceneDesign& design);

}  // namespace asperity::design
