#include "asperity/study/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <set>

#include "asperity/csv.hpp"
#include "asperity/facts/facts.hpp"
#include "asperity/formula/units.hpp"
#include "asperity/parameters.hpp"
#include "asperity/scene/scene.hpp"
#include "files/whole.hpp"
#include "measure.hpp"
#include "plan_text.hpp"
#include "scene/value.hpp"

namespace asperity::study {
namespace {

namespace fs = std::filesystem;
using scene::Value;
using Type = Value::Type;

constexpr double most_points = 1e9;
constexpr std::size_t most_values = 10000000;  // of one axis
constexpr std::array<std::string_view, 3> design_words{"sobol", "latin", "random"};
constexpr std::array<std::string_view, 3> sensitivity_words{"none", "sobol", "morris"};
constexpr std::array<std::string_view, 4> distribution_words{"uniform", "loguniform", "normal", "lognormal"};

std::string known_words(std::span<const std::string_view> words, std::string_view given) {
  std::vector<std::string> list(words.begin(), words.end());
  const auto suggestion = nearest(given, list);
  return suggestion ? fmt::format("did you mean {}?", *suggestion) : fmt::format("known: {}", fmt::join(list, " "));
}

/// "a, b" between the parentheses of normal(a, b).
std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(at, begin);
    std::string part = text.substr(begin, end == std::string::npos ? end : end - begin);
    part.erase(0, part.find_first_not_of(" \t"));
    part.erase(part.find_last_not_of(" \t") + 1);
    parts.push_back(std::move(part));
    if (end == std::string::npos) return parts;
    begin = end + 1;
  }
}

/// A number where it reads as one, else a text.
Value word_value(const std::string& text) {
  if (const auto number = parse_number(text)) return Value(*number);
  return Value(text);
}

/// The whole value on one line.
std::string inline_toml(const Value& value) {
  Value one;
  one.set("x", value);
  const std::string text = scene::to_toml(one);
  return text.substr(4, text.size() - 5);  // without "x = " and the end of the line
}

/// Everything in a study but the scene.
const std::vector<std::string>& top_keys() {
  static const std::vector<std::string> keys{"scene",  "title",      "samples", "design", "seed",    "sensitivity",
                                             "border", "resolution", "set",     "vary",   "measure", "asperity"};
  return keys;
}

/// What can be said without the scene.
void structure_problems(const Plan& plan, bool axes_known, std::vector<std::string>& problems) {
  if (plan.measures.empty() && !plan.measured_elsewhere)
    problems.emplace_back("[measure] is missing: what to measure, such as end = \"last(mass.position)\"");
  std::set<std::string> taken{"point", "verdict", "problem"};
  for (const Axis& axis : plan.axes) {
    if (!taken.insert(axis.path).second) problems.push_back(fmt::format("vary.{}: is varied twice", axis.path));
    if (!axis.random && axis.values.empty())
      problems.push_back(fmt::format("vary.{}: 0 points: must have at least one value", axis.path));
  }
  for (const Measure& measure : plan.measures) {
    const bool plain = !measure.name.empty() && std::all_of(measure.name.begin(), measure.name.end(), [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-';
    });
    if (!plain) problems.push_back(fmt::format("measure \"{}\": a name has letters, digits, _, - and . only", measure.name));
    else if (!taken.insert(measure.name).second)
      problems.push_back(fmt::format("measure {}: is the name of another column of the table; choose another one", measure.name));
  }
  if (!axes_known) return;
  if (plan.is_random() && plan.samples == 0)
    problems.emplace_back("samples is missing: how many samples of the random parameters, such as samples = 1000");
  if (!plan.is_random() && plan.samples > 0)
    problems.push_back(fmt::format(
        "samples = {}: nothing is random: give a parameter a distribution, such as {{ normal = 1.5, sd = 0.1 }}", plan.samples));
  if (plan.sensitivity != Sensitivity::none) {
    const std::string_view word = sensitivity_words[std::size_t(plan.sensitivity)];
    if (!plan.is_random())
      problems.push_back(fmt::format(
          "sensitivity = \"{}\": needs random parameters: give each a distribution, such as {{ uniform = [1, 2] }}", word));
    else if (plan.grid_axes() > 0)
      problems.push_back(
          fmt::format("sensitivity = \"{}\": vary.{} is a list of values: must be a distribution, such as {{ uniform = [1, 2] }}",
                      word, plan.axes.front().path));
  }
  double total = plan.is_random() ? double(plan.samples) * double(plan.axes.size() + 2) : 1;
  for (const Axis& axis : plan.axes) total *= axis.random ? 1 : double(axis.values.size());
  if (total > most_points) problems.push_back(fmt::format("{:.3g} points: must be <= {:g}", total, most_points));
}

