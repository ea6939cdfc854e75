#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <thread>

#include "asperity/report/report.hpp"
#include "asperity/reproduce/carry_out.hpp"
#include "asperity/reproduce/facts_json.hpp"
#include "asperity/reproduce/gallery.hpp"
#include "commands.hpp"
#include "files/whole.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace asperity::cli {
namespace {

namespace fs = std::filesystem;
using files::read_whole;
using files::write_whole;
using reproduce::Experiment;
using reproduce::Fact;
using reproduce::Result;

struct TypedReproduce {
  std::vector<std::string> ids;
  std::string folder;  // empty: of its own
  bool all = false, list = false, json = false;
};

/// One experiment alone does not take the place of the whole gallery.
std::string folder_of(const TypedReproduce& typed) {
  if (!typed.folder.empty()) return typed.folder;
  return typed.all ? "out/reproduce" : fmt::format("out/reproduce-{}", typed.ids.size() == 1 ? typed.ids.front() : "some");
}

/// Those asked for, in the order of the papers.
std::vector<const Experiment*> chosen(const TypedReproduce& typed, Problems& problems) {
  std::vector<std::string> known;
  for (const Experiment& experiment : reproduce::experiments()) known.push_back(experiment.id);
  for (const std::string& id : typed.ids)
    if (std::find(known.begin(), known.end(), id) == known.end()) {
      const auto near = nearest(id, known);
      problems.push_back(
          fmt::format("unknown experiment \"{}\"; {}", id, near ? "did you mean " + *near + "?" : "--list shows them all"));
    }
  if (typed.ids.empty() && !typed.all) problems.emplace_back("which experiment? --list shows them, --all carries out every one");
  std::vector<const Experiment*> list;
  for (const Experiment& experiment : reproduce::experiments())
    if (typed.all || std::find(typed.ids.begin(), typed.ids.end(), experiment.id) != typed.ids.end()) list.push_back(&experiment);
  return list;
}

/// The folder, made if need be; removed again if nothing comes of it.
class Place {
 public:
  explicit Place(fs::path path) : path_(std::move(path)) {}

  std::optional<std::string> prepare() {
    std::string page;
    const std::string index = (path_ / "index.html").string(), facts = (path_ / "facts.json").string();
    std::error_code error;
    const bool own = fs::exists(index, error);
    if (own && (read_whole(index, page) || !is_own_page(page)))
      return fmt::format("{}: is not a page of Asperity; choose another folder with -o", index);
    for (const std::string& other : {facts, (path_ / "figures").string()})
      if (!own && fs::exists(other, error))  // they are written together
        return fmt::format("{}: is there without a page of Asperity; choose another folder with -o", other);
    created_ = fs::create_directories(path_, error);
    if (error) return fmt::format("{}: cannot write: {}", path_.string(), error.message());
    return std::nullopt;
  }
  std::optional<std::string> write(const std::vector<Result>& results) const {
    std::error_code error;
    fs::create_directories(path_ / "figures", error);
    if (error) return fmt::format("{}: cannot write: {}", (path_ / "figures").string(), error.message());
    for (const Result& result : results)
      for (std::size_t i = 0; i < result.findings.pictures.size(); ++i)
        if (auto problem = write_whole((path_ / "figures" / fmt::format("{}-{}.svg", result.experiment->id, i + 1)).string(),
                                       to_svg(result.findings.pictures[i])))
          return problem;
    if (auto problem = write_whole((path_ / "facts.json").string(), reproduce::facts_json(results))) return problem;
    return write_whole((path_ / "index.html").string(), reproduce::gallery_page(results));
  }
  void give_up() const {
    std::error_code ignored;
    if (created_) fs::remove(path_, ignored);
  }

