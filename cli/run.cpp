#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "commands.hpp"
#include "execute.hpp"
#include "text.hpp"

namespace asperity::cli {
namespace {

namespace fs = std::filesystem;

std::string files_of(const fs::path& folder, const Facts& facts) {
  std::string text;
  for (const std::string& name :
       {facts.files.data, std::string("scene.toml"), std::string("summary.json"), std::string("report.html")})
    if (std::error_code none; fs::exists(folder / name, none)) text += (text.empty() ? "" : ", ") + name;
  return fmt::format("files in {}: {}\n", folder.string(), text);
}

int say(const RunCommand& typed, const std::string& folder, const Facts& facts) {
  if (typed.json) return print("run", to_json(facts)) ? fine : run_failed;
  if (typed.quiet) return fine;
  return print("run", summary_of(facts) + files_of(folder, facts)) ? fine : run_failed;
}

int tell(const RunCommand& typed, const std::string& folder, const JobOutcome& outcome) {
  const int code = finish("run", folder, outcome);
  if (!outcome.facts) return code;
  const int said = say(typed, folder, *outcome.facts);
  return code != fine ? code : said;
}

int resume(const RunCommand& typed) {
  Problems problems;
  const std::string path = !typed.resume->empty() ? *typed.resume
                           : typed.folder         ? *typed.folder
                           : !typed.scene.empty() ? default_folder(typed.scene)
                                                  : "";
  if (path.empty()) problems.emplace_back("--resume: which run? for instance --resume out/held_by_friction");
  if (!typed.resume->empty() && typed.folder)
    problems.push_back(fmt::format("-o {}: a run continues in its own folder, {}", *typed.folder, path));
  if (typed.format) problems.emplace_back("--format: a run continues in its own format");
  if (!problems.empty()) return report("run", problems), bad_input;

  auto former = read_job(path, problems);
  if (!former) {
    report("run", problems);
    return bad_input;
  }
  const std::string file = (fs::path(path) / "scene.toml").string();
  if (former->facts.run.finished) {
    report("run", {fmt::format("{}: this run is finished, there is nothing to continue", path)});
    if (std::error_code none; !fs::exists(fs::path(path) / "report.html", none))
      if (auto problem = write_report(path, former->facts)) return report("run", {*problem}), run_failed;
    return say(typed, path, former->facts);
  }
  const Scene* const scene = former->scene.get();
  // Rows of two scenes in one file would be the run of neither.
  if (const auto changed = typed.set.empty() ? nullptr : scene_of(file, typed.set, problems))
    if (scene && changed->resolved != scene->resolved)
      problems.push_back(fmt::format("--set {}: changes the scene: a run continues as it was started; start again without --resume",
                                     fmt::join(typed.set, " --set ")));
  if (!typed.scene.empty()) {
    const auto now = scene_of(typed.scene, typed.set, problems);
    if (now && scene && now->resolved != scene->resolved)
      problems.push_back(
          fmt::format("{}: is not the scene that was interrupted in {}; continue without it, or start again without --resume",
                      typed.scene, path));
  }
  if (!scene || !problems.empty()) return report("run", problems), bad_input;
  JobOptions options = on_terminal("run", !typed.quiet, true);
  options.strict = typed.strict;
  options.threads = typed.threads;
  return tell(typed, path, resume_job(*former, options));
}

}  // namespace

int run_run(const RunCommand& given) {
  RunCommand typed = given;
  if (typed.resume && typed.scene.empty() && typed.resume->ends_with(".toml")) std::swap(typed.scene, *typed.resume);
  if (typed.resume) return resume(typed);
  Problems problems;
  if (typed.scene.empty()) problems.emplace_back("which scene? for instance: asperity run scenes/held_by_friction.toml");
  const std::string format = typed.format.value_or("csv");
  if (format != "csv" && format != "hdf5") problems.push_back(fmt::format("--format {}: must be csv or hdf5", format));
  if (format == "hdf5" && !has_hdf5()) problems.emplace_back("--format hdf5: HDF5 is not built in (package libhdf5-dev); use csv");
  const std::string folder = typed.folder.value_or(default_folder(typed.scene));
  std::unique_ptr<Scene> scene;
  if (!typed.scene.empty()) {
    scene = scene_of(typed.scene, typed.set, problems);
    for (std::string& objection : folder_objections(folder, typed.scene)) problems.push_back(std::move(objection));
  }
  if (!problems.empty()) return report("run", problems), bad_input;
  JobOptions options = on_terminal("run", !typed.quiet);
  options.folder = folder;
  options.format = format;
  options.strict = typed.strict;
  options.threads = typed.threads;
  return tell(typed, folder, run_job(*scene, options));
}

}  // namespace asperity::cli