/// Everything that is wrong with a plan. `unread` are paths that are varied in a way that was not understood; `base` is the scene
/// as it is without what is varied, if it is known and the plan cannot be relied on.
std::vector<std::string> all_problems(const Plan& plan, const std::vector<std::string>& unread, const Scene* base, bool is_whole) {
  std::vector<std::string> problems;
  structure_problems(plan, unread.empty(), problems);
  if (!is_whole && !base) return problems;
  // One that has points, to look at the paths and the measures.
  Plan probe = plan;
  const bool reliable = is_whole && problems.empty();
  if (!reliable) {
    std::erase_if(probe.axes, [](const Axis& axis) { return !axis.random && axis.values.empty(); });
    probe.samples = probe.is_random() ? 1 : 0;
    probe.design = Design::sobol, probe.sensitivity = Sensitivity::none;
  }
  const auto scene = sample_scene(probe, problems);
  const Scene* const known = scene ? scene.get() : base;
  std::vector<Axis> named = plan.axes;
  for (const std::string& path : unread) named.push_back({.path = path});
  const auto measures = known ? Measures::read(plan.measures, known->world, named, problems) : std::nullopt;
  if (!plan.border) return problems;
  const auto at =
      std::find_if(plan.measures.begin(), plan.measures.end(), [&](const Measure& m) { return m.name == plan.border->measure; });
  if (at == plan.measures.end())
    problems.push_back(fmt::format("border = \"{}\": there is no measure of this name", plan.border->measure));
  else if (measures && !measures->is_yes_no(std::size_t(at - plan.measures.begin())))
    problems.push_back(
        fmt::format("border = \"{}\": must be a yes/no measure, such as \"count(floor.slips) == 0\"", plan.border->measure));
  const bool wide = std::all_of(plan.axes.begin(), plan.axes.end(),
                                [](const Axis& axis) { return !axis.random && axis.words.empty() && axis.values.size() >= 2; });
  if (unread.empty() && (plan.axes.empty() || plan.axes.size() > 2 || !wide))
    problems.emplace_back("border: must have one or two varied parameters with at least two numbers each, and none that is random");
  return problems;
}

class PlanReader {
 public:
  PlanReader(std::string file, const PlanOptions& options, std::vector<std::string>& problems)
      : file_(std::move(file)), options_(options), problems_(problems) {}

  std::optional<Plan> read(const std::string& text) {
    const std::size_t before = problems_.size();
    scene::Origin where;
    std::string why;
    auto root = scene::read_toml(text, where, why);
    if (!root) {
      complain(where.line, why);
      return std::nullopt;
    }
    plan_.title = fs::path(file_).stem().string();
    plan_.measured_elsewhere = options_.measured_elsewhere;
    const bool is_study = root->find("scene") || root->find("vary") || root->find("measure");
    if (!is_study) {
      plan_.scene_file = file_, plan_.scene_text = text;
      *root = Value();
    }
    if (!add_more(*root)) return std::nullopt;
    if (is_study) read_study(*root);
    else read_settings(*root);
    add_options(*root);

    // Everything is looked at, as far as what is wrong lets it be.
    std::vector<SceneProblem> found;
    if (!plan_.scene_text.empty()) base_ = read_scene(plan_.scene_text, plan_.scene_file, plan_.settings, found);
    for (const SceneProblem& problem : found) problems_.push_back(to_text(problem));
    if (const Value* vary = root->find("vary"); vary && vary->is(Type::table)) read_axes(*vary);
    if (const Value* measure = root->find("measure"); measure && measure->is(Type::table)) read_measures(*measure);
    for (std::string& problem : all_problems(plan_, unread_, base_.get(), problems_.size() == before))
      problems_.push_back(std::move(problem));
    if (problems_.size() > before) return std::nullopt;
    return std::move(plan_);
  }

