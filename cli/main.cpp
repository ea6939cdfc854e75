#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <new>

#include "commands.hpp"
#include "commit.hpp"
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
  asperity::TraceRequest& asked = o.request;
  app.add_option("LAW", asked.law, "a law of `asperity laws`")->required()->type_name("");
  app.add_option("--set", asked.set, "change a parameter; one value or one for each element: kappa=1e6,2e6. Repeatable")
      ->allow_extra_args(false)  // otherwise it would swallow the law
      ->type_name("NAME=VALUE");
  text_option(app, "--elements", asked.elements, "number of elements, for laws made of elements", "N");
  const std::string motion = "Motion, one of these", with = "With the motion", time = "Time", output = "Output";
  text_option(app, "--velocity", asked.velocity, "by its velocity, m/s", "FORMULA")->group(motion);
  text_option(app, "--position", asked.position, "by its position, m", "FORMULA")->group(motion);
  text_option(app, "--waypoints", asked.waypoints, "straight lines through these positions, m: 0,1e-4,-1e-4", "LIST")
      ->group(motion);
  text_option(app, "--input", asked.input, "measured", "FILE.csv")->group(motion);
  text_option(app, "--speed", asked.speed, "of the waypoints, m/s", "V")->group(with);
  text_option(app, "--from", asked.from, "where a motion given by its velocity starts, m; 0 by default", "X")->group(with);
  text_option(app, "--load", asked.load, "factor on the friction limit; 1 by default", "FORMULA")->group(with);
  text_option(app, "--gap", asked.gap, "gap of frictional_contact, m; -1e-4 by default", "FORMULA")->group(with);
  text_option(app, "--duration", asked.duration, "s; waypoints and files end by themselves", "T")->group(time);
  text_option(app, "--step", asked.step, "s between rows; a file with even rows has its own", "H")->group(time);
  app.add_option("--method", asked.method, "step (by default), rk4, euler, implicit or implicit2")->type_name("NAME")->group(time);
  text_option(app, "-o,--output", o.output, "the table; standard output by default", "out.csv")->group(output);
  text_option(app, "--plot", o.plot, "a picture: force over position, velocity and time", "out.svg")->group(output);
  app.add_flag("--json", o.json, "the facts of the trace as JSON; the table only with -o")->group(output);
  app.add_flag("--strict", o.strict, "warnings are errors")->group(output);
  app.footer(trace_notes);
}

void add_settings(CLI::App& app, std::vector<std::string>& set) {
  app.add_option("--set", set, "change the scene: floor.K=1e4, block.mass=\"500 g\", let.mu=0.3, run.step=1e-4. Repeatable")
      ->allow_extra_args(false)  // otherwise it would swallow the scene
      ->type_name("PATH=VALUE");
}

