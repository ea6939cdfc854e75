#include "asperity/inclusion/text.hpp"
#include "commands.hpp"
#include "execute.hpp"
#include "text.hpp"

namespace asperity::cli {

int run_explain(const ExplainCommand& typed) {
  Problems problems;
  if (typed.latex && typed.cpp) problems.emplace_back("--latex and --cpp: choose one");
  const auto scene = scene_of(typed.scene, typed.set, problems);
  if (scene && !scene->inclusion)
    problems.push_back(typed.scene + ": has bodies and elements, no [inclusion]; there are no equations to explain");
  if (!problems.empty()) {
    report("explain", problems);
    return bad_input;
  }
  const Explanation form = typed.latex ? Explanation::latex : typed.cpp ? Explanation::cpp : Explanation::text;
  return print("explain", explain(*scene->inclusion, form, scene->title)) ? fine : run_failed;
}

}  // namespace asperity::cli