 private:
  void complain(std::size_t line, const std::string& text) {
    problems_.push_back(line == 0 ? fmt::format("{}: {}", file_, text) : fmt::format("{}:{}: {}", file_, line, text));
  }
  void complain(const Value& at, const std::string& text) {
    if (at.origin.setting >= 0) problems_.push_back(fmt::format("{}: {}", typed_[std::size_t(at.origin.setting)], text));
    else complain(at.origin.line, text);
  }

  void read_study(const Value& root) {
    for (const auto& [key, value] : root.entries)
      if (std::find(top_keys().begin(), top_keys().end(), key) == top_keys().end()) {
        const auto suggestion = nearest(key, top_keys());
        complain(value, fmt::format("{}: unknown key; {}", key,
                                    suggestion ? "did you mean " + *suggestion + "?"
                                               : fmt::format("known: {}", fmt::join(top_keys(), " "))));
      }
    const Value* const scene = root.find("scene");
    if (options_.scene) {
      plan_.scene_file = options_.scene->first;
      plan_.scene_text = options_.scene->second;
      return read_settings(root);
    }
    if (!scene) return complain(0, "scene is missing: the file of the scene, such as scene = \"block.toml\"");
    if (!scene->is(Type::text))
      return complain(*scene, fmt::format("scene = {}: must be the name of a file in quotes", shown(*scene)));
    plan_.scene_file = (fs::path(file_).parent_path() / scene->text).string();
    std::vector<SceneProblem> found;
    const auto text = read_scene_text(plan_.scene_file, found);
    for (const SceneProblem& problem : found) complain(*scene, to_text(problem));
    plan_.scene_text = text.value_or("");
    read_settings(root);
  }

  void read_settings(const Value& root) {
    if (const Value* title = root.find("title")) {
      if (title->is(Type::text)) plan_.title = title->text;
      else complain(*title, fmt::format("title = {}: must be a text in quotes", shown(*title)));
    }
    if (const Value* version = root.find("asperity")) plan_.version = version->text;
    for (const char* name : {"set", "vary", "measure"})
      if (const Value* table = root.find(name); table && !table->is(Type::table))
        complain(*table, fmt::format("{} = {}: must be a table, [{}]", name, shown(*table), name));
    if (const Value* set = root.find("set"))
      for (const auto& [path, value] : set->entries)
        plan_.settings.push_back(path + "=" + (value.is(Type::text) ? value.text : inline_toml(value)));
    if (const Value* value = root.find("samples")) plan_.samples = whole(*value, "samples", 1, most_points);
    if (const Value* value = root.find("seed")) plan_.seed = whole(*value, "seed", 0, 9007199254740992.0);
    if (const Value* value = root.find("design")) plan_.design = Design(word(*value, "design", design_words));
    if (const Value* value = root.find("sensitivity"))
      plan_.sensitivity = Sensitivity(word(*value, "sensitivity", sensitivity_words));
    if (const Value* value = root.find("border")) {
      if (value->is(Type::text)) plan_.border = Border{value->text};
      else complain(*value, fmt::format("border = {}: must be the name of a measure in quotes", shown(*value)));
    }
    if (const Value* value = root.find("resolution")) resolution(*value);
  }

  void resolution(const Value& value) {
    if (!value.is(Type::number) || !(value.number > 0) || !(value.number <= 0.5))
      return complain(value,
                      fmt::format("resolution = {}: must be > 0 and <= 0.5, a part of the range of each axis", shown(value)));
    if (!plan_.border) return complain(value, "resolution: only with border");
    plan_.border->resolution = value.number;
  }

