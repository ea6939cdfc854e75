#include "asperity/job/compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "asperity/scene/swap_law.hpp"
#include "commands.hpp"
#include "execute.hpp"
#include "files/whole.hpp"
#include "job/prepare.hpp"
#include "text.hpp"

namespace asperity::cli {
namespace {

namespace fs = std::filesystem;

/// One of the two, as asked for: a run that is there, or a scene to run.
struct Asked {
  std::string label, assumed{};
  std::string folder{};            // of a run that is there
  std::unique_ptr<Scene> scene{};  // else
  std::string folder_suffix{};     // of its run, where the labels make the same name
};

// --- what is asked for -----------------------------------------------------------------------------------------------------------

/// Short names that differ.
void tell_apart(Asked& a, Asked& b) {
  if (a.label == b.label) a.label += " (1)", b.label += " (2)";
}

std::string name_of(const std::string& path) {
  std::error_code none;
  const fs::path whole = fs::absolute(path, none).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).stem().string();
}

std::optional<Asked> side(const std::string& path, const std::vector<std::string>& settings, Problems& problems) {
  Asked asked{name_of(path)};
  if (std::error_code none; fs::is_directory(path, none)) {
    if (!settings.empty()) problems.push_back(fmt::format("--set: {} is a run, not a scene", path));
    asked.folder = path;
    return asked;
  }
  asked.scene = scene_of(path, settings, problems);
  return asked.scene ? std::optional(std::move(asked)) : std::nullopt;
}

std::optional<Asked> with_law(const Scene& scene, const std::string& element, const std::string& law, Problems& problems) {
  const auto swapped = swap_law(scene, element, law, problems, "--");
  if (!swapped) return std::nullopt;
  Asked asked{law, swapped->assumed};
  std::vector<SceneProblem> found;
  asked.scene = read_scene(swapped->scene, scene.file, {}, found);
  for (const SceneProblem& problem : found) problems.push_back(fmt::format("with {}: {}", law, to_text(problem)));
  return asked.scene ? std::optional(std::move(asked)) : std::nullopt;
}

std::vector<Asked> asked_for(const CompareCommand& typed, Problems& problems) {
  std::vector<Asked> both;
  const auto take = [&](std::optional<Asked> one) {
    if (one) both.push_back(std::move(*one));
  };
  if (typed.element && !typed.laws) problems.emplace_back("--element: needs --laws, for instance --laws single_state,lugre");
  if (!typed.b.empty()) {
    if (typed.laws) problems.emplace_back("--laws: compares one scene with itself; give one scene");
    for (const std::string& path : {typed.a, typed.b}) take(side(path, typed.set, problems));
    return both;
  }
  const std::string& path = typed.a;
  if (std::error_code none; fs::is_directory(path, none)) {
    problems.push_back(fmt::format("{}: with what? give a second run, or a scene with --laws or --set", path));
  } else if (typed.laws) {
    const auto scene = scene_of(path, typed.set, problems);
    const auto laws = comma_list(*typed.laws);
    if (laws.size() > 2) problems.push_back(fmt::format("--laws {}: {} laws: must be 1 or 2", *typed.laws, laws.size()));
    else if (scene && laws.size() == 1) take(side(path, typed.set, problems));
    if (scene && laws.size() <= 2)
      for (const std::string& law : laws) take(with_law(*scene, typed.element.value_or(""), law, problems));
  } else if (!typed.set.empty()) {
    take(side(path, {}, problems));
    take(side(path, typed.set, problems));
    if (both.size() == 2) both[1].label = fmt::format("{}", fmt::join(typed.set, " "));
  } else {
    problems.push_back(fmt::format("{}: with what? give a second scene, --laws or --set", path));
  }
  return both;
}

/// The page tells whose folder it is: only what a former comparison wrote is replaced.
void object_to_foreign_files(const fs::path& out, Problems& problems) {
  std::string page;
  if (!files::read_whole((out / "compare.html").string(), page) && is_own_page(page)) return;
  for (const char* name : {"compare.html", "compare.svg"})
    if (std::error_code none; fs::exists(out / name, none))
      problems.push_back(fmt::format("{}: holds {}, which no comparison wrote; choose another folder with -o", out.string(), name));
}

/// A folder name for a label.
std::string folder_name(const std::string& label) {
  std::string name;
  for (const char c : label) name += std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.' ? c : '_';
  return name;
}

fs::path run_folder(const Asked& one, const fs::path& out) { return out / (folder_name(one.label) + one.folder_suffix); }

/// All that can be wrong, before anything is run: the data of a run that is there, and whether a scene can be run.
void check_before(Asked& one, const fs::path& out, std::optional<Side>& side, Problems& problems) {
  if (!one.scene) {
    side = read_side(one.label, one.folder, problems);
    return;
  }
  for (std::string& objection : folder_objections(run_folder(one, out).string(), one.scene->file))
    problems.push_back(std::move(objection));
  asperity::RunOptions options = one.scene->run;
  options.record.columns.clear();  // the reader has looked at them
  job::make_run(*one.scene, options, problems);
}

}  // namespace

int run_compare(const CompareCommand& typed) {
  Problems problems;
  std::vector<Asked> asked = asked_for(typed, problems);
  const fs::path out(typed.folder.value_or("out/compare"));
  object_to_foreign_files(out, problems);
  std::vector<std::optional<Side>> sides(asked.size());  // those that are there already
  if (asked.size() == 2) {
    tell_apart(asked[0], asked[1]);
    if (folder_name(asked[0].label) == folder_name(asked[1].label) && asked[0].scene && asked[1].scene)
      asked[0].folder_suffix = "_1", asked[1].folder_suffix = "_2";
    for (std::size_t i = 0; i < 2; ++i) check_before(asked[i], out, sides[i], problems);
  }
  if (!problems.empty()) return report("compare", problems), bad_input;

  std::string assumed;
  int code = fine;
  for (Asked& one : asked) {
    if (!one.assumed.empty()) assumed += one.assumed + "\n";
    if (!one.scene) continue;
    one.folder = run_folder(one, out).string();
    JobOptions options = on_terminal("compare: " + one.label, !typed.json);
    options.folder = one.folder;
    const JobOutcome outcome = run_job(*one.scene, options);
    const int one_code = finish("compare: " + one.label, one.folder, outcome);
    if (!outcome.facts || one_code > run_failed) return one_code;
    code = std::max(code, one_code);  // what there is of a run that failed is compared
  }
  for (std::size_t i = 0; i < 2; ++i)
    if (!sides[i]) sides[i] = read_side(asked[i].label, asked[i].folder, problems);
  if (!problems.empty()) return report("compare", problems), bad_input;

  const RunComparison found = compare(std::move(*sides[0]), std::move(*sides[1]));
  std::error_code error;
  fs::create_directories(out, error);
  if (error) return report("compare", {fmt::format("{}: cannot write: {}", out.string(), error.message())}), bad_input;
  const std::string svg = (out / "compare.svg").string(), page = (out / "compare.html").string();
  for (const auto& [file, text] : {std::pair(page, to_page(found)), std::pair(svg, plot::to_svg(figure_of(found)))})
    if (auto problem = files::write_whole(file, text)) problems.push_back(*problem);
  if (!problems.empty()) return report("compare", problems), bad_input;
  if (typed.json) {
    if (!print("compare", to_json(found))) return run_failed;
  } else if (!print("compare", assumed + to_text(found) + fmt::format("wrote {}, {}\n", page, svg))) {
    return run_failed;
  }
  return found.has_failed() ? run_failed : code;
}

}  // namespace asperity::cli
