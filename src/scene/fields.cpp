#include "fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_set>

#include "asperity/formula/units.hpp"

namespace asperity::scene {
namespace {

/// "block.mass = 5 kg", as messages start.
std::string with_value(const std::string& place, const Value& value) { return place + " = " + shown(value); }

std::string must_be(std::string_view unit) {
  return fmt::format("must be a number{}, a formula or a number with a unit",
                     unit.empty() || unit == "1" ? "" : fmt::format(" ({})", unit));
}

}  // namespace

void Problems::add(const Origin& origin, std::string text) {
  if (full()) {
    ++more_;
    return;
  }
  if (origin.setting >= 0) list_.push_back({"--set " + settings_[std::size_t(origin.setting)], 0, std::move(text)});
  else list_.push_back({file_, origin.line, std::move(text)});
}

std::vector<SceneProblem> Problems::sorted() const {
  std::vector<SceneProblem> list = list_;
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.line < b.line; });
  if (full()) list.push_back({file_, 0, fmt::format("these are the first {} problems; there may be more", most)});
  return list;
}

std::string hint(std::string_view name, const std::vector<std::string>& known) {
  // A word of a thousand letters is no mistyped name, and among a thousand names there is always a near one.
  if (name.size() <= 100 && known.size() <= 10000)
    if (const auto suggestion = nearest(name, known)) return "; did you mean " + *suggestion + "?";
  if (known.empty() || known.size() > 40) return "";
  return fmt::format("; known: {}", fmt::join(known, " "));
}

/// "2pi*t" or "3 mu": a number and a word that formulas know, without a sign between them; not a unit.
bool Reading::lacks_a_sign(const std::string& text) const {
  FormulaProblem problem;
  if (Formula::read(text, problem) || problem.position == 0) return false;
  const std::size_t begin = problem.position - 1, end = text.find_first_of(" \t*/^+-()", begin);
  const std::string word = text.substr(begin, end - begin);
  const auto known = Formula::read(word, problem);
  const auto functions = formula_functions();
  return word == "t" || names.contains(word) || (known && known->is_constant()) ||
         std::any_of(functions.begin(), functions.end(), [&](const FunctionWord& f) { return f.word == word; });
}

std::optional<Course> Reading::read(const Value& value, const std::string& place, std::string_view unit, Known known,
                                    const Exponents& exponents, const MotionNames* motion) {
  const auto wrong = [&](const std::string& text) {
    problems.add(value.origin, with_value(place, value) + text);
    return std::nullopt;
  };
  if (value.is(Value::Type::number)) return Course(value.number);
  if (!value.is(Value::Type::text)) return wrong(": " + must_be(unit));
  if (is_quantity(value.text)) {
    std::string problem;
    const auto number = read_quantity(value.text, unit.empty() ? "1" : unit, problem, exponents);
    if (number) return Course(*number);
    if (!lacks_a_sign(value.text)) return wrong(": " + problem);
  }
  FormulaProblem problem;
  const auto formula = Formula::read(value.text, problem);
  if (!formula) return wrong(": " + asperity::to_text(problem));
  std::vector<std::pair<std::string, double>> values;
  bool unknown = false, without_value = false, has_t = false, moves = false, wrong_name = false;
  for (const std::string& name : formula->names()) {
    if (motion && name.find('.') != std::string::npos) {
      std::string why;
      if (motion->find(name, why)) moves = true;
      else wrong_name = true, wrong(fmt::format(": {}: {}", name, why));
      continue;
    }
    if (const auto found = names.find(name); found != names.end()) {
      values.emplace_back(name, found->second);
    } else if (name == "t" && known == Known::names_and_t) {
      has_t = true;
    } else if (std::binary_search(all_names.begin(), all_names.end(), name)) {
      without_value = true;  // said where it stands in [let]
    } else {
      unknown = true;
    }
  }
  if (unknown) {
    if (problems.full()) return wrong("");  // only counted
    std::vector<std::string> may = all_names;
    if (known == Known::names_and_t) may.emplace_back("t");
    if (motion)
      for (const std::string& name : formula->names())
        if (name.find('.') != std::string::npos) may.push_back(name);
    for (const FormulaProblem& one : formula->unknown_names(may))
      wrong(one.text.starts_with("unknown name \"t\"") ? ": must be a constant, not a formula of t"
                                                       : ": " + asperity::to_text(one));
    return std::nullopt;
  }
  if (without_value || wrong_name) return std::nullopt;
  Formula known_formula = formula->with(values);
  if (has_t || moves) return Course(std::move(known_formula));
  return Course(known_formula.value<double>(std::span<const double>()));
}