  /// The keys of `more` over those of the file, tables entry by entry.
  bool add_more(Value& root) {
    scene::Origin where;
    std::string why;
    auto more = scene::read_toml(options_.more, where, why);
    if (!more) return complain(0, why), false;
    typed_.emplace_back("study");
    came_from(*more, {0, int(typed_.size()) - 1});
    for (auto& [key, value] : more->entries) {
      Value* const known = root.find(key);
      if (!known || !known->is(Type::table) || !value.is(Type::table)) root.set(key, std::move(value));
      else
        for (auto& [name, item] : value.entries) known->set(name, std::move(item));
    }
    return true;
  }
  static void came_from(Value& value, const scene::Origin& origin) {
    value.origin = origin;
    for (Value& item : value.items) came_from(item, origin);
    for (auto& [key, item] : value.entries) came_from(item, origin);
  }

  /// What was typed stands in for, or beside, what the file says.
  void add_options(Value& root) {
    const auto origin = [&](const std::string& text) {
      typed_.push_back(text);
      return scene::Origin{0, int(typed_.size()) - 1};
    };
    const auto entry = [&](const char* option, const std::string& text,
                           const char* example) -> std::optional<std::pair<std::string, std::string>> {
      const std::size_t equals = text.find('=');
      std::string name = text.substr(0, equals);
      name.erase(0, name.find_first_not_of(" \t"));
      name.erase(name.find_last_not_of(" \t") + 1);
      if (equals != std::string::npos && !name.empty()) return std::pair(name, text.substr(equals + 1));
      problems_.push_back(fmt::format("{} {}: must be {}", option, text, example));
      return std::nullopt;
    };
    const auto table = [&](const char* name) -> Value& {
      if (Value* found = root.find(name)) return *found;
      return root.set(name, Value());
    };
    plan_.settings.insert(plan_.settings.end(), options_.set.begin(), options_.set.end());
    for (const std::string& text : options_.vary)
      if (const auto found =
              entry("--vary", text, "PATH=FROM:TO:COUNT, PATH=FROM:TO:COUNT:log, PATH=A,B,C or PATH=normal(MEAN, SD)")) {
        Value value = typed_axis(found->second);
        value.origin = origin("--vary " + text);
        for (Value& item : value.items) item.origin = value.origin;
        for (auto& [key, item] : value.entries) {
          item.origin = value.origin;
          for (Value& inner : item.items) inner.origin = value.origin;
        }
        table("vary").set(found->first, std::move(value));
      }
    for (const std::string& text : options_.measure)
      if (const auto found = entry("--measure", text, "NAME=FORMULA, such as \"end=last(mass.position)\"")) {
        Value value(found->second);
        value.origin = origin("--measure " + text);
        table("measure").set(found->first, std::move(value));
      }
    const auto typed = [&](const char* name, const std::optional<std::string>& text) -> std::optional<Value> {
      if (!text) return std::nullopt;
      Value value = word_value(*text);
      value.origin = origin(fmt::format("--{} {}", name, *text));
      return value;
    };
    if (const auto value = typed("samples", options_.samples)) plan_.samples = whole(*value, "samples", 1, most_points);
    if (const auto value = typed("seed", options_.seed)) plan_.seed = whole(*value, "seed", 0, 9007199254740992.0);
    if (const auto value = typed("design", options_.design)) plan_.design = Design(word(*value, "design", design_words));
    if (const auto value = typed("sensitivity", options_.sensitivity))
      plan_.sensitivity = Sensitivity(word(*value, "sensitivity", sensitivity_words));
    if (options_.border) {
      const std::string name = options_.border->substr(0, options_.border->find('='));
      if (name.size() < options_.border->size() && options_.border->substr(name.size()) != "=true")
        problems_.push_back(fmt::format("--border {}: must be NAME=true, or the name of a yes/no measure alone", *options_.border));
      plan_.border = Border{name};
    }
    if (const auto value = typed("resolution", options_.resolution)) resolution(*value);
  }

