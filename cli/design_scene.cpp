#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "asperity/design/scene.hpp"
#include "asperity/quantity_text.hpp"
#include "design.hpp"
#include "output_file.hpp"
#include "text.hpp"

namespace asperity::cli {
namespace {

using design::ElementAdvice;
using design::ParameterAdvice;
using design::SceneDesign;

struct Typed {
  std::string scene;
  std::vector<std::string> set;
  std::optional<std::string> write;
  bool json = false;
};

std::string as_text(const SceneDesign& made) {
  std::string text;
  for (const ElementAdvice& element : made.elements) {
    text += fmt::format("{}{}: {}", element.element, element.part.empty() ? "" : "." + element.part, element.law);
    if (std::isfinite(element.mass)) text += fmt::format(" on {}", quantity_text(element.mass, element.turns ? "kg m^2" : "kg"));
    if (element.longest_step > 0 && std::isfinite(element.longest_step) && element.why == "fine as it is")
      text += fmt::format(", stable up to steps of {}", quantity_text(element.longest_step, "s"));
    text += "\n";
    std::vector<std::vector<std::string>> rows;
    for (const ParameterAdvice& p : element.parameters)
      rows.push_back({p.name, p.there, p.recommended ? short_number(*p.recommended) : "", p.unit});
    if (!rows.empty()) {
      rows.insert(rows.begin(), {"", "there", "recommended", ""});
      text += aligned(rows, "<>><");
    }
    text += fmt::format("  {}\n", element.why);
  }
  return text;
}

std::string as_json(const SceneDesign& made) {
  using Json = nlohmann::ordered_json;
  Json json{{"elements", Json::array()},
            {"share", made.share},
            {"settings", made.settings},
            {"left_out", made.left_out},
            {"warnings", Json::array()}};
  for (const ElementAdvice& element : made.elements) {
    Json parameters = Json::array();
    for (const ParameterAdvice& p : element.parameters)
      parameters.push_back(
          {{"name", p.name}, {"unit", p.unit}, {"there", p.there}, {"recommended", p.recommended ? Json(*p.recommended) : Json()}});
    const auto finite = [](double x) { return std::isfinite(x) && x > 0 ? Json(x) : Json(); };
    json["elements"].push_back({{"element", element.element},
                                {"part", element.part},
                                {"law", element.law},
                                {"mass", finite(element.mass)},
                                {"longest_step", finite(element.longest_step)},
                                {"parameters", parameters},
                                {"why", element.why}});
  }
  for (const Warning& warning : made.left) json["warnings"].push_back(warning.text);
  return json.dump(2) + "\n";
}

int run_design_scene(const Typed& typed) {
  std::vector<SceneProblem> found;
  const auto text = read_scene_text(typed.scene, found);
  const auto design_it = typed.write ? design::fill_in_scene : design::design_scene;
  const auto made = text ? design_it(*text, typed.scene, typed.set, found) : std::nullopt;
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
  std::string answer = typed.json ? as_json(*made) : as_text(*made);
  if (typed.write) {
    OutputFile file;
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
  const auto typed = std::make_shared<Typed>();
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
      "A scene leaves a parameter to this command by K = \"design\". What for stands in the element:\n"
      "  design = { restitution = 0.5, speed = \"2 m/s\", penetration = \"1 mm\" }   a contact\n"
      "  design = { displacement = \"10 um\" }                                     friction\n"
      "Without it friction is as stiff as the step allows, and contacts bounce back with half their speed.\n\n"
      "Examples\n"
      "  asperity design scene scenes/two_blocks.toml\n"
      "  asperity design scene draft.toml --write block.toml && asperity run block.toml --strict");
  return {&command, [typed] { return run_design_scene(*typed); }};
}

}  // namespace asperity::cli
