// Parameters for every element of a scene: the mass that it sees, what is there, what would be right at the step of the run, and
// why.
//
// A scene leaves a parameter to be designed by K = "design"; the table `design` of an element says what for (restitution, speed,
// penetration; displacement). A run refuses such a scene; design_scene finds the numbers.
//
// Elements share bodies: what each may need is weighed by J M^-1 J^T as in the set-up checks (network.hpp). Open elements are
// designed for the same share of the mass that they see, the largest with which all of them together are stable.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "asperity/hooks.hpp"
#include "asperity/scene/scene.hpp"
#include "asperity/setup/checks.hpp"

namespace asperity::design {

struct ParameterAdvice {
  std::string name, unit;             // "K" or "normal.K"
  std::string there;                  // as understood; "design" if it is open
  std::optional<double> recommended;  // none: as it is
};

/// An element, or the normal or friction part of one.
struct ElementAdvice {
  std::string element, part, law;  // "floor", "normal", "linear_compliance"
  double mass = 0;                 // kg or kg m^2, the smallest that it sees; infinite: nothing that moves
  bool turns = false;
  double longest_step = 0;  // s, stable with what is there, or what is recommended for what is open; 0: no rule
  std::vector<ParameterAdvice> parameters;
  std::string why;
};

struct SceneDesign {
  std::vector<ElementAdvice> elements;
  double share = 1;                   // of the mass that open elements were designed for
  std::vector<std::string> settings;  // "floor.K=5e3": the open parameters
  std::vector<std::string> left_out;  // "floor.K": neither given nor open, but there is a rule; a run takes the law's own
  std::string text;                   // of the scene with them in their places; layout and comments stay
  std::vector<Warning> left;          // what the set-up checks say of it then
};

/// Nothing, and every problem, if the scene is none or a parameter cannot be found; nothing, and the problem "stopped", if the hook
/// asks for it. Progress counts rounds: each designs the elements, checks the scene and runs its first steps.
std::optional<SceneDesign> design_scene(const std::string& text, const std::string& file, const std::vector<std::string>& settings,
                                        std::vector<SceneProblem>& problems, const Hooks& hooks = {});

/// The same with the parameters that the scene left out open, too.
std::optional<SceneDesign> fill_in_scene(const std::string& text, const std::string& file, const std::vector<std::string>& settings,
                                         std::vector<SceneProblem>& problems, const Hooks& hooks = {});

}  // namespace asperity::design