  /// 1:10:4:log, 1,2,5 or normal(1.5, 0.15), as the table that a file would have.
  static Value typed_axis(const std::string& text) {
    Value axis;
    const std::size_t open = text.find('(');
    if (open != std::string::npos && text.ends_with(')')) {
      const std::string word = split(text.substr(0, open), ',').front();
      const auto parts = split(text.substr(open + 1, text.size() - open - 2), ',');
      const bool ends = word == "uniform" || word == "loguniform";
      if (ends) {
        Value list(std::vector<double>{});
        for (const std::string& part : parts) list.items.push_back(word_value(part));
        axis.set(word, std::move(list));
      } else {
        constexpr std::array<const char*, 4> names{"", "sd", "low", "high"};
        for (std::size_t i = 0; i < parts.size(); ++i)
          axis.set(i == 0 ? word : i < names.size() ? names[i] : "and more", word_value(parts[i]));
      }
      return axis;
    }
    const auto parts = split(text, ':');
    if (parts.size() >= 3) {
      axis.set("from", word_value(parts[0]));
      axis.set("to", word_value(parts[1]));
      axis.set("count", word_value(parts[2]));
      if (parts.size() > 3) axis.set("log", parts[3] == "log" ? Value(true) : Value(parts[3]));
      if (parts.size() > 4) axis.set("and more", Value(parts[4]));
      return axis;
    }
    Value list(std::vector<double>{});
    for (const std::string& part : split(text, ',')) list.items.push_back(word_value(part));
    return list;
  }

  std::uint64_t whole(const Value& value, const char* name, double least, double most) {
    if (value.is(Type::number) && value.number == std::floor(value.number) && value.number >= least && value.number <= most)
      return std::uint64_t(value.number);
    complain(value, fmt::format("{} = {}: must be a whole number between {:g} and {:g}", name, shown(value), least, most));
    return 1;
  }

  std::size_t word(const Value& value, const char* name, std::span<const std::string_view> words) {
    for (std::size_t i = 0; i < words.size(); ++i)
      if (value.is(Type::text) && value.text == words[i]) return i;
    complain(value, fmt::format("{} = {}: {}", name, shown(value), known_words(words, value.text)));
    return 0;
  }

  // --- axes

  void read_axes(const Value& table) {
    for (const auto& [path, value] : table.entries) {
      Axis axis;
      axis.path = path;
      unit_of(axis);
      const std::size_t before = problems_.size();
      if (value.is(Type::list)) read_list(value, axis);
      else if (value.is(Type::table)) read_table(value, axis);
      else
        complain(value, fmt::format("vary.{} = {}: must be a list, {{ from = ..., to = ..., count = ... }} or a distribution, {{ "
                                    "normal = ..., sd = ... }}",
                                    path, shown(value)));
      if (problems_.size() == before) plan_.axes.push_back(std::move(axis));
      else unread_.push_back(path);
    }
    // Every point of the grid gets the samples.
    std::stable_partition(plan_.axes.begin(), plan_.axes.end(), [](const Axis& axis) { return !axis.random; });
  }

  void unit_of(Axis& axis) {
    const std::size_t dot = axis.path.find('.');
    exponents_.clear();
    if (dot == std::string::npos || !base_) return;
    const std::string component = axis.path.substr(0, dot), name = axis.path.substr(dot + 1);
    for (const SceneParameter& known : base_->parameters) {
      if (known.component != component) continue;
      if (known.name == name) axis.unit = known.unit;
      if (const auto value = parse_number(known.value); value && known.unit == "1") exponents_.emplace_back(known.name, *value);
    }
  }

  std::optional<double> number(const Value& value, const Axis& axis, const std::string& place) {
    if (value.is(Type::number)) {
      if (std::isfinite(value.number)) return value.number;
      complain(value, fmt::format("{} = {}: must be a finite number", place, shown(value)));
      return std::nullopt;
    }
    if (value.is(Type::text)) {
      std::string why;
      if (const auto found = read_quantity(value.text, axis.unit.empty() ? "1" : axis.unit, why, exponents_)) return found;
      if (base_ || !is_quantity(value.text)) complain(value, fmt::format("{} = {}: {}", place, shown(value), why));
      return std::nullopt;
    }
    complain(value, fmt::format("{} = {}: must be a number, or a number with a unit in quotes", place, shown(value)));
    return std::nullopt;
  }