std::optional<Course> Reading::course(const Value& value, const std::string& place, std::string_view unit,
                                      const MotionNames* motion) {
  auto course = read(value, place, unit, Known::names_and_t, {}, motion);
  if (course && course->is_constant() && !std::isfinite(course->at(0.0))) {
    problems.add(value.origin, fmt::format("{} = {:g}: must be a finite number", with_value(place, value), course->at(0.0)));
    return std::nullopt;
  }
  return course;
}

std::optional<double> Reading::number(const Value& value, const std::string& place, std::string_view unit, const Range& range,
                                      const Exponents& exponents) {
  const auto course = read(value, place, unit, Known::names, exponents, nullptr);
  if (!course) return std::nullopt;
  const double x = course->at(0.0);
  const auto lines = range_problems({place, unit.empty() ? "1" : std::string(unit), "", range, false, {x}});
  for (const std::string& line : lines)
    problems.add(value.origin, value.is(Value::Type::text) ? place + " = " + shown(value) + line.substr(place.size()) : line);
  return lines.empty() ? std::optional(x) : std::nullopt;
}

std::optional<std::vector<double>> Reading::numbers(const Value& value, const std::string& place, std::string_view unit,
                                                    const Range& range, const Exponents& exponents) {
  std::vector<double> list;
  if (!value.is(Value::Type::list)) {
    const auto x = number(value, place, unit, range, exponents);
    if (x) list.push_back(*x);
    return x ? std::optional(std::move(list)) : std::nullopt;
  }
  for (std::size_t i = 0; i < value.items.size() && !problems.full(); ++i)
    if (const auto x = number(value.items[i], fmt::format("{}[{}]", place, i + 1), unit, range, exponents)) list.push_back(*x);
  return list.size() == value.items.size() ? std::optional(std::move(list)) : std::nullopt;
}

