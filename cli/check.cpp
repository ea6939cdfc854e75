#include "asperity/job/check.hpp"

#include "commands.hpp"
#include "execute.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace asperity::cli {

int run_check(const CheckCommand& typed) {
  SceneCheckOptions options{typed.strict, typed.deep};
  options.hooks.stop = [] { return stop_signal() != 0; };
  ProgressBar bar(!typed.json, 0, "check");
  options.hooks.progress = [&](const Progress& now) { bar.show(now.done, now.all, now.seconds); };
  if (typed.deep) listen_to_signals();
  SceneCheck check;
  if (typed.scene == "-") {
    check.file = "standard input";
    if (const auto scene = scene_of(typed.scene, typed.set, check.problems)) check = check_scene(*scene, options);
  } else {
    check = check_scene_file(typed.scene, typed.set, options);
  }
  bar.clear();
  const int code = !check.can_run() ? bad_input : check.ok() ? fine : run_failed;
  if (typed.json) return print("check", to_json(check)) ? code : run_failed;
  report("check", check.problems);
  if (!check.can_run()) return code;
  report("check", check.notes);
  print_warnings("check", check.facts->warnings);
  return print("check", to_text(check)) ? code : run_failed;
}

}  // namespace asperity::cli
