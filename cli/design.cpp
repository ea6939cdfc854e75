#include "design.hpp"

#include <CLI/CLI.hpp>

#include "text.hpp"

namespace asperity::cli {

Command add_design(CLI::App& app) {
  CLI::App& design = *app.add_subcommand("design", "Parameters by rule: say what is wanted, get what delivers it");
  design.require_subcommand(0, 1);
  const std::vector<Command> parts{
      add_design_charts(design),
      add_design_contact(design),
      add_design_friction(design),
      add_design_scene(design),
  };
  return {&design, [parts, &design]() -> int {
            for (const Command& part : parts)
              if (part.app->parsed()) return part.run();
            return print("design", design.help("asperity")) ? fine : run_failed;
          }};
}

}  // namespace asperity::cli