void Reading::let(const Value* table) {
  if (!table) return;
  struct Open {
    const Value* value;
    std::size_t waits_for = 0;           // names that have no value yet
    std::vector<std::string> waiting{};  // names that wait for this one
    std::vector<std::string> needs{};
  };
  std::unordered_map<std::string, Open> open;
  std::vector<std::string> ready;
  for (const auto& [name, value] : table->entries) {
    FormulaProblem problem;
    const auto as_name = Formula::read(name, problem);
    if (!as_name || as_name->names() != std::vector<std::string>{name} || name == "t" || name.find('.') != std::string::npos) {
      problems.add(value.origin,
                   fmt::format("let.{}: this cannot be the name of a number{}", name,
                               name == "t" ? "; t is the time" : "; letters, digits and _, no word that formulas know"));
      continue;
    }
    all_names.push_back(name);
    open[name].value = &value;
  }
  std::sort(all_names.begin(), all_names.end());
  for (const auto& [name, value] : table->entries) {
    const auto self = open.find(name);
    if (self == open.end()) continue;
    FormulaProblem problem;
    if (value.is(Value::Type::text) && !is_quantity(value.text))
      if (const auto formula = Formula::read(value.text, problem)) self->second.needs = formula->names();
    for (const std::string& other : self->second.needs)
      if (const auto it = open.find(other); it != open.end()) {
        it->second.waiting.push_back(name);
        ++self->second.waits_for;
      }
    if (self->second.waits_for == 0) ready.push_back(name);
  }
  // A name is worked out when all that it needs have been; those on a cycle never are.
  std::size_t done = 0;
  for (; done < ready.size(); ++done) {
    const std::string name = ready[done];
    Open& self = open.at(name);
    const auto x = number(*self.value, "let." + name, "", Range{});
    if (x) names[name] = *x;
    for (const std::string& other : self.waiting)
      if (--open.at(other).waits_for == 0) ready.push_back(other);
  }
  if (done == open.size()) return;
  // From any name that is left, the names that it needs lead into a cycle; each cycle is told once.
  std::unordered_set<std::string> seen_before;
  for (const auto& [first, value] : table->entries) {
    const auto start = open.find(first);
    if (start == open.end() || start->second.waits_for == 0) continue;
    std::vector<std::string> path{first};
    std::unordered_map<std::string, std::size_t> at{{first, 0}};
    while (seen_before.insert(path.back()).second) {
      const Open& last = open.at(path.back());
      const auto next = std::find_if(last.needs.begin(), last.needs.end(), [&](const std::string& other) {
        const auto it = open.find(other);
        return it != open.end() && it->second.waits_for > 0;
      });
      const auto [seen, is_new] = at.try_emplace(*next, path.size());
      path.push_back(*next);
      if (!is_new) path.erase(path.begin(), path.begin() + std::ptrdiff_t(seen->second));
    }
    if (path.size() < 2 || path.front() != path.back()) continue;
    if (path.size() > 12) path.erase(path.begin() + 10, path.end() - 1), path.insert(path.end() - 1, "...");
    problems.add(open.at(path.front()).value->origin,
                 path.size() > 2 ? fmt::format("let: these need each other: {}", fmt::join(path, " -> "))
                                 : fmt::format("let.{0} = {1}: needs itself", path.front(), shown(*open.at(path.front()).value)));
  }
}

// --- tables ----------------------------------------------------------------------------------------------------------------------

const Value* Fields::get(const Key& key) {
  const Value* value = find(key.name);
  if (!value && key.required)
    problem(fmt::format("{}: {} is missing{}{}", place_.empty() ? "the scene" : place_, key.name,
                        key.unit.empty() || key.unit == "1" ? "" : fmt::format(" ({})", key.unit),
                        key.meaning == key.name ? "" : fmt::format(": {}", key.meaning)));
  return value;
}

void Fields::only_known(const std::vector<std::string>& others) {
  if (!table_) return;
  for (const auto& [name, value] : table_->entries) {
    if (section_.find(name) || std::find(others.begin(), others.end(), name) != others.end()) continue;
    std::vector<std::string> known = section_.names();
    known.insert(known.end(), others.begin(), others.end());
    problem(value, fmt::format("{}: unknown key{}", path(name), hint(name, known)));
  }
}

void Fields::note(const Key& key, const Value& value) {
  out_.set(key.name, value);
  if (place_.empty()) return;
  std::string text = shown(value);
  if (value.is(Value::Type::text)) text = value.text;
  reading_.parameters.push_back({place_, std::string(key.name), std::move(text), std::string(key.unit), std::string(key.meaning)});
}

std::optional<std::string> Fields::text(std::string_view name) {
  const Key& key = section_.at(name);
  const Value* value = get(key);
  if (!value) return std::nullopt;
  if (!value->is(Value::Type::text)) {
    problem(*value, with_value(path(name), *value) + ": must be a text in quotes");
    return std::nullopt;
  }
  out_.set(name, Value(value->text));
  return value->text;
}

std::optional<std::string> Fields::word(std::string_view name, const std::vector<std::string>& known) {
  const Key& key = section_.at(name);
  const Value* value = get(key);
  if (!value && key.fallback.empty()) return std::nullopt;
  if (value && !value->is(Value::Type::text)) {
    problem(*value, fmt::format("{}: must be one of: {}", with_value(path(name), *value), fmt::join(known, " ")));
    return std::nullopt;
  }
  const std::string word = value ? value->text : std::string(key.fallback);
  if (std::find(known.begin(), known.end(), word) == known.end()) {
    problem(*value, fmt::format("{} = {}: unknown{}", path(name), shown(*value), hint(word, known)));
    return std::nullopt;
  }
  note(key, Value(word));
  return word;
}

