#include "measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <unordered_set>

#include "asperity/parameters.hpp"
#include "formula/letters.hpp"

namespace asperity::study {
namespace {

using Kind = Reduction::Kind;
using Series = Reduction::Series;

struct KindWord {
  Kind kind;
  const char* word;
  const char* read_as;  // min and max are words of formulas: they are read under another name of the same length
};
constexpr std::array<KindWord, 9> kinds{{{Kind::last, "last", "last"},
                                         {Kind::first, "first", "first"},
                                         {Kind::max, "max", "Max"},
                                         {Kind::min, "min", "Min"},
                                         {Kind::mean, "mean", "mean"},
                                         {Kind::rms, "rms", "rms"},
                                         {Kind::integral, "integral", "integral"},
                                         {Kind::sum, "sum", "sum"},
                                         {Kind::count, "count", "count"}}};

struct SeriesWord {
  Series series;
  const char* word;
};
constexpr std::array<SeriesWord, 9> all_series{{{Series::slips, "slips"},
                                                {Series::sticks, "sticks"},
                                                {Series::touches, "touches"},
                                                {Series::releases, "releases"},
                                                {Series::impacts, "impacts"},
                                                {Series::restitution, "restitution"},
                                                {Series::impact_speed, "impact_speed"},
                                                {Series::separation_speed, "separation_speed"},
                                                {Series::contact_time, "contact_time"}}};

bool is_condition(const Node& node) {
  switch (node.op) {
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::equal:
    case Op::not_equal:
    case Op::and_:
    case Op::or_:
    case Op::not_:
      return true;
    default:
      return false;
  }
}

/// "mass.velocity" at a place of a text; its length, 0 if there is no word.
std::size_t dotted_length(std::string_view text, std::size_t at) {
  std::size_t end = at;
  if (end >= text.size() || !is_letter(text[end])) return 0;
  while (end < text.size() &&
         (is_letter(text[end]) || is_digit(text[end]) ||
          (text[end] == '.' && end + 1 < text.size() && (is_letter(text[end + 1]) || is_digit(text[end + 1])))))
    ++end;
  return end - at;
}

/// Formulas know no dots in names, and min and max otherwise: another text of the same length, so that places stay.
std::string without_dots(std::string text) {
  for (std::size_t at = 0; at < text.size();) {
    if (is_digit(text[at]) || text[at] == '.') {  // a number: 1e3 is no name
      while (at < text.size() && (is_digit(text[at]) || is_letter(text[at]) || text[at] == '.')) ++at;
      continue;
    }
    const std::size_t length = dotted_length(text, at);
    for (const KindWord& known : kinds)
      if (std::string_view(text).substr(at, length) == known.word) text.replace(at, length, known.read_as);
    std::replace(text.begin() + std::ptrdiff_t(at), text.begin() + std::ptrdiff_t(at + length), '.', '_');
    at += std::max<std::size_t>(length, 1);
  }
  return text;
}

std::string with_min_and_max(std::string text) {
  for (const auto& [from, to] : {std::pair("Max", "max"), std::pair("Min", "min")})
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) text.replace(at, 3, to);
  return text;
}

}  // namespace

/// One measure after the other, from text to reductions and a formula of them.
class MeasureReader {
 public:
  MeasureReader(const World& world, const std::vector<Axis>& axes, Measures& into, std::vector<std::string>& problems)
      : readings_(world), axes_(axes), into_(into), problems_(problems) {
    for (Quantity& quantity : readings_.all()) names_.push_back(std::move(quantity.name));
    known_ = {names_.begin(), names_.end()};
    for (const Readings::Item& item : readings_.elements()) elements_.insert(item.name());
    for (const KindWord& known : kinds) functions_.emplace_back(known.read_as);
  }

  void read(const Measure& measure) {
    place_ = fmt::format("measure {} = \"{}\"", measure.name, measure.formula);
    text_ = measure.formula;
    FormulaProblem problem;
    const auto formula = Formula::read(without_dots(text_), problem, functions_);
    if (!formula) return complain(with_min_and_max(to_text(problem)));
    const std::size_t before = problems_.size();
    Node root = formula->root();
    restore(root);
    Measures::Result result{formula->with({}), {}, is_condition(root)};
    names_of_result_ = &result.names;
    result_index_.clear();
    lower(root);
    if (problems_.size() > before) return;
    result.formula = Formula(std::move(root));
    // In the order in which the formula names them.
    std::vector<Measures::Result::Name> sorted;
    for (const std::string& name : result.formula.names()) sorted.push_back(result.names[std::stoul(name)]);
    result.names = std::move(sorted);
    into_.results_.push_back(std::move(result));
  }

