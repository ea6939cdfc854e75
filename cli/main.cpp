#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "commands.hpp"
#include "help.hpp"
#include "text.hpp"

namespace {

using namespace asperity::cli;

CLI::Option* text_option(CLI::App& app, const std::string& name, std::optional<std::string>& target, const std::string& help,
                         const std::string& placeholder) {
  return app
      .add_option_function<std::string>(
          name, [&target](const std::string& value) { target = value; }, help)
      ->type_name(placeholder);
}

void add_trace(CLI::App& app, TraceOptions& o) {
  app.add_option("LAW", o.law, "a law of `asperity laws`")->required()->type_name("");
  app.add_option("--set", o.set, "change a parameter; one value or one for each element: kappa=1e6,2e6. Repeatable")
      ->allow_extra_args(false)  // otherwise it would swallow the law
      ->type_name("NAME=VALUE");
  text_option(app, "--elements", o.elements, "number of elements, for laws made of elements", "N");
  const std::string motion = "Motion, one of these", with = "With the motion", time = "Time", output = "Output";
  text_option(app, "--velocity", o.velocity, "by its velocity, m/s", "FORMULA")->group(motion);
  text_option(app, "--position", o.position, "by its position, m", "FORMULA")->group(motion);
  text_option(app, "--waypoints", o.waypoints, "straight lines through these positions, m: 0,1e-4,-1e-4", "LIST")->group(motion);
  text_option(app, "--input", o.input, "measured", "FILE.csv")->group(motion);
  text_option(app, "--speed", o.speed, "of the waypoints, m/s", "V")->group(with);
  text_option(app, "--from", o.from, "where a motion given by its velocity starts, m; 0 by default", "X")->group(with);
  text_option(app, "--load", o.load, "factor on the friction limit; 1 by default", "FORMULA")->group(with);
  text_option(app, "--gap", o.gap, "gap of frictional_contact, m; -1e-4 by default", "FORMULA")->group(with);
  text_option(app, "--duration", o.duration, "s; waypoints and files end by themselves", "T")->group(time);
  text_option(app, "--step", o.step, "s between rows; a file with even rows has its own", "H")->group(time);
  app.add_option("--method", o.method, "step (by default), rk4 or euler")->type_name("NAME")->group(time);
  text_option(app, "-o,--output", o.output, "the table; standard output by default", "out.csv")->group(output);
  text_option(app, "--plot", o.plot, "a picture: force over position, velocity and time", "out.svg")->group(output);
  app.footer(trace_notes);
}

/// One line, with the word that was probably meant.
std::string usage_problem(const CLI::App& app, const CLI::ParseError& error) {
  std::string text = error.what();
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ArgumentMismatch)) {
    const std::string option = text.substr(0, text.find(':'));
    return option + (text.find("received") == std::string::npos ? ": its value is missing" : ": given more than once");
  }
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ExtrasError)) return text;
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options({}))
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) known.push_back(command->get_name());
  const std::string word = text.substr(text.rfind(' ') + 1);  // CLI11 lists them last to first
  const char* what = word.starts_with("-") ? "option" : (app.get_parent() == nullptr ? "command" : "argument");
  const auto suggestion = asperity::nearest(word, known);
  return fmt::format("unknown {} \"{}\"; {}", what, word, suggestion ? "did you mean " + *suggestion + "?" : "see --help");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Asperity: friction that holds still, contact that lets go.", "asperity");
  app.set_version_flag("--version", "asperity " ASPERITY_VERSION);
  app.footer(main_notes);
  app.require_subcommand(0, 1);

  LawsOptions laws;
  CLI::App& laws_command = *app.add_subcommand("laws", "The catalogue of friction and contact laws");
  laws_command.add_flag("--json", laws.json, "for programs");
  laws_command.footer("Examples\n  asperity laws\n  asperity laws --json");

  DescribeOptions describe;
  CLI::App& describe_command = *app.add_subcommand("describe", "One law: equation, parameters, when to use it, what it cannot do");
  describe_command.add_option("LAW", describe.law, "a law of `asperity laws`")->required()->type_name("");
  describe_command.add_flag("--json", describe.json, "for programs");
  describe_command.footer("Examples\n  asperity describe multistate\n  asperity describe lugre --json");

  TraceOptions trace;
  CLI::App& trace_command = *app.add_subcommand("trace", "Drive a law with a prescribed motion; record force, states and energy");
  add_trace(trace_command, trace);

  DemoOptions demo;
  CLI::App& demo_command = *app.add_subcommand("demo", "A picture of every law, and a page with all of them");
  demo_command.add_option("-o,--output", demo.folder, "folder; out/demo by default")->type_name("FOLDER");
  demo_command.footer("Examples\n  asperity demo\n  asperity demo -o pictures");

  try {
    app.parse(argc, argv);
    if (laws_command.parsed()) return run_laws(laws);
    if (describe_command.parsed()) return run_describe(describe);
    if (trace_command.parsed()) return run_trace_command(trace);
    if (demo_command.parsed()) return run_demo(demo);
    return print("", first_steps) ? fine : run_failed;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      app.exit(error);
      return std::cout.flush() ? fine : run_failed;
    }
    const auto commands = app.get_subcommands();
    const CLI::App& where = commands.empty() ? app : *commands.front();
    const std::string command = commands.empty() ? "" : " " + where.get_name();
    fmt::print(stderr, "asperity{}: {}\n", command, usage_problem(where, error));
    return bad_input;
  } catch (const std::exception& error) {
    fmt::print(stderr, "asperity: {}\n", error.what());
    return run_failed;
  }
}
