// A scene: a TOML file that says which bodies and elements there are, what pushes them, how long to run and what to record.
// docs/scenes.md is the reference of the format.
//
//   std::vector<SceneProblem> problems;
//   const auto scene = read_scene_file("scenes/held_by_friction.toml", {"floor.K=1e4"}, problems);
//   Run run(scene->world, scene->run);
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/run/run.hpp"

namespace asperity {

/// `held.toml:12: floor.K = -3 N/m: must be > 0`; line 0: of the whole file, or of the command line.
struct SceneProblem {
  std::string file;
  std::size_t line = 0;
  std::string text;
};
std::string to_text(const SceneProblem& problem);

/// What a body looks like, for pictures.
struct SceneBody {
  std::string name;
  std::string kind;          // as in the file: mass, rigid_body, prescribed, arm, friction_mass
  int dimension = 1;         // 1, 2 or 3; an arm: 2
  std::string shape;         // "point", "sphere", "box", "capsule", "cylinder", "rods"
  std::vector<double> size;  // sphere: radius; box: sides; capsule, cylinder: radius, length; rods: their lengths
};

/// What an element connects, for pictures.
struct SceneElement {
  std::string name, law;
  std::string kind;                            // friction, contact, composite, spring, hinge
  std::array<std::string, 2> between;          // names as in the file, "ground" included
  std::vector<double> normal;                  // of a plane; empty: none
  double offset = 0;                           // of the plane
  std::vector<double> point_a, point_b;        // in the bodies, where the element acts; empty: their origins
  std::map<std::string, std::string> parts{};  // the laws of a frictional contact or a hinge: "friction" -> "single_state"
};

/// K = "design": a parameter that is left to `asperity design scene`.
struct OpenParameter {
  std::string element, name;  // "floor", "normal.K"
  std::size_t line = 0;       // 0: set on the command line
};

/// What the parameters of an element are to do: its table `design`.
struct ElementWish {
  std::optional<double> restitution, speed, penetration, displacement;
};

/// One number that was set, for tables: "floor", "K", 5000, "N/m", "asperity stiffness".
struct SceneParameter {
  std::string component, name, value, unit, meaning;
  bool is_default = false;  // the scene does not say it: the law's own
};

class TextInclusion;

struct Scene {
  std::string title, cite, file;
  World world;
  RunOptions run;       // without a sink
  bool verify = false;  // to be run twice, see run/verify.hpp
  std::vector<SceneBody> bodies;
  std::vector<SceneElement> elements;
  std::vector<SceneParameter> parameters;
  std::vector<OpenParameter> open;                 // of read_scene_to_design; they have the defaults of their laws
  std::map<std::string, ElementWish> wishes;       // by element
  std::shared_ptr<const TextInclusion> inclusion;  // of a scene that has equations instead of bodies
  std::shared_ptr<const TextInclusion> finer;      // the same for half the step
  std::unique_ptr<World> finer_world;              // for half the step, if the step decides on parameters; run.finer
  std::string resolved;  // the scene with every setting, name and unit worked out: it gives the same run, bit for bit
};

/// Null, and every problem there is, if the text is not a scene. Settings are "path=value", as after --set: "floor.K=1e4",
/// "run.step=5e-4", "let.mu=0.3", "block.mass=2 kg".
std::unique_ptr<Scene> read_scene(std::string_view text, const std::string& file, const std::vector<std::string>& settings,
                                  std::vector<SceneProblem>& problems);
std::unique_ptr<Scene> read_scene_file(const std::string& path, const std::vector<std::string>& settings,
                                       std::vector<SceneProblem>& problems);

/// The same, with open parameters: for design.
std::unique_ptr<Scene> read_scene_to_design(std::string_view text, const std::string& file,
                                            const std::vector<std::string>& settings, std::vector<SceneProblem>& problems);
/// The text of a file; nothing, and why, if it cannot be had.
std::optional<std::string> read_scene_text(const std::string& path, std::vector<SceneProblem>& problems);

/// The reference of the format as Markdown: the keys that the reader knows, the laws and where they can stand.
std::string scene_format_markdown();

}  // namespace asperity
