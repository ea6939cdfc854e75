#include "asperity/trace/describe.hpp"

#include "asperity/scene/scene.hpp"
#include "commands.hpp"
#include "text.hpp"

namespace asperity::cli {

int run_describe(const DescribeOptions& options) {
  if (options.law == "scene") return print("describe", scene_format_markdown()) ? fine : run_failed;
  Problems problems;
  const auto law = find_law(options.law, problems);
  if (!law) {
    report("describe", problems);
    return bad_input;
  }
  const LawPage page = page_of(*law);
  return print("describe", options.json ? to_json(page) : to_text(page, terminal_width())) ? fine : run_failed;
}

}  // namespace asperity::cli