  void read_list(const Value& list, Axis& axis) {
    const std::string place = fmt::format("vary.{}", axis.path);
    if (list.items.empty()) return complain(list, fmt::format("{} = []: 0 points: must have at least one value", place));
    const bool numbers = std::all_of(list.items.begin(), list.items.end(), [](const Value& item) {
      return item.is(Type::number) || (item.is(Type::text) && is_quantity(item.text));
    });
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const Value& item = list.items[i];
      if (numbers) {
        if (const auto value = number(item, axis, fmt::format("{}[{}]", place, i + 1))) axis.values.push_back(*value);
        continue;
      }
      axis.values.push_back(double(i));
      axis.words.push_back(item.is(Type::text) ? item.text : inline_toml(item));
    }
  }

  void read_table(const Value& table, Axis& axis) {
    const std::string place = fmt::format("vary.{}", axis.path);
    std::vector<std::string_view> forms;
    for (const auto& [key, value] : table.entries)
      if (key == "from" || key == "list" ||
          std::find(distribution_words.begin(), distribution_words.end(), key) != distribution_words.end())
        forms.push_back(key);
    if (forms.size() != 1)
      return complain(table, fmt::format("{}: must have one of from, list, {}", place, fmt::join(distribution_words, ", ")));
    const std::string form(forms.front());
    std::vector<std::string> keys{form};
    if (form == "from") keys = {"from", "to", "count", "log"};
    if (form == "normal" || form == "lognormal") keys = {form, "sd", "low", "high"};
    for (const auto& [key, value] : table.entries)
      if (std::find(keys.begin(), keys.end(), key) == keys.end())
        return complain(value, fmt::format("{}.{}: unknown here; known: {}", place, key, fmt::join(keys, " ")));
    if (form == "list") {
      const Value& list = *table.find("list");
      if (list.is(Type::list)) read_list(list, axis);
      else complain(list, fmt::format("{}.list = {}: must be a list", place, shown(list)));
    } else if (form == "from") {
      read_range(table, axis, place);
    } else {
      read_distribution(table, form, axis, place);
    }
  }

  const Value* required(const Value& table, const char* key, const std::string& place) {
    const Value* value = table.find(key);
    if (!value) complain(table, fmt::format("{}: {} is missing", place, key));
    return value;
  }

  void read_range(const Value& table, Axis& axis, const std::string& place) {
    const Value *to = required(table, "to", place), *count = required(table, "count", place), *log = table.find("log");
    if (!to || !count) return;
    const Value& from = *table.find("from");
    const auto low = number(from, axis, place + ".from"), high = number(*to, axis, place + ".to");
    if (log && !log->is(Type::flag)) return complain(*log, fmt::format("{}.log = {}: must be true or false", place, shown(*log)));
    axis.log = log && log->flag;
    const std::size_t before = problems_.size();
    const std::uint64_t n = whole(*count, (place + ".count").c_str(), 1, double(most_values));
    if (!low || !high || problems_.size() > before) return;
    if (n == 1 && *low != *high)
      return complain(*count, fmt::format("{}.count = 1: must be >= 2 to go from {:g} to {:g}", place, *low, *high));
    if (n > 1 && *low == *high) return complain(*to, fmt::format("{}.to = {:g}: must differ from from", place, *high));
    if (axis.log && !(*low > 0 && *high > 0))
      return complain(from, fmt::format("{}: from = {:g}, to = {:g}: must be > 0 with log", place, *low, *high));
    for (std::uint64_t i = 0; i < n; ++i) {
      const double part = n == 1 ? 0 : double(i) / double(n - 1);
      axis.values.push_back(i == 0       ? *low
                            : i == n - 1 ? *high
                            : axis.log   ? *low * std::pow(*high / *low, part)
                                         : *low + (*high - *low) * part);
    }
  }

  void read_distribution(const Value& table, const std::string& form, Axis& axis, const std::string& place) {
    Distribution of;
    of.kind =
        Distribution::Kind(std::find(distribution_words.begin(), distribution_words.end(), form) - distribution_words.begin());
    const Value& first = *table.find(form);
    if (of.kind == Distribution::Kind::uniform || of.kind == Distribution::Kind::loguniform) {
      if (!first.is(Type::list) || first.items.size() != 2)
        return complain(first, fmt::format("{}.{} = {}: must be two numbers, [low, high]", place, form, shown(first)));
      const auto a = number(first.items[0], axis, place + "." + form + "[1]"),
                 b = number(first.items[1], axis, place + "." + form + "[2]");
      if (!a || !b) return;
      of.a = *a, of.b = *b;
      if (!(of.a < of.b))
        return complain(first, fmt::format("{}.{} = {}: must be [low, high] with low < high", place, form, shown(first)));
      if (of.kind == Distribution::Kind::loguniform && !(of.a > 0))
        return complain(first, fmt::format("{}.{} = {}: must be > 0", place, form, shown(first)));
    } else {
      const bool log = of.kind == Distribution::Kind::lognormal;
      const Value* sd = required(table, "sd", place);
      if (!sd) return;
      Axis plain = axis;
      if (log) plain.unit = "1";  // of the logarithm
      const auto a = number(first, axis, place + "." + form), b = number(*sd, plain, place + ".sd");
      if (!a || !b) return;
      of.a = *a, of.b = *b;
      if (!(of.b > 0)) return complain(*sd, fmt::format("{}.sd = {:g}: must be > 0", place, of.b));
      if (log && !(of.a > 0)) return complain(first, fmt::format("{}.{} = {:g}: the median: must be > 0", place, form, of.a));
      for (const auto& [key, into] : {std::pair("low", &of.low), std::pair("high", &of.high)})
        if (const Value* end = table.find(key)) {
          const auto value = number(*end, axis, place + "." + key);
          if (!value) return;
          *into = *value;
        }
      if (!(of.low < of.high)) return complain(table, fmt::format("{}: low = {:g}: must be < high = {:g}", place, of.low, of.high));
      if (!std::isfinite(of.quantile(0.5)) || of.quantile(1e-9) == of.quantile(1 - 1e-9))
        return complain(table, fmt::format("{}: nothing is left between low = {:g} and high = {:g}", place, of.low, of.high));
    }
    axis.random = of;
  }

  void read_measures(const Value& table) {
    for (const auto& [name, value] : table.entries) {
      if (value.is(Type::text)) plan_.measures.push_back({name, value.text});
      else
        complain(value,
                 fmt::format("measure.{} = {}: must be a formula in quotes, such as \"last(mass.position)\"", name, shown(value)));
    }
  }

  std::string file_;
  const PlanOptions& options_;
  std::vector<std::string>& problems_;
  std::vector<std::string> typed_, unread_;  // unread: paths of axes that could not be read
  Plan plan_;
  std::unique_ptr<Scene> base_;  // null: the scene cannot be read
  std::vector<std::pair<std::string, double>> exponents_;
};

