#include "asperity/scene/scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <new>
#include <sstream>
#include <unordered_set>

#include "asperity/quantity_text.hpp"
#include "builder.hpp"
#include "inclusion.hpp"
#include "multiple.hpp"
#include "rigid.hpp"

namespace asperity {

std::string to_text(const SceneProblem& problem) {
  if (problem.line == 0) return problem.file + ": " + problem.text;
  return fmt::format("{}:{}: {}", problem.file, problem.line, problem.text);
}

namespace scene {
namespace {

/// "floor.K=1e4": changes the tree before it is looked at.
void apply_setting(Value& root, const std::vector<std::string>& settings, int number, Problems& problems) {
  const std::string& setting = settings[std::size_t(number)];
  const Origin origin{0, number};
  const std::size_t equals = setting.find('=');
  std::vector<std::string> path;
  std::istringstream words(setting.substr(0, equals));
  for (std::string word; std::getline(words, word, '.');) {
    word.erase(0, word.find_first_not_of(" \t"));
    word.erase(word.find_last_not_of(" \t") + 1);
    path.push_back(word);
  }
  if (equals == std::string::npos || path.empty() || std::find(path.begin(), path.end(), "") != path.end() || path.size() > 3)
    return problems.add(origin, "must be path=value, such as floor.K=1e4 or run.step=5e-4");
  std::string text = setting.substr(equals + 1);
  text.erase(0, text.find_first_not_of(" \t"));
  Value value = read_toml_value(text);
  value.origin = origin;
  for (Value& item : value.items) item.origin = origin;

  if (path.size() == 1 && (path[0] == "title" || path[0] == "cite")) {
    root.set(path[0], std::move(value));
    return;
  }
  Value* table = nullptr;
  std::vector<std::string> known{"world", "run", "let", "record"};
  if (Value* inclusion = root.find("inclusion")) {
    known.emplace_back("inclusion");
    // Names of an inclusion are names of the scene.
    const Value* own = inclusion->find("let");
    if (path.size() == 2 && path[0] == "let" && own && own->find(path[1])) path.insert(path.begin(), "inclusion");
  }
  if (std::find(known.begin(), known.end(), path[0]) != known.end()) {
    table = root.find(path[0]);
    if (!table) table = &root.set(path[0], Value());
  } else {
    for (const char* list : {"body", "element"}) {
      Value* items = root.find(list);
      if (!items) continue;
      for (Value& item : items->items) {
        const Value* name = item.find("name");
        if (!name || !name->is(Value::Type::text)) continue;
        known.push_back(name->text);
        if (!table && name->text == path[0]) {
          table = &item;
          if (std::string_view(list) == "element") path = normalize_path(path);
        }
      }
    }
  }
  if (!table) return problems.add(origin, fmt::format("there is no {}{}", path[0], hint(path[0], known)));
  if (path.size() == 2 && path[0] == "let" && !table->find(path[1])) {
    std::vector<std::string> names;
    for (const auto& entry : table->entries) names.push_back(entry.first);
    return problems.add(origin, fmt::format("there is no let.{}{}", path[1], hint(path[1], names)));
  }
  if (path.size() < 2)
    return problems.add(origin, fmt::format("must be path=value; {0} has several values: {0}.key=value", path[0]));
  for (std::size_t i = 1; i + 1 < path.size() && table->is(Value::Type::table); ++i) {
    Value* inner = table->find(path[i]);
    table = inner ? inner : &table->set(path[i], Value());
  }
  if (!table->is(Value::Type::table)) return problems.add(origin, fmt::format("{}.{} is no table", path[0], path[1]));
  table->set(path.back(), std::move(value));
}

/// The list of [[name]] tables; nothing, and a problem, if it is something else.
const std::vector<Value>* tables(const Value& root, const char* name, Problems& problems) {
  static const std::vector<Value> none;
  const Value* list = root.find(name);
  if (!list) return &none;
  if (!list->is(Value::Type::list)) {
    problems.add(list->origin, fmt::format("{}: must be written [[{}]], with two brackets", name, name));
    return nullptr;
  }
  if (list->items.size() > most_items) {
    problems.add(list->origin, fmt::format("there are {} [[{}]] tables: at most {}", list->items.size(), name, most_items));
    return nullptr;
  }
  return &list->items;
}

/// The table of a name; null if there is none, and a problem if it is something else.
const Value* table(const Value& root, const char* name, Problems& problems) {
  const Value* value = root.find(name);
  if (!value || value->is(Value::Type::table)) return value;
  problems.add(value->origin, fmt::format("{} = {}: must be a table, [{}]", name, shown(*value), name));
  return nullptr;
}

void read_run(Reading& reading, const Value* table, Scene& scene, Value& out) {
  Fields fields(reading, table, run_keys, "run", table ? table->origin : Origin{}, out);
  fields.only_known();
  RunOptions& run = scene.run;
  const auto duration = fields.number("duration"), step = fields.number("step");
  std::vector<std::string> methods;
  bool adaptive = false;
  for (const AboutMethod& method : integration_methods()) methods.emplace_back(method.name);
  if (const auto method = fields.word("method", methods)) {
    run.method = *method;
    const AboutMethod& about = *find_method(*method);
    adaptive = about.adaptive;
    if (!about.available)
      fields.problem(*fields.find("method"), fmt::format("run.method = \"{}\": this program was built without it", *method));
  }
  if (const auto x = fields.number("rtol")) run.rtol = *x;
  if (const auto x = fields.number("atol")) run.atol = *x;
  if (const auto x = fields.number("max_step")) run.max_step = *x;
  else if (!fields.find("max_step")) out.set("max_step", Value(run.max_step));
  if (const auto x = fields.number("max_steps")) run.max_steps = *x;
  run.subdivide = fields.flag("subdivide");
  run.preload = fields.flag("preload");
  run.strict = fields.flag("strict");
  if (const auto x = fields.number("threads")) {
    constexpr double most_threads = 1024;
    if (*x != std::floor(*x) || *x > most_threads)
      fields.problem(*fields.find("threads"), fmt::format("run.threads = {:g}: must be a whole number <= {:g}", *x, most_threads));
    else run.threads = int(*x);
  }
  if (const auto energy = fields.word("energy", {"judge", "ignore"})) run.judge_energy = *energy == "judge";
  scene.verify = fields.flag("verify");
  run.step = step.value_or(0);  // 0: said to be wrong, and compared with nothing
  run.duration = duration.value_or(0);
  if (!duration) return;
  if (adaptive || !step) return;
  const Value& at = *fields.find("duration");
  if (*duration > run.max_steps * *step)
    fields.problem(
        at, fmt::format("run.duration = {:g} s: {:g} steps of run.step = {:g} s: must be <= run.max_steps = {:g}; shorten the "
                        "run, or raise run.max_steps",
                        *duration, *duration / *step, *step, run.max_steps));
  else if (*duration < *step * (1 - 1e-6))
    fields.problem(at, fmt::format("run.duration = {:g} s: must be >= run.step = {:g} s", *duration, *step));
  else if (!is_multiple(*duration, *step)) fields.problem(at, detail::not_a_multiple("run.duration", *duration, *step));
}

/// `states`: of an inclusion, sorted.
void read_record(Reading& reading, const Value* table, const Builder& builder, const std::vector<std::string>* states, Scene& scene,
                 Value& out) {
  Fields fields(reading, table, record_keys, "record", table ? table->origin : Origin{}, out);
  fields.only_known();
  Record& record = scene.run.record;
  record.columns = {"*"};
  // Every slot of every pair would be thousands of columns: of shapes that find each other only the bodies are recorded.
  bool shapes_meet = false;
  scene.world.pools().each_element_pool([&](const ElementPool& pool) { shapes_meet = shapes_meet || pool.hands_over(); });
  if (shapes_meet) {
    record.columns.clear();
    const Readings all(scene.world);
    for (const auto& body : all.bodies()) record.columns.push_back(body.name() + ".*");
    for (const auto& element : all.elements())
      if (!element.pool->hands_over()) record.columns.push_back(element.name() + ".*");
    record.columns.emplace_back("energy.*");
  }
  if (const auto every = fields.number("every")) {
    record.every = *every;
    if (*every > 0 && scene.run.step > 0 && !is_adaptive(scene.run.method) && !is_multiple(*every, scene.run.step))
      fields.problem(*fields.find("every"), detail::not_a_multiple("record.every", *every, scene.run.step));
    else if (*every > scene.run.duration && scene.run.duration > 0)
      fields.problem(*fields.find("every"),
                     fmt::format("record.every = {:g} s: must be <= run.duration = {:g} s", *every, scene.run.duration));
  }
  if (const auto columns = fields.texts("columns")) record.columns = *columns;
  else out.set("columns", Value(record.columns));
  if (record.columns.size() > most_items)
    return fields.problem(*fields.find("columns"),
                          fmt::format("record.columns: {} names: at most {}", record.columns.size(), most_items));
  const Readings readings(scene.world);
  std::unordered_set<std::string> taken;
  const auto too_many = [&](std::size_t columns) {
    if (columns <= most_columns) return;
    const std::string text =
        fmt::format("record.columns: {} columns: must be <= {}; record fewer, for instance columns = [\"{}.*\"]", columns,
                    most_columns, readings.bodies().empty() ? "energy" : readings.bodies().front().name());
    fields.find("columns") ? fields.problem(*fields.find("columns"), text) : fields.problem(text);
  };
  if (!fields.find("columns") && shapes_meet) return;
  if (!fields.find("columns")) return too_many(readings.all().size());
  const Value& at = *fields.find("columns");
  const bool all_good = reading.problems.count() == 0;
  const auto known = states ? *states : builder.names();
  std::unordered_set<std::string> asked;
  for (std::size_t i = 0; i < record.columns.size() && i < at.items.size() && !reading.problems.full(); ++i) {
    if (!asked.insert(record.columns[i]).second) continue;
    // Of what could not be built only the first part of a name can be checked, and that of the terms of an inclusion is not known.
    const std::string first = record.columns[i].substr(0, record.columns[i].find('.'));
    if (!all_good && !scene.inclusion && !builder.is_built(first)) {
      if (states && record.columns[i] != first) continue;
      if (!first.ends_with('*') && !std::binary_search(known.begin(), known.end(), first))
        fields.problem(at.items[i],
                       fmt::format("record.columns[{}]: nothing is named {}{}", i + 1, record.columns[i], hint(first, known)));
      continue;
    }
    try {
      for (auto& found : readings.find(record.columns[i])) taken.insert(std::move(found.first.name));
    } catch (const std::invalid_argument& error) {
      fields.problem(at.items[i], fmt::format("record.columns[{}]: {}", i + 1, error.what()));
    }
  }
  too_many(taken.size());
}

/// Formulas of time have to be numbers whenever the run asks for them.
void check_formulas(const std::vector<TimeFormula>& formulas, const RunOptions& run, Problems& problems) {
  if (formulas.empty() || !(run.step > 0) || !(run.duration > 0)) return;
  // All formulas together take a second or so.
  const double most = std::clamp(2e6 / double(formulas.size()), 20.0, 20000.0);
  const double steps = is_adaptive(run.method) ? most : std::max(1.0, std::round(run.duration / run.step));
  const double stride = std::max(1.0, std::ceil(steps / most));
  const double h = is_adaptive(run.method) ? run.duration / most : run.step;
  for (const TimeFormula& formula : formulas) {
    if (problems.full()) return;
    for (double k = 0; k <= steps; k += stride) {
      const Dual<1> value = formula.course.at(Dual<1>::variable(k * h, 0));
      if (std::isfinite(value.a)) continue;
      problems.add(formula.origin,
                   fmt::format("{} = {}: is {} at t = {:g} s: must be a finite number", formula.place,
                               shown(formula.course.written()), std::isnan(value.a) ? "nan" : fmt::format("{}", value.a), k * h));
      break;
    }
  }
}

/// A study reads one text thousands of times, with other settings: the tree of the last one is kept, for each thread.
std::optional<Value> read_once(std::string_view text, Origin& where, std::string& why) {
  thread_local std::string last;
  thread_local std::optional<Value> tree;
  constexpr std::size_t longest = 64 * 1024;  // what is worth keeping
  if (tree && text == last) return tree;
  auto read = read_toml(text, where, why);
  tree.reset();
  if (read && text.size() <= longest) last = text, tree = read;
  return read;
}

std::unique_ptr<Scene> read(std::string_view text, const std::string& file, const std::vector<std::string>& settings,
                            Problems& problems, bool may_be_open, bool with_finer, ChosenParameters chosen = {});

/// The same scene for half the step, where the step decides on its numbers: half the step alone would not show what they change.
void read_finer(Scene& scene, std::string_view text, std::vector<std::string> settings, bool may_be_open, double settles) {
  settings.push_back(fmt::format("run.step={}", scene.run.step / 2));
  settings.push_back(fmt::format("run.max_steps={}", 2 * scene.run.max_steps));
  Problems ignored(scene.file, settings);
  const auto finer = read(text, scene.file, settings, ignored, may_be_open, false);
  if (!finer || finer->world.start().size() != scene.world.start().size()) return;
  scene.finer_world = std::make_unique<World>(std::move(finer->world));
  scene.run.finer = {scene.finer_world.get(),
                     fmt::format("its [[contacts]] are designed for a step of {}; use a shorter step, or give their numbers",
                                 quantity_text(scene.run.step, "s")),
                     settles};
}

std::unique_ptr<Scene> read(std::string_view text, const std::string& file, const std::vector<std::string>& settings,
                            Problems& problems, bool may_be_open, bool with_finer, ChosenParameters chosen) {
  if (text.size() > largest_file) {
    problems.add({}, fmt::format("has {} bytes: must be <= {}", text.size(), largest_file));
    return nullptr;
  }
  Origin where;
  std::string why;
  auto root = read_once(text, where, why);
  if (!root) {
    problems.add(where, why);
    return nullptr;
  }
  if (Value* elements = root->find("element"))
    for (Value& element : elements->items) normalize_element(element, problems);
  if (Value* rules = root->find("contacts"))
    for (Value& rule : rules->items) normalize_element(rule, problems);
  for (std::size_t i = 0; i < settings.size(); ++i) apply_setting(*root, settings, int(i), problems);

  Reading reading{problems, {}, {}, {}};
  reading.may_be_open = may_be_open;
  reading.chosen = std::move(chosen);
  auto scene = std::make_unique<Scene>();
  Value out;
  Fields top(reading, &*root, top_keys, "", {}, out);
  top.only_known();
  scene->file = file;
  scene->title = top.text("title").value_or(std::filesystem::path(file).stem().string());
  out.set("title", Value(scene->title));
  scene->cite = top.text("cite").value_or("");
  const Value* let = table(*root, "let", reading.problems);
  if (let && let->entries.size() > most_items)
    reading.problems.add(let->origin, fmt::format("there are {} names in [let]: at most {}", let->entries.size(), most_items));
  else reading.let(let);
  if (const Value* inclusion = root->find("inclusion"))
    if (const Value* own = table(*inclusion, "let", reading.problems)) reading.let(own);

  Builder builder(reading, *scene, out);
  builder.world(table(*root, "world", reading.problems));
  const Value* run = table(*root, "run", reading.problems);
  if (run || !root->find("run")) read_run(reading, run, *scene, out.set("run", Value()));
  for (const char* list : {"body", "element", "contacts", "input"}) out.set(list, Value(std::vector<double>{}));
  const Value* inclusion = table(*root, "inclusion", reading.problems);
  if (inclusion) {
    for (const char* other : {"world", "body", "element", "contacts", "input", "controller"})
      if (const Value* value = root->find(other))
        reading.problems.add(value->origin, fmt::format("{}: a scene with [inclusion] has no bodies and elements", other));
    read_inclusion(reading, *inclusion, *scene, out.set("inclusion", Value()));
  }
  if (const auto* bodies = tables(*root, "body", reading.problems)) {
    for (const Value& one : *bodies) builder.body(one);
    if (bodies->empty() && !root->find("inclusion")) reading.problems.add({}, "there is no [[body]]: a scene needs at least one");
  }
  if (const auto* elements = tables(*root, "element", reading.problems))
    for (const Value& one : *elements) builder.element(one);
  if (const auto* rules = tables(*root, "contacts", reading.problems)) builder.contacts(*rules);
  if (const auto* inputs = tables(*root, "input", reading.problems))
    for (const Value& one : *inputs) builder.input(one);
  if (root->find("controller")) out.set("controller", Value(std::vector<double>{}));
  if (const auto* controllers = tables(*root, "controller", reading.problems))
    for (const Value& one : *controllers) builder.controller(one);
  std::vector<std::string> states;
  if (const Value* written = inclusion ? inclusion->find("state") : nullptr)
    for (const auto& entry : written->entries) states.push_back(entry.first);
  std::sort(states.begin(), states.end());
  read_record(reading, table(*root, "record", reading.problems), builder, inclusion ? &states : nullptr, *scene,
              out.set("record", Value()));
  check_formulas(builder.formulas(), scene->run, reading.problems);

  if (problems.count() > 0) return nullptr;
  if (!reading.rigid.empty() && reading.chosen.empty()) {  // masses and loads are known now: once more, with the numbers
    ChosenParameters found = choose_rigid(*scene, reading.rigid, problems);
    if (problems.count() > 0) return nullptr;
    return read(text, file, settings, problems, may_be_open, with_finer, std::move(found));
  }
  std::erase_if(out.entries, [](const auto& entry) {
    return entry.second.items.empty() && entry.second.entries.empty() && !entry.second.is(Value::Type::text);
  });
  scene->parameters = std::move(reading.parameters);
  scene->open = std::move(reading.left_open);
  scene->resolved = to_toml(out);
  if (reading.settles > 0 && with_finer) read_finer(*scene, text, settings, may_be_open, reading.settles);
  return scene;
}

std::unique_ptr<Scene> read_and_list(std::string_view text, const std::string& file, const std::vector<std::string>& settings,
                                     std::vector<SceneProblem>& problems, bool may_be_open) {
  Problems found(file, settings);
  std::unique_ptr<Scene> result;
  try {
    result = read(text, file, settings, found, may_be_open, true);
  } catch (const std::bad_alloc&) {
    found.add({}, "cannot be read: it takes more memory than there is");
    result.reset();
  } catch (const std::exception& error) {
    found.add({}, std::string("cannot be read: ") + error.what());
    result.reset();
  }
  const auto list = found.sorted();
  problems.insert(problems.end(), list.begin(), list.end());
  return list.empty() ? std::move(result) : nullptr;
}

}  // namespace
}  // namespace scene

std::unique_ptr<Scene> read_scene(std::string_view text, const std::string& file, const std::vector<std::string>& settings,
                                  std::vector<SceneProblem>& problems) {
  return scene::read_and_list(text, file, settings, problems, false);
}

std::unique_ptr<Scene> read_scene_to_design(std::string_view text, const std::string& file,
                                            const std::vector<std::string>& settings, std::vector<SceneProblem>& problems) {
  return scene::read_and_list(text, file, settings, problems, true);
}

std::optional<std::string> read_scene_text(const std::string& path, std::vector<SceneProblem>& problems) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  errno = 0;
  std::ifstream in;
  if (!std::filesystem::is_directory(status)) in.open(path, std::ios::binary);
  if (!in.is_open()) {
    const std::string why = std::filesystem::is_directory(status) ? "is a folder" : errno ? std::strerror(errno) : error.message();
    problems.push_back({path, 0, "cannot be opened: " + why});
    return std::nullopt;
  }
  if (const auto size = std::filesystem::file_size(path, error); !error && size > scene::largest_file) {
    problems.push_back({path, 0, fmt::format("has {} bytes: must be <= {}", size, scene::largest_file)});
    return std::nullopt;
  }
  std::string text;
  // One byte more than is allowed is enough to refuse it.
  text.resize(scene::largest_file + 1);
  in.read(text.data(), std::streamsize(text.size()));
  text.resize(std::size_t(in.gcount()));
  return text;
}

std::unique_ptr<Scene> read_scene_file(const std::string& path, const std::vector<std::string>& settings,
                                       std::vector<SceneProblem>& problems) {
  const auto text = read_scene_text(path, problems);
  return text ? read_scene(*text, path, settings, problems) : nullptr;
}

}  // namespace asperity