bool Fields::flag(std::string_view name) {
  const Key& key = section_.at(name);
  const Value* value = get(key);
  bool flag = key.fallback == "true";
  if (value && value->is(Value::Type::flag)) flag = value->flag;
  else if (value) problem(*value, with_value(path(name), *value) + ": must be true or false");
  note(key, Value(flag));
  return flag;
}

std::optional<double> Fields::number(std::string_view name) {
  const Key& key = section_.at(name);
  const Value* value = get(key);
  std::optional<double> x;
  if (value) {
    // What need not be given may be unbounded, as the longest step is.
    if (value->is(Value::Type::number) && std::isinf(value->number) && key.fallback == "inf" && value->number > 0)
      x = value->number;
    else x = reading_.number(*value, path(name), key.unit, key.range);
  } else {
    double fallback = 0;
    const auto [end, error] = std::from_chars(key.fallback.data(), key.fallback.data() + key.fallback.size(), fallback);
    if (error == std::errc() && end == key.fallback.data() + key.fallback.size()) x = fallback;
  }
  if (x) note(key, Value(*x));
  return x;
}

std::optional<std::vector<std::string>> Fields::texts(std::string_view name) {
  const Key& key = section_.at(name);
  const Value* value = get(key);
  if (!value) return std::nullopt;
  std::vector<std::string> list;
  bool good = value->is(Value::Type::list);
  for (const Value& item : value->items) {
    good = good && item.is(Value::Type::text);
    list.push_back(item.text);
  }
  if (!good) {
    problem(*value, with_value(path(name), *value) + ": must be a list of texts in quotes");
    return std::nullopt;
  }
  out_.set(name, Value(list));
  return list;
}

bool Fields::count_is_good(const Value& value, std::string_view name, const std::vector<std::size_t>& counts) {
  const bool list = value.is(Value::Type::list);
  const std::size_t count = list ? value.items.size() : 1;
  if (std::find(counts.begin(), counts.end(), count) != counts.end() && (list || count == 1)) return true;
  std::vector<std::string> words;
  for (const std::size_t n : counts) words.push_back(n == 1 ? "a number" : fmt::format("a list of {}", n));
  problem(value, fmt::format("{}: must be {}", with_value(path(name), value), fmt::join(words, " or ")));
  return false;
}

std::optional<std::vector<double>> Fields::numbers(std::string_view name, const std::vector<std::size_t>& counts) {
  const Key& key = section_.at(name);
  const Value* value = get(key);
  if (!value || !count_is_good(*value, name, counts)) return std::nullopt;
  auto list = reading_.numbers(*value, path(name), key.unit, key.range);
  if (list) note(key, list->size() == 1 ? Value(list->front()) : Value(*list));
  return list;
}

std::optional<std::vector<Course>> Fields::courses(std::string_view name, const std::vector<std::size_t>& counts,
                                                   const MotionNames* motion) {
  const Key& key = section_.at(name);
  const Value* value = get(key);
  if (!value || !count_is_good(*value, name, counts)) return std::nullopt;
  std::vector<Course> list;
  Value written;
  written.type = Value::Type::list;
  const bool is_list = value->is(Value::Type::list);
  const std::size_t count = is_list ? value->items.size() : 1;
  for (std::size_t i = 0; i < count; ++i) {
    const auto course = reading_.course(is_list ? value->items[i] : *value,
                                        is_list ? fmt::format("{}[{}]", path(name), i + 1) : path(name), key.unit, motion);
    if (!course) continue;
    written.items.push_back(course->written());
    list.push_back(*course);
  }
  if (list.size() != count) return std::nullopt;
  note(key, count == 1 ? written.items[0] : written);
  return list;
}

}  // namespace asperity::scene