 private:
  void complain(const std::string& text) { problems_.push_back(fmt::format("{}: {}", place_, text)); }
  void complain(const Node& at, const std::string& text) { complain(fmt::format("position {}: {}", at.position, text)); }

  /// Names as they were written, functions too.
  void restore(Node& node) const {
    if (node.op == Op::name) node.word = text_.substr(node.position - 1, dotted_length(text_, node.position - 1));
    if (node.op == Op::other) node.word = with_min_and_max(node.word);
    for (Node& part : node.parts) restore(part);
  }

  std::optional<std::size_t> parameter(const std::string& name) const {
    for (std::size_t i = 0; i < axes_.size(); ++i)
      if (axes_[i].path == name && axes_[i].words.empty()) return i;
    return std::nullopt;
  }
  /// Of "floor.slips"; nothing if it is no name of events.
  std::optional<std::pair<std::string, Series>> events(const std::string& name) const {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos || !elements_.contains(name.substr(0, dot))) return std::nullopt;
    for (const SeriesWord& known : all_series)
      if (name.substr(dot + 1) == known.word) return std::pair(name.substr(0, dot), known.series);
    return std::nullopt;
  }
  bool is_column(const std::string& name) const { return known_.contains(name); }

  /// Whether a part of a formula changes while a run goes on.
  bool moves(const Node& node) const {
    if (node.op == Op::other) return false;
    if (node.op == Op::name) return node.word == "t" || is_column(node.word) || events(node.word);
    return std::any_of(node.parts.begin(), node.parts.end(), [&](const Node& part) { return moves(part); });
  }

  void unknown(const Node& node) {
    std::vector<std::string> known = names_;
    for (const std::string& element : elements_)
      for (const SeriesWord& series : all_series) known.push_back(element + "." + series.word);
    for (const Axis& axis : axes_) known.push_back(axis.path);
    known.emplace_back("t");
    const auto suggestion = known.size() < 10000 ? nearest(node.word, known) : std::nullopt;
    complain(node, fmt::format("nothing is named {}{}", node.word,
                               suggestion ? fmt::format("; did you mean {}?", *suggestion)
                                          : "; the columns of a run are those of its data.csv"));
  }

  /// Leaves names of reductions and parameters only: places in `names_of_result_`.
  void lower(Node& node) {
    if (node.op == Op::other) {
      const Kind kind = std::find_if(kinds.begin(), kinds.end(), [&](const KindWord& k) { return node.word == k.word; })->kind;
      const bool min_or_max = kind == Kind::min || kind == Kind::max;
      if (min_or_max && !moves(node.parts[0])) {
        if (node.parts.size() < 2)
          return complain(node,
                          fmt::format("{} has 1 argument: must be >= 2, or a column: {}(mass.velocity)", node.word, node.word));
        node.op = kind == Kind::min ? Op::min : Op::max;
        node.word.clear();
        for (Node& part : node.parts) lower(part);
        return;
      }
      return reduce(node, kind);
    }
    if (node.op == Op::name) {
      if (node.word == "t")
        return complain(node, "t is the time of a row: write last(t), or a window such as max(mass.velocity, t > 2)");
      if (is_column(node.word)) {
        Node inner = node;
        node.op = Op::other;
        node.word = "last";
        node.parts = {std::move(inner)};
        return reduce(node, Kind::last);
      }
      if (events(node.word))
        return complain(node, fmt::format("{} is a list: write count({}) or last({})", node.word, node.word, node.word));
      if (const auto at = parameter(node.word)) return name(node, {false, *at});
      return unknown(node);
    }
    for (Node& part : node.parts) lower(part);
  }

  void name(Node& node, Measures::Result::Name what) {
    node = Node{Op::name, 0, std::to_string(names_of_result_->size()), {}, node.position};
    names_of_result_->push_back(what);
  }

  void reduce(Node& node, Kind kind) {
    if (node.parts.size() > 2)
      return complain(node, fmt::format("{} has {} arguments: must be 1, or 2 with a window of time: {}(mass.velocity, t > 2)",
                                        node.word, node.parts.size(), node.word));
    Reduction reduction;
    reduction.kind = kind;
    reduction.text = Formula(node).text();
    const Node& of = node.parts[0];
    if (const auto found = of.op == Op::name && !is_column(of.word) ? events(of.word) : std::nullopt) {
      reduction.element = found->first;
      reduction.series = found->second;
      if (kind == Kind::integral || kind == Kind::rms || kind == Kind::mean) {
        const bool times = reduction.series <= Series::impacts;
        if (kind != Kind::mean || times)
          return complain(node, fmt::format("{}({}): events have count, first, last, min and max, and impacts mean and sum",
                                            node.word, of.word));
      }
    } else if (kind == Kind::count) {
      return complain(
          node,
          fmt::format(
              "count takes events: count(NAME.slips), NAME.sticks, NAME.touches, NAME.releases or NAME.impacts of an element; "
              "for the share of the time in which something holds, write mean(...)"));
    } else if (kind == Kind::sum) {
      return complain(node, "sum takes numbers of impacts, such as sum(floor.contact_time); of columns write integral(...)");
    } else if (!bind(of, reduction.value, false)) {
      return;
    }
    if (node.parts.size() == 2) {
      const Node& window = node.parts[1];
      if (!is_condition(window))
        return complain(window,
                        fmt::format("{} takes a condition as its window, such as t > 2; of final values write {}(last(...), ...)",
                                    node.word, node.word));
      if (!bind(window, reduction.window, reduction.series != Series::rows)) return;
    }
    name(node, {true, into_.reductions_.size()});
    into_.reductions_.push_back(std::move(reduction));
  }

  /// A formula of a row.
  bool bind(const Node& node, std::optional<Reduction::Bound>& into, bool of_events) {
    const std::size_t before = problems_.size();
    check(node, of_events);
    if (problems_.size() > before) return false;
    Reduction::Bound bound{Formula(node), {}};
    using Of = Reduction::Name::Of;
    for (const std::string& word : bound.formula.names()) {
      if (word == "t" || word == "time") bound.names.push_back({Of::time, 0});
      else if (is_column(word)) bound.names.push_back({Of::column, column(word)});
      else bound.names.push_back({Of::parameter, *parameter(word)});
    }
    into = std::move(bound);
    return true;
  }
  void check(const Node& node, bool of_events) {
    if (node.op == Op::other)
      return complain(node, fmt::format("{}(...) within another one: must be a formula of the columns of a row", node.word));
    if (node.op == Op::name) {
      if (node.word == "t" || node.word == "time" || parameter(node.word)) return;
      if (of_events) return complain(node, fmt::format("{}: a window of events is a condition on t", node.word));
      if (events(node.word) && !is_column(node.word))
        return complain(node, fmt::format("{} has no value in a row; it stands alone: count({})", node.word, node.word));
      if (!is_column(node.word)) return unknown(node);
    }
    for (const Node& part : node.parts) check(part, of_events);
  }
  std::size_t column(const std::string& word) {
    auto& columns = into_.columns_;
    const auto found = std::find(columns.begin(), columns.end(), word);
    if (found != columns.end()) return std::size_t(found - columns.begin());
    columns.push_back(word);
    return columns.size() - 1;
  }

  const Readings readings_;
  const std::vector<Axis>& axes_;
  Measures& into_;
  std::vector<std::string>& problems_;
  std::vector<std::string> names_, functions_;
  std::unordered_set<std::string> known_;
  std::set<std::string> elements_;
  std::string place_, text_;
  std::vector<Measures::Result::Name>* names_of_result_ = nullptr;
  std::vector<std::size_t> result_index_;
};

