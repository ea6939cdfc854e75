#include <fmt/format.h>

#include <filesystem>

#include "asperity/job/job.hpp"
#include "commands.hpp"
#include "text.hpp"

namespace asperity::cli {

int run_report(const ReportCommand& typed) {
  const std::filesystem::path folder(typed.folder);
  Problems problems;
  const auto facts = read_facts((folder / "summary.json").string(), problems);
  if (facts)
    if (auto problem = write_report(typed.folder, *facts)) problems.push_back(*problem);
  report("report", problems);
  if (!problems.empty()) return bad_input;
  return print("report", fmt::format("wrote {}\n", (folder / "report.html").string())) ? fine : run_failed;
}

}  // namespace asperity::cli
