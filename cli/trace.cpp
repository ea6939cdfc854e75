#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "asperity/trace/request.hpp"
#include "commands.hpp"
#include "files/output_file.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace asperity::cli {
namespace {

int fail(ExitCode code, const Problems& problems) {
  report("trace", problems);
  return code;
}

std::string files_text(const TraceOptions& typed) {
  std::vector<std::string> files;
  for (const auto& path : {typed.output, typed.plot})
    if (path) files.push_back(*path);
  return fmt::format("wrote {}\n", fmt::join(files, ", "));
}

}  // namespace

int run_trace_command(const TraceOptions& asked) {
  TraceOptions typed = asked;
  if (typed.output == "-") typed.output.reset();  // the table goes to standard output anyway
  Problems problems;
  const auto prepared = prepare_trace(typed.request, problems, "--");
  files::OutputFile csv, picture;
  if (typed.output)
    if (auto problem = csv.open(*typed.output)) problems.push_back(std::move(*problem));
  const auto is_input = [&](const std::optional<std::string>& path) {
    std::error_code none;
    return path && typed.request.input && std::filesystem::equivalent(*path, *typed.request.input, none);
  };
  if (is_input(typed.output)) problems.push_back(fmt::format("-o {}: must not be the file that --input reads", *typed.output));
  if (is_input(typed.plot)) problems.push_back(fmt::format("--plot {}: must not be the file that --input reads", *typed.plot));
  if (typed.plot && typed.plot == typed.output) {
    problems.push_back(fmt::format("{}: cannot hold both the table (-o) and the picture (--plot)", *typed.plot));
  } else if (typed.plot) {
    if (auto problem = picture.open(*typed.plot)) problems.push_back(std::move(*problem));
  }
  if (!problems.empty()) return fail(bad_input, problems);

  TraceAnswer answer;
  {
    LongCall call(!typed.json);
    answer = carry_out(*prepared, call.hooks());
  }
  if (stop_signal() != 0) return interrupted("trace");
  const Trace& trace = answer.trace;
  if (trace.stop && trace.stop->cause == TraceStop::Cause::motion) return fail(bad_input, {stop_text(answer, "--")});

  errno = 0;
  if (typed.output) {
    write_csv(csv.stream(), trace);
    if (auto problem = csv.commit()) return fail(run_failed, {*problem});
  } else if (!typed.json) {
    write_csv(std::cout, trace);
    if (!std::cout.flush()) return fail(run_failed, {fmt::format("standard output: {}", std::strerror(errno))});
  }
  if (typed.plot && trace.rows() > 0) {
    picture.stream() << plot::to_svg(figure_of(answer));
    if (auto problem = picture.commit()) return fail(run_failed, {*problem});
  }
  if ((typed.output || typed.plot) && trace.rows() > 0 && !typed.json) say_aside(to_text(answer) + files_text(typed));
  if (typed.json && !print("trace", to_json(answer))) return run_failed;
  Problems doubts;
  for (const TraceFinding& one : answer.findings)
    doubts.push_back(fmt::format("{}: {}", one.failed ? "failed" : "warning", one.text));
  report("trace", doubts);
  if (trace.stop) return fail(run_failed, {stop_text(answer, "--")});
  return answer.verdict() == Verdict::failed || (typed.strict && !doubts.empty()) ? run_failed : fine;
}

}  // namespace asperity::cli