std::optional<Measures> Measures::read(const std::vector<Measure>& list, const World& world, const std::vector<Axis>& axes,
                                       std::vector<std::string>& problems) {
  Measures measures;
  const std::size_t before = problems.size();
  MeasureReader reader(world, axes, measures, problems);
  for (const Measure& measure : list) reader.read(measure);
  if (problems.size() > before) return std::nullopt;
  return measures;
}

Measuring::Measuring(const Measures& measures) : measures_(measures), sums_(measures.reductions_.size()), results_(sums_.size()) {}

void Measuring::begin(std::span<const double> parameters) {
  parameters_ = parameters;
  std::fill(sums_.begin(), sums_.end(), Sum{});
}

void Measuring::start(const std::vector<Quantity>&, std::uint64_t) {}

double Measuring::number(const Reduction::Bound& bound, std::span<const double> row) {
  using Of = Reduction::Name::Of;
  arguments_.clear();
  for (const Reduction::Name& name : bound.names)
    arguments_.push_back(name.of == Of::time ? row[0] : name.of == Of::column ? row[1 + name.index] : parameters_[name.index]);
  return bound.formula.value<double>(arguments_);
}

void Measuring::row(std::span<const double> row) {
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    const Reduction& reduction = measures_.reductions_[i];
    if (reduction.series != Series::rows) continue;
    const bool inside = !reduction.window || number(*reduction.window, row) != 0;
    take(reduction, sums_[i], row[0], inside ? number(*reduction.value, row) : 0, inside);
  }
}

