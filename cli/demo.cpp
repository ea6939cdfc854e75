#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "asperity/trace/portrait.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace asperity::cli {
namespace {

int run_demo(const std::string& where) {
  std::vector<Portrait> drawn;
  {
    LongCall call;
    drawn = portraits(call.hooks());
  }
  if (stop_signal() != 0) return interrupted("demo");
  if (auto problem = write_portraits(drawn, where)) {
    report("demo", {*problem});
    return bad_input;
  }
  const std::filesystem::path folder(where);
  return print("demo", fmt::format("{} laws drawn. Open {}\nOne picture a law: {}\n", drawn.size(),
                                   (folder / "index.html").string(), (folder / "LAW.svg").string()))
             ? fine
             : run_failed;
}

}  // namespace

Command add_demo(CLI::App& app) {
  const auto folder = std::make_shared<std::string>("out/demo");
  CLI::App& command = *app.add_subcommand("demo", "A picture of every law, and a page with all of them");
  command.add_option("-o,--output", *folder, "folder; out/demo by default")->type_name("FOLDER");
  command.footer("Examples\n  asperity demo\n  asperity demo -o pictures");
  return {&command, [folder] { return run_demo(*folder); }};
}

}  // namespace asperity::cli
