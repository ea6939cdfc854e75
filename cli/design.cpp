#include "design.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace asperity::cli {

Command add_design(CLI::App& app) {
  CLI::App& design = *app.add_subcommand("design", "Parameters by rule: say what is wanted, get what delivers it");
  design.require_subcommand(1);
  const std::vector<Command> parts{
      add_design_charts(design),
      add_design_contact(design),
      add_design_friction(design),
      add_design_scene(design),
  };
  return {&design,
          [parts] { return std::find_if(parts.begin(), parts.end(), [](auto& part) { return part.app->parsed(); })->run(); }};
}

}  // namespace asperity::cli
