#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>

#include "asperity/plot.hpp"
#include "asperity/quantity_text.hpp"
#include "asperity/report/report.hpp"
#include "columns.hpp"
#include "commands.hpp"
#include "execute.hpp"
#include "files/whole.hpp"
#include "law_swap.hpp"
#include "prepare.hpp"
#include "text.hpp"

namespace asperity::cli {
namespace {

namespace fs = std::filesystem;
using files::read_whole;
using files::write_whole;

constexpr std::size_t most_columns = 24;  // that the table on the terminal shows

/// One of the two, as asked for: a run that is there, or a scene to run.
struct Asked {
  std::string label, assumed{};
  std::string folder{};            // of a run that is there
  std::unique_ptr<Scene> scene{};  // else
  std::string folder_suffix{};     // of its run, where the labels make the same name
};

/// A run, read back.
struct Compared {
  std::string label;
  Facts facts;
  Table data;
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
  const auto swapped = swap_law(scene, element, law, problems);
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

// --- what differs ----------------------------------------------------------------------------------------------------------------

/// The mean velocity over the second half, with weights that fade out towards both ends: a motion that only swings has none, even
/// if its last swing is cut.
double drift(const std::vector<double>& t, const std::vector<double>& x) {
  const double from = t.front() + (t.back() - t.front()) / 2, length = t.back() - from;
  double way = 0, weights = 0;
  for (std::size_t i = 1; i < t.size(); ++i) {
    const double middle = (t[i - 1] + t[i]) / 2;
    if (middle < from) continue;
    const double weight = std::pow(std::sin(std::numbers::pi * (middle - from) / length), 4);
    way += weight * (x[i] - x[i - 1]);
    weights += weight * (t[i] - t[i - 1]);
  }
  return weights > 0 ? way / weights : 0;
}

std::string columns_apart(const Compared& a, const Compared& b) {
  const auto &ta = a.data.find("time")->values, &tb = b.data.find("time")->values;
  std::vector<std::vector<std::string>> rows{{"", a.label, b.label, "largest difference", ""}};
  std::size_t same = 0, left = 0;
  for (const Table::Column& column : a.data.columns) {
    const Table::Column* other = b.data.find(column.quantity.name);
    if (!other || column.quantity.name == "time") continue;
    const Farthest apart = farthest(ta, column.values, tb, other->values);
    const auto text = [&](double value) { return quantity_text(value, column.quantity.unit); };
    if (apart.difference == 0) ++same;
    else if (rows.size() <= most_columns)
      rows.push_back({column.quantity.name, text(column.values.back()), text(other->values.back()), text(apart.difference),
                      fmt::format("at {:g} s", apart.time)});
    else ++left;
  }
  std::string out = rows.size() > 1 ? "final values\n" + aligned(rows, "<>>><") : "";
  if (left > 0) out += fmt::format("  and {} more, see the page\n", left);
  if (same > 0) out += fmt::format("{} column{} equal, to the last bit\n", same, same == 1 ? " is" : "s are");
  return out;
}

std::string drifts(const Compared& a, const Compared& b) {
  std::vector<std::vector<std::string>> rows{{"", a.label, b.label}};
  const auto &ta = a.data.find("time")->values, &tb = b.data.find("time")->values;
  for (const Table::Column& column : a.data.columns) {
    const Table::Column* other = b.data.find(column.quantity.name);
    if (!other || column.quantity.name.find(".position") == std::string::npos || rows.size() > most_columns) continue;
    const std::string unit = column.quantity.unit + "/s";
    rows.push_back(
        {column.quantity.name, quantity_text(drift(ta, column.values), unit), quantity_text(drift(tb, other->values), unit)});
  }
  if (rows.size() == 1 || ta.size() < 4 || tb.size() < 4) return "";
  return fmt::format("drift over the second half, from {:g} s\n", ta.front() + (ta.back() - ta.front()) / 2) + aligned(rows, "<>>");
}

std::string events(const Compared& a, const Compared& b) {
  std::map<std::pair<std::string, std::string>, std::array<std::size_t, 2>> counts;
  const std::array both{&a, &b};
  for (std::size_t i = 0; i < 2; ++i)
    for (const Event& event : both[i]->facts.events) ++counts[{event.element, std::string(to_text(event.kind))}][i];
  if (counts.empty()) return "";
  std::vector<std::vector<std::string>> rows{{"", a.label, b.label}};
  for (const auto& [what, count] : counts) {
    if (rows.size() > most_columns) break;
    rows.push_back({what.first + " " + what.second, std::to_string(count[0]), std::to_string(count[1])});
  }
  return "events\n" + aligned(rows, "<>>");
}

/// What each run says of its own numbers.
std::string doubts(const Compared& a, const Compared& b) {
  std::string text;
  for (const Compared* one : {&a, &b})
    for (const Finding& finding : one->facts.findings)
      text += fmt::format("{}: {}: {}\n", one->label, word_of(finding.severity), finding.text);
  return text;
}

std::string energies(const Compared& a, const Compared& b) {
  std::vector<std::vector<std::string>> rows{{"", a.label, b.label}};
  const EnergyAccount &in_a = a.facts.energy, &in_b = b.facts.energy;
  const auto row = [&](const char* label, double EnergyAccount::*part) {
    rows.push_back({label, known_quantity(in_a.*part, "J"), known_quantity(in_b.*part, "J")});
  };
  row("work in", &EnergyAccount::work_in);
  row("dissipated", &EnergyAccount::dissipated);
  row("numerical damping", &EnergyAccount::closing_error);
  return "energy\n" + aligned(rows, "<>>");
}

/// Neither drawn nor compared: what only one of them has.
std::string only_in_one(const Compared& a, const Compared& b) {
  std::string text;
  for (const auto& [one, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    std::vector<std::string> names;
    for (const Table::Column& column : one->data.columns)
      if (!other->data.find(column.quantity.name)) names.push_back(column.quantity.name);
    if (!names.empty()) text += fmt::format("only in {}: {}\n", one->label, fmt::join(names, ", "));
  }
  return text;
}

std::optional<Compared> read_back(const std::string& label, const std::string& folder, Problems& problems) {
  auto facts = read_facts((fs::path(folder) / "summary.json").string(), problems);
  if (!facts) return std::nullopt;
  auto data = read_data(folder, false, problems);
  if (!data) return std::nullopt;
  if (!data->table.find("time")) {
    problems.push_back(fmt::format("{}: its data have no column time", folder));
    return std::nullopt;
  }
  return Compared{label, std::move(*facts), std::move(data->table)};
}

/// The page tells whose folder it is: only what a former comparison wrote is replaced.
void object_to_foreign_files(const fs::path& out, Problems& problems) {
  std::string page;
  if (!read_whole((out / "compare.html").string(), page) && is_own_page(page)) return;
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
void check_before(Asked& one, const fs::path& out, std::optional<Compared>& side, Problems& problems) {
  if (!one.scene) {
    side = read_back(one.label, one.folder, problems);
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
  std::vector<std::optional<Compared>> sides(asked.size());  // those that are there already
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
    JobOptions options = on_terminal("compare: " + one.label, true);
    options.folder = one.folder;
    const JobOutcome outcome = run_job(*one.scene, options);
    const int one_code = finish("compare: " + one.label, one.folder, outcome);
    if (!outcome.facts || one_code > run_failed) return one_code;
    code = std::max(code, one_code);  // what there is of a run that failed is compared
  }
  const auto is_wrong = [](const Compared& one) { return one.facts.verdict == Verdict::failed; };
  for (std::size_t i = 0; i < 2; ++i)
    if (!sides[i]) sides[i] = read_back(asked[i].label, asked[i].folder, problems);
  const auto &a = sides[0], &b = sides[1];
  if (!problems.empty()) return report("compare", problems), bad_input;

  Table shared;
  for (const Table::Column& column : a->data.columns)
    if (b->data.find(column.quantity.name)) shared.columns.push_back({column.quantity, {}});
  const Choice choice = choose(shared, std::nullopt, std::nullopt, problems);
  plot::Figure figure = figure_of(a->data, a->label, b->data, b->label, choice);
  figure.title = fmt::format("{} and {}", a->label, b->label);
  figure.subtitle = a->facts.title;
  std::error_code error;
  fs::create_directories(out, error);
  if (error) return report("compare", {fmt::format("{}: cannot write: {}", out.string(), error.message())}), bad_input;
  const std::string svg = (out / "compare.svg").string(), page = (out / "compare.html").string();
  if (auto problem = write_whole(page, compare_page({a->label, a->facts, a->data}, {b->label, b->facts, b->data})))
    problems.push_back(*problem);
  if (auto problem = write_whole(svg, plot::to_svg(figure))) problems.push_back(*problem);
  if (!problems.empty()) return report("compare", problems), bad_input;
  return print("compare", assumed + doubts(*a, *b) + columns_apart(*a, *b) + only_in_one(*a, *b) + drifts(*a, *b) + events(*a, *b) +
                              energies(*a, *b) + fmt::format("wrote {}, {}\n", page, svg))
             ? is_wrong(*a) || is_wrong(*b) ? run_failed : code
             : run_failed;
}

}  // namespace asperity::cli
