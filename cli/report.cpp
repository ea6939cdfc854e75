#include <fmt/format.h>

#include "commands.hpp"
#include "execute.hpp"
#include "text.hpp"

namespace asperity::cli {

int run_report(const ReportCommand& typed) {
  RunFolder folder{typed.folder};
  Problems problems;
  const auto facts = read_facts(folder.file("summary.json"), problems);
  if (facts)
    if (auto problem = write_report(folder, *facts)) problems.push_back(*problem);
  report("report", problems);
  if (!problems.empty()) return bad_input;
  return print("report", fmt::format("wrote {}\n", folder.file("report.html"))) ? fine : run_failed;
}

}  // namespace asperity::cli