/// Integrals by the rule of trapezoids, over the time during which the window is open.
void Measuring::take(const Reduction& reduction, Sum& sum, double t, double value, bool inside) const {
  if (inside) {
    switch (reduction.kind) {
      case Kind::last:
        sum.value = value;
        break;
      case Kind::first:
        if (sum.rows == 0) sum.value = value;
        break;
      case Kind::max:
        sum.value = sum.rows == 0 ? value : std::isnan(value) || value > sum.value ? value : sum.value;
        break;
      case Kind::min:
        sum.value = sum.rows == 0 ? value : std::isnan(value) || value < sum.value ? value : sum.value;
        break;
      case Kind::mean:
      case Kind::rms:
      case Kind::integral: {
        const double now = reduction.kind == Kind::rms ? value * value : value;
        if (sum.was_in && reduction.series == Series::rows) {
          sum.value += (t - sum.last_time) * (sum.last + now) / 2;
          sum.length += t - sum.last_time;
        } else if (reduction.series != Series::rows) {
          sum.value += now;
        }
        sum.last = now;
        break;
      }
      case Kind::sum:
        sum.value += value;
        break;
      case Kind::count:
        break;
    }
    ++sum.rows;
  }
  sum.was_in = inside;
  sum.last_time = t;
}

double Measuring::result(const Reduction& reduction, const Sum& sum) const {
  if (reduction.kind == Kind::count) return double(sum.rows);
  if (reduction.kind == Kind::sum) return sum.value;
  if (sum.rows == 0) return std::numeric_limits<double>::quiet_NaN();
  if (reduction.kind == Kind::integral) return sum.value;
  if (reduction.kind != Kind::mean && reduction.kind != Kind::rms) return sum.value;
  const double mean = reduction.series != Series::rows ? sum.value / double(sum.rows)
                      : sum.length > 0                 ? sum.value / sum.length
                                                       : sum.last;
  return reduction.kind == Kind::rms ? std::sqrt(mean) : mean;
}

double Measuring::of_events(const Reduction& reduction, const Run& run) {
  Sum sum;
  const auto add = [&](double t, double value) {
    const bool inside = !reduction.window || number(*reduction.window, {&t, 1}) != 0;
    take(reduction, sum, t, value, inside);
  };
  if (reduction.series >= Series::impacts) {
    for (const Impact& impact : run.impacts()) {
      if (impact.element != reduction.element) continue;
      add(impact.touch, reduction.series == Series::restitution        ? impact.restitution()
                        : reduction.series == Series::impact_speed     ? impact.impact_speed
                        : reduction.series == Series::separation_speed ? impact.separation_speed
                        : reduction.series == Series::contact_time     ? impact.release - impact.touch
                                                                       : impact.touch);
    }
  } else {
    const Event::Kind kind = reduction.series == Series::slips     ? Event::Kind::slip
                             : reduction.series == Series::sticks  ? Event::Kind::stick
                             : reduction.series == Series::touches ? Event::Kind::touch
                                                                   : Event::Kind::release;
    for (const Event& event : run.events())
      if (event.kind == kind && event.element == reduction.element) add(event.time, event.time);
  }
  return result(reduction, sum);
}

void Measuring::values(const Run& run, std::span<double> into, std::string& problem) {
  std::string why;
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    const Reduction& reduction = measures_.reductions_[i];
    const bool rows = reduction.series == Series::rows;
    results_[i] = rows ? result(reduction, sums_[i]) : of_events(reduction, run);
    if (!std::isfinite(results_[i]) && why.empty())
      why = rows && sums_[i].rows == 0 ? fmt::format("{}: no row is in the window", reduction.text)
            : !rows                    ? fmt::format("{}: there is none", reduction.text)
                                       : fmt::format("{} is not a finite number", reduction.text);
  }
  for (std::size_t i = 0; i < into.size(); ++i) {
    const Measures::Result& result = measures_.results_[i];
    arguments_.clear();
    bool known = true;
    for (const auto& name : result.names) {
      arguments_.push_back(name.reduction ? results_[name.index] : parameters_[name.index]);
      known = known && std::isfinite(arguments_.back());
    }
    // A comparison with what is not known would be an answer.
    into[i] = known ? result.formula.value<double>(arguments_) : std::numeric_limits<double>::quiet_NaN();
    if (known && !std::isfinite(into[i])) {
      into[i] = std::numeric_limits<double>::quiet_NaN();
      if (problem.empty()) problem = fmt::format("measure {} is not a finite number", i + 1);
    }
    if (!known && problem.empty()) problem = why;
  }
}

}  // namespace asperity::study
