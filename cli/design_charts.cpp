#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "asperity/design/charts.hpp"
#include "design.hpp"
#include "text.hpp"

namespace asperity::cli {
namespace {

int run_charts(const std::string& where) {
  const auto charts = design::charts();
  if (auto problem = write_charts(charts, where)) {
    report("design charts", {*problem});
    return bad_input;
  }
  return print("design charts", fmt::format("{} charts in {}\n", charts.size(), where)) ? fine : run_failed;
}

}  // namespace

Command add_design_charts(CLI::App& design) {
  const auto folder = std::make_shared<std::string>("out/charts");
  CLI::App& command = *design.add_subcommand("charts", "Charts to choose by: restitution, stability, no drift");
  command.add_option("-o,--output", *folder, "folder; out/charts by default")->type_name("FOLDER");
  command.footer("Example\n  asperity design charts -o charts");
  return {&command, [folder] { return run_charts(*folder); }};
}

}  // namespace asperity::cli