/// "--set spring.K=1: text" of a varied path is said of the path.
std::string said_of_axis(const SceneProblem& problem, const Plan& plan) {
  for (const Axis& axis : plan.axes) {
    const std::string start = "--set " + axis.path + "=";
    if (problem.file.starts_with(start))
      return fmt::format("vary.{} = {}: {}", axis.path, problem.file.substr(start.size()), problem.text);
  }
  return to_text(problem);
}

}  // namespace

std::unique_ptr<Scene> scene_at(const Plan& plan, std::span<const std::string> settings, std::vector<SceneProblem>& problems) {
  std::vector<std::string> all = plan.settings;
  all.insert(all.end(), settings.begin(), settings.end());
  return read_scene(plan.scene_text, plan.scene_file, all, problems);
}

std::unique_ptr<Scene> sample_scene(const Plan& plan, std::vector<std::string>& problems) {
  const Points points(plan);
  std::vector<double> values(plan.axes.size());
  std::vector<std::string> first_problems;
  for (const std::uint64_t point : {std::uint64_t(0), points.count() / 2, points.count() - 1}) {
    points.at(point, values);
    std::vector<SceneProblem> found;
    if (auto scene = scene_at(plan, points.settings(values), found)) return scene;
    if (first_problems.empty())
      for (const SceneProblem& problem : found) first_problems.push_back(said_of_axis(problem, plan));
  }
  problems.insert(problems.end(), first_problems.begin(), first_problems.end());
  return nullptr;
}