 private:
  fs::path path_;
  bool created_ = false;
};

std::string listed() {
  std::vector<std::vector<std::string>> rows;
  for (const Experiment& experiment : reproduce::experiments())
    rows.push_back({experiment.id, fmt::format("{} {}", experiment.paper, experiment.where), experiment.title});
  return aligned(rows, "<<<");
}

/// What did not come out, one line each.
Problems disappointments(const std::vector<Result>& results) {
  Problems lines;
  for (const Result& result : results) {
    if (!result.failure.empty()) lines.push_back(fmt::format("{}: {}", result.experiment->id, result.failure));
    if (const reproduce::Doubt* doubt = result.findings.unexplained())
      lines.push_back(fmt::format("{}: there is no explanation for this finding: {}", result.experiment->id, doubt->line()));
    for (const Fact& fact : result.findings.facts)
      if (verdict(fact) == "failed")
        lines.push_back(fmt::format("{}: {}{}: {:.7g} {}, expected {:.7g} within {:.2g} ({}: {})", result.experiment->id, fact.name,
                                    fact.at.empty() ? "" : ", " + fact.at, fact.value, fact.unit, fact.expected->value,
                                    fact.expected->tolerance, to_text(fact.expected->source), fact.expected->from));
  }
  return lines;
}

std::string summary(const std::vector<Result>& results, const std::string& folder, double seconds) {
  std::size_t passed = 0, failed = 0, measured = 0, doubts = 0;
  for (const Result& result : results) doubts += result.findings.doubts.size();
  for (const Result& result : results)
    for (const Fact& fact : result.findings.facts) {
      const std::string_view is = verdict(fact);
      ++(is == "passed" ? passed : is == "failed" ? failed : measured);
    }
  return fmt::format("{} experiment{} in {:.3g} s: {} facts passed, {} failed, {} measured{}\nOpen {}\n", results.size(),
                     results.size() == 1 ? "" : "s", seconds, passed, failed, measured,
                     doubts == 0 ? "" : fmt::format("; {} doubts of their runs, explained on the page", doubts),
                     (fs::path(folder) / "index.html").string());
}

int run_reproduce(const TypedReproduce& typed) {
  if (typed.list) return print("reproduce", listed()) ? fine : run_failed;
  Problems problems;
  const auto experiments = chosen(typed, problems);
  const std::string folder = folder_of(typed);
  Place place(folder);
  if (problems.empty())
    if (auto problem = place.prepare()) problems.push_back(*problem);
  if (!problems.empty()) return report("reproduce", problems), bad_input;

  listen_to_signals();
  Ticker clock;
  ProgressBar bar(true);
  const auto results = carry_out(
      experiments, static_cast<int>(std::thread::hardware_concurrency()),
      [&](const auto& now) {
        bar.show(
            fmt::format("{} {} of {}  {}", bar_of(now.cost_done / now.cost_all), now.done, now.all, fmt::join(now.at_work, ", ")),
            clock.seconds());
      },
      [] { return stop_signal() != 0; });
  bar.clear();
  if (stop_signal() != 0) {
    place.give_up();
    return report("reproduce", {"interrupted; nothing was written"}), 128 + stop_signal();
  }
  if (auto problem = place.write(results)) return report("reproduce", {*problem}), run_failed;
  const bool said = print("reproduce", typed.json ? reproduce::facts_json(results) : summary(results, folder, clock.seconds()));
  const Problems failed = disappointments(results);
  report("reproduce", failed);
  return said && failed.empty() ? fine : run_failed;
}

}  // namespace

Command add_reproduce(CLI::App& app) {
  const auto typed = std::make_shared<TypedReproduce>();
  CLI::App& command = *app.add_subcommand("reproduce", "The experiments of the five papers: run, measured, judged, drawn");
  command.add_option("ID", typed->ids, "experiments of --list")->type_name("");
  command.add_flag("--all", typed->all, "every one");
  command.add_flag("--list", typed->list, "list the experiments");
  command.add_option("-o,--output", typed->folder, "folder; by default out/reproduce for --all, out/reproduce-ID for one")
      ->type_name("FOLDER");
  command.add_flag("--json", typed->json, "print the facts, for programs");
  command.footer(
      "In the folder: index.html (the gallery), facts.json (what --json prints), figures/ID-1.svg, ...\n\n"
      "Examples\n  asperity reproduce --list\n  asperity reproduce xiong2013-fig-3.4\n  asperity reproduce --all -o out/papers\n\n"
      "Exit codes: 0 every fact is as expected, 1 one is not, 2 bad usage, 130 interrupted, 143 terminated.");
  return {&command, [typed] { return run_reproduce(*typed); }};
}

}  // namespace asperity::cli