void add_run(CLI::App& app, RunCommand& o) {
  app.add_option("SCENE", o.scene, "a scene file")->type_name("");
  add_settings(app, o.set);
  text_option(app, "-o,--output", o.folder, "folder of the run; out/SCENE by default", "FOLDER");
  text_option(app, "--format", o.format, "of the data: csv (by default) or hdf5", "NAME");
  app.add_option_function<std::vector<std::string>>(
         "--resume", [&o](const std::vector<std::string>& given) { o.resume = given.empty() ? "" : given.front(); },
         "continue an interrupted run; without a folder, that of the scene")
      ->expected(0, 1)
      ->type_name("[FOLDER]");
  app.add_option("--threads", o.threads, "for worlds of many thousands of bodies; as many as the machine has by default")
      ->check(CLI::Range(1, 1024).description(""))
      ->type_name("N");
  app.add_flag("--strict", o.strict, "warnings are errors");
  app.add_flag("--quiet", o.quiet, "no summary, no progress; warnings and problems only");
  app.add_flag("--json", o.json, "the facts of the run as JSON, instead of the summary");
  app.footer(run_notes);
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

/// `asperity help run` is `asperity run --help`.
std::vector<std::string> arguments_of(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> typed(argv + 1, argv + argc);
  if (!typed.empty() && typed.front() == "help") {
    typed.erase(typed.begin());
    // A word that is no command is left to stand alone, and refused.
    const auto is_command = [&](const CLI::App* one) { return one->get_name() == typed.front(); };
    if (typed.empty() || !app.get_subcommands(is_command).empty()) typed.emplace_back("--help");
  }
  std::reverse(typed.begin(), typed.end());  // as CLI11 takes them
  return typed;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is a write that fails
  CLI::App app("Asperity: friction that holds still, contact that lets go.", "asperity");
  app.set_version_flag("--version",
                       *commit ? fmt::format("asperity {} ({})", ASPERITY_VERSION, commit) : "asperity " ASPERITY_VERSION);
  app.footer(main_notes);
  app.require_subcommand(0, 1);

  RunCommand run;
  CLI::App& run_command = *app.add_subcommand("run", "Run a scene; data and a report to look at");
  add_run(run_command, run);

  CheckCommand check;
  CLI::App& check_command = *app.add_subcommand("check", "Everything that is wrong or doubtful in a scene, without running it");
  check_command.add_option("SCENE", check.scene, "a scene file")->required()->type_name("");
  add_settings(check_command, check.set);
  check_command.add_flag("--strict", check.strict, "warnings are errors");
  check_command.add_flag("--deep", check.deep, "run it too, beside a run with half the step; nothing is written");
  check_command.add_flag("--json", check.json, "for programs");
  check_command.footer(
      "Examples\n  asperity check scenes/held_by_friction.toml\n  asperity check block.toml --set run.step=1e-2 --strict");

  ExplainCommand explain;
  CLI::App& explain_command =
      *app.add_subcommand("explain", "The terms that were found in a scene's equations, and the differential equation they became");
  explain_command.add_option("SCENE", explain.scene, "a scene file with [inclusion]")->required()->type_name("");
  add_settings(explain_command, explain.set);
  explain_command.add_flag("--latex", explain.latex, "the equations in LaTeX");
  explain_command.add_flag("--cpp", explain.cpp, "as a C++ function that makes the same of asperity/inclusion/inclusion.hpp");
  explain_command.footer(
      "Examples\n  asperity explain scenes/inclusions/two_blocks.toml\n  asperity explain scenes/inclusions/two_blocks.toml --cpp "
      "> "
      "two_blocks.hpp");

  PlotCommand plot;
  CLI::App& plot_command = *app.add_subcommand("plot", "Draw columns of a run, or of any CSV file");
  plot_command.add_option("DATA", plot.data, "the folder of a run, or a CSV or HDF5 file")->required()->type_name("");
  text_option(plot_command, "--x", plot.x, "time by default", "COLUMN");
  text_option(plot_command, "--y", plot.y, "block.position,floor.*; positions, velocities and forces by default", "COLUMN,...");
  text_option(plot_command, "-o,--output", plot.output, "a picture, or with .html a page to zoom in; NAME.svg by default",
              "FILE.svg");
  plot_command.footer(
      "Examples\n  asperity plot out/held_by_friction\n"
      "  asperity plot out/held_by_friction --x block.position --y floor.force -o loop.html");

  ReportCommand report_options;
  CLI::App& report_command = *app.add_subcommand("report", "Write the report of a run again");
  report_command.add_option("FOLDER", report_options.folder, "the folder of a run")->required()->type_name("");
  report_command.footer("Example\n  asperity report out/held_by_friction");

  NewCommand new_scene;
  CLI::App& new_command = *app.add_subcommand("new", "A commented scene to start from");
  new_command.add_option("NAME", new_scene.name, "writes NAME.toml")->required()->type_name("");
  new_command.footer("Example\n  asperity new stick_slip");

  CompareCommand compare;
  CLI::App& compare_command =
      *app.add_subcommand("compare", "Two runs, two scenes or two laws: what differs, drawn over one another");
  compare_command.add_option("A", compare.a, "the folder of a run, or a scene")->required()->type_name("");
  compare_command.add_option("B", compare.b, "another one; not needed with --laws or --set")->type_name("");
  text_option(compare_command, "--laws", compare.laws, "the scene with these laws; with one, beside the scene as it is", "LAW,LAW");
  text_option(compare_command, "--element", compare.element, "whose law; not needed if there is one only", "NAME");
  add_settings(compare_command, compare.set);
  text_option(compare_command, "-o,--output", compare.folder, "folder; out/compare by default", "FOLDER");
  compare_command.add_flag("--json", compare.json, "what differs as JSON, instead of the summary");
  compare_command.footer(compare_notes);

  LawsOptions laws;
  CLI::App& laws_command = *app.add_subcommand("laws", "The catalogue of friction and contact laws");
  laws_command.add_flag("--json", laws.json, "for programs");
  laws_command.footer("Examples\n  asperity laws\n  asperity laws --json");

  DescribeOptions describe;
  CLI::App& describe_command = *app.add_subcommand("describe", "One law: equation, parameters, when to use it, what it cannot do");
  describe_command.add_option("LAW", describe.law, "a law of `asperity laws`, or `scene`: the format of scenes")
      ->required()
      ->type_name("");
  describe_command.add_flag("--json", describe.json, "for programs");
  describe_command.footer("Examples\n  asperity describe multistate\n  asperity describe lugre --json\n  asperity describe scene");

  TraceOptions trace;
  CLI::App& trace_command = *app.add_subcommand("trace", "Drive a law with a prescribed motion; record force, states and energy");
  add_trace(trace_command, trace);

  const std::vector<Command> more{
      add_demo(app), add_design(app), add_identify(app), add_reproduce(app), add_restitution(app), add_study(app),
  };

  try {
    app.parse(arguments_of(app, argc, argv));
    if (run_command.parsed()) return run_run(run);
    if (check_command.parsed()) return run_check(check);
    if (explain_command.parsed()) return run_explain(explain);
    if (plot_command.parsed()) return run_plot(plot);
    if (report_command.parsed()) return run_report(report_options);
    if (new_command.parsed()) return run_new(new_scene);
    if (compare_command.parsed()) return run_compare(compare);
    if (laws_command.parsed()) return run_laws(laws);
    if (describe_command.parsed()) return run_describe(describe);
    if (trace_command.parsed()) return run_trace_command(trace);
    for (const Command& command : more)
      if (command.app->parsed()) return command.run();
    return print("", first_steps) ? fine : run_failed;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      app.exit(error);
      return std::cout.flush() ? fine : run_failed;
    }
    const CLI::App* where = &app;
    while (!where->get_subcommands().empty()) where = where->get_subcommands().front();
    std::string command = "asperity";
    for (const CLI::App* part = &app; part != where; command += " " + part->get_name()) part = part->get_subcommands().front();
    say_aside(printable(fmt::format("{}: {}\n", command, usage_problem(*where, error))));
    return bad_input;
  } catch (const std::filesystem::filesystem_error& error) {
    say_aside(printable(fmt::format("asperity: {}: {}\n", error.path1().string(), error.code().message())));
    return run_failed;
  } catch (const std::bad_alloc&) {
    say_aside("asperity: not enough memory\n");
    return run_failed;
  } catch (const std::exception& error) {
    say_aside(printable(fmt::format("asperity: {}\n", error.what())));
    return run_failed;
  }
}
