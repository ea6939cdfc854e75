#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "asperity/design/tell.hpp"
#include "design.hpp"
#include "files/output_file.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace asperity::cli {
namespace {

struct TypedSceneDesign {
  std::string scene;
  std::vector<std::string> set;
  std::optional<std::string> write;
  bool json = false;
};

int run_design_scene(const TypedSceneDesign& typed) {
  std::vector<SceneProblem> found;
  const auto text = read_scene_text(typed.scene, found);
  const auto design_it = typed.write ? design::fill_in_scene : design::design_scene;
  std::optional<design::SceneDesign> made;
  if (LongCall call; text) made = design_it(*text, typed.scene, typed.set, found, call.hooks());
  if (stop_signal() != 0) return interrupted("design scene");
  Problems problems;
  for (const SceneProblem& problem : found) problems.push_back(to_text(problem));
  std::error_code error;
  if (typed.write && std::filesystem::equivalent(*typed.write, typed.scene, error))
    problems.push_back(
        fmt::format("--write {}: is the scene itself; its \"design\" words would be gone: give another name", *typed.write));
  if (!problems.empty()) {
    report("design scene", problems);
    return bad_input;
  }
  Problems doubts;
  for (const Warning& warning : made->left) doubts.push_back(fmt::format("{}: {}", warning.severity(), warning.text));
  report("design scene", doubts);
  std::string answer = typed.json ? to_json(*made) : to_text(*made);
  if (typed.write) {
    files::OutputFile file;
    auto problem = file.open(*typed.write);
    if (!problem) {
      file.stream() << made->text;
      problem = file.commit();
    }
    if (problem) {
      report("design scene", {*problem});
      return run_failed;
    }
    if (!typed.json) answer += fmt::format("wrote {}\n", *typed.write);
  } else if (const std::size_t n = made->settings.size() + made->left_out.size(); n > 0 && !typed.json) {
    answer += fmt::format("--write NEW.toml finds what is open or left out, and puts {} into the scene\n", n == 1 ? "it" : "them");
  }
  return print("design scene", answer) ? fine : run_failed;
}

}  // namespace

Command add_design_scene(CLI::App& design) {
  const auto typed = std::make_shared<TypedSceneDesign>();
  CLI::App& command = *design.add_subcommand("scene", "Every element of a scene: the mass it sees, what is there, what is right");
  command.add_option("SCENE", typed->scene, "a scene file")->required()->type_name("");
  command.add_option("--set", typed->set, "change the scene first, as for `asperity run`. Repeatable")
      ->allow_extra_args(false)
      ->type_name("PATH=VALUE");
  command
      .add_option_function<std::string>(
          "--write", [typed](const std::string& value) { typed->write = value; },
          "the scene with numbers where it says \"design\" or nothing")
      ->type_name("NEW.toml");
  command.add_flag("--json", typed->json, "for programs");
  command.footer(
      "A scene leaves a parameter to this command by K = \"design\". The element gives the requirement:\n"
      "  design = { restitution = 0.5, speed = \"2 m/s\", penetration = \"1 mm\" }   a contact\n"
      "  design = { displacement = \"10 um\" }                                     friction\n"
      "Without it friction is as stiff as the step allows, and contacts bounce back with half their speed.\n\n"
      "Examples\n"
      "  asperity design scene scenes/two_blocks.toml\n"
      "  asperity design scene draft.toml --write block.toml && asperity run block.toml --strict");
  return {&command, [typed] { return run_design_scene(*typed); }};
}

}  // namespace asperity::cli
