// The commands: each in a file of its own, each returns the exit code of the program.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "asperity/trace/request.hpp"

namespace CLI {
class App;
}

namespace asperity::cli {

enum ExitCode { fine = 0, run_failed = 1, bad_input = 2 };

struct LawsOptions {
  bool json = false;
};
int run_laws(const LawsOptions& options);

struct DescribeOptions {
  std::string law;
  bool json = false;
};
int run_describe(const DescribeOptions& options);

/// As typed: the command checks everything itself, to report all problems at once.
struct TraceOptions {
  TraceRequest request;
  std::optional<std::string> output, plot;
  bool strict = false, json = false;
};
int run_trace_command(const TraceOptions& options);

struct RunCommand {
  std::string scene;
  std::vector<std::string> set;
  std::optional<std::string> folder, format, resume;  // resume: a folder, or empty for that of the scene
  std::optional<int> threads;
  bool strict = false, quiet = false, json = false;
};
int run_run(const RunCommand& typed);

struct CheckCommand {
  std::string scene;
  std::vector<std::string> set;
  bool strict = false, deep = false, json = false;
};
int run_check(const CheckCommand& typed);

struct ExplainCommand {
  std::string scene;
  std::vector<std::string> set;
  bool latex = false, cpp = false;
};
int run_explain(const ExplainCommand& typed);

struct PlotCommand {
  std::string data;
  std::optional<std::string> x, y, output;
};
int run_plot(const PlotCommand& typed);

struct ReportCommand {
  std::string folder;
};
int run_report(const ReportCommand& typed);

struct NewCommand {
  std::string name;
};
int run_new(const NewCommand& typed);

struct CompareCommand {
  std::string a, b;  // folders of runs, or scenes; b may be empty
  std::vector<std::string> set;
  std::optional<std::string> element, laws, folder;
  bool json = false;
};
int run_compare(const CompareCommand& typed);

/// A command that knows its own options.
struct Command {
  CLI::App* app;
  std::function<int()> run;
};
Command add_demo(CLI::App& app);
Command add_design(CLI::App& app);
Command add_identify(CLI::App& app);
Command add_reproduce(CLI::App& app);
Command add_restitution(CLI::App& app);
Command add_study(CLI::App& app);

}  // namespace asperity::cli