std::optional<Plan> read_plan(const std::string& path, const PlanOptions& options, std::vector<std::string>& problems) {
  std::vector<SceneProblem> found;
  const auto text = read_scene_text(path, found);
  for (const SceneProblem& problem : found) problems.push_back(to_text(problem));
  return text ? plan_of(*text, path, options, problems) : std::nullopt;
}

std::optional<Plan> plan_of(const std::string& text, const std::string& file, const PlanOptions& options,
                            std::vector<std::string>& problems) {
  return PlanReader(file, options, problems).read(text);
}

std::vector<std::string> problems_of(const Plan& plan) { return all_problems(plan, {}, nullptr, true); }

std::string to_toml(const Plan& plan) {
  Value root;
  root.set("title", Value(plan.title));
  root.set("scene", Value(std::string("scene.toml")));
  if (plan.is_random()) {
    root.set("samples", Value(double(plan.samples)));
    root.set("design", Value(std::string(design_words[std::size_t(plan.design)])));
    root.set("seed", Value(double(plan.seed)));
  }
  if (plan.sensitivity != Sensitivity::none)
    root.set("sensitivity", Value(std::string(sensitivity_words[std::size_t(plan.sensitivity)])));
  if (plan.border) {
    root.set("border", Value(plan.border->measure));
    root.set("resolution", Value(plan.border->resolution));
  }
  root.set("asperity", Value(plan.version.empty() ? std::string(version()) : plan.version));
  if (!plan.settings.empty()) {
    Value& set = root.set("set", Value());
    for (const std::string& setting : plan.settings)
      set.set(setting.substr(0, setting.find('=')), scene::read_toml_value(setting.substr(setting.find('=') + 1)));
  }
  if (!plan.axes.empty()) {
    Value& vary = root.set("vary", Value());
    for (const Axis& axis : plan.axes) {
      Value value;
      const std::size_t n = axis.values.size();
      const auto part = [&](std::size_t i) { return double(i) / double(n - 1); };
      const auto spaced = [&](std::size_t i) {
        const double from = axis.values.front(), to = axis.values.back();
        return i == 0 ? from : i == n - 1 ? to : axis.log ? from * std::pow(to / from, part(i)) : from + (to - from) * part(i);
      };
      bool even = axis.words.empty() && n > 2;
      for (std::size_t i = 0; i < n && even; ++i) even = axis.values[i] == spaced(i);
      if (axis.random) {
        const Distribution& of = *axis.random;
        const std::string word(distribution_words[std::size_t(of.kind)]);
        if (of.kind == Distribution::Kind::uniform || of.kind == Distribution::Kind::loguniform) {
          value.set(word, Value(std::vector<double>{of.a, of.b}));
        } else {
          value.set(word, Value(of.a));
          value.set("sd", Value(of.b));
          if (std::isfinite(of.low)) value.set("low", Value(of.low));
          if (std::isfinite(of.high)) value.set("high", Value(of.high));
        }
      } else if (even) {
        value.set("from", Value(axis.values.front()));
        value.set("to", Value(axis.values.back()));
        value.set("count", Value(double(n)));
        value.set("log", Value(axis.log));
      } else {
        value = Value(axis.values);
        for (std::size_t i = 0; i < axis.words.size(); ++i) value.items[i] = scene::read_toml_value(axis.words[i]);
      }
      vary.set(axis.path, std::move(value));
    }
  }
  Value& measures = root.set("measure", Value());
  for (const Measure& measure : plan.measures) measures.set(measure.name, Value(measure.formula));
  return "# The study as it was run: asperity study --resume continues it.\n" + scene::to_toml(root);
}

std::uint64_t identity_of(const Plan& plan) {
  std::uint64_t sum = 14695981039346656037U;  // FNV-1a
  for (const std::string& text : {to_toml(plan), plan.scene_text})
    for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return sum;
}

}  // namespace asperity::study
