// The commands: each in a file of its own, each returns the exit code of the program.
#pragma once

#include <optional>
#include <string>
#include <vector>

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
  std::string law;
  std::vector<std::string> set;
  std::optional<std::string> elements, velocity, position, waypoints, speed, input, load, gap, from, duration, step;
  std::string method = "step";
  std::optional<std::string> output, plot;
};
int run_trace_command(const TraceOptions& options);

struct DemoOptions {
  std::string folder = "out/demo";
};
int run_demo(const DemoOptions& options);

}  // namespace asperity::cli
