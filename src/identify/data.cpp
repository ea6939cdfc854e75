#include "asperity/identify/data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include "asperity/csv.hpp"
#include "asperity/formula/formula.hpp"
#include "asperity/formula/units.hpp"
#include "asperity/identify/motion.hpp"
#include "asperity/identify/signal.hpp"
#include "asperity/parameters.hpp"
#include "asperity/quantity_text.hpp"

namespace asperity::identify {
namespace {

constexpr std::array<const char*, 11> known_channels{"time",    "position", "velocity", "acceleration", "force", "torque",
                                                     "current", "load",     "rest",     "before",       "after"};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Outside of parentheses.
std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += (text[i] == '(') - (text[i] == ')');
    if (text[i] != at || depth > 0) continue;
    parts.push_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  parts.push_back(trimmed(text.substr(begin)));
  return parts;
}

/// "-35.15*u_V [V]"
Channel channel(std::string_view what, std::string_view source) {
  Channel c;
  c.what = what;
  if (const std::size_t open = source.rfind('['); open != std::string_view::npos && source.ends_with(']')) {
    c.unit = trimmed(source.substr(open + 1, source.size() - open - 2));
    source = trimmed(source.substr(0, open));
  }
  c.text = source;
  if (source.starts_with('-') || source.starts_with('+')) {
    if (source.front() == '-') c.factor = -1;
    source = trimmed(source.substr(1));
  }
  if (const std::size_t star = source.find('*'); star != std::string_view::npos)
    if (const auto number = parse_number(source.substr(0, star))) {
      c.factor *= *number;
      c.has_factor = true;
      source = trimmed(source.substr(star + 1));
    }
  c.column = source;
  return c;
}

/// No measurement: its square overflows soon.
constexpr double too_large = 1e100;

const char* unit_of(const std::string& what, bool rotary) {
  if (what == "time" || what == "rest") return "s";
  if (what == "position") return rotary ? "rad" : "m";
  if (what == "velocity") return rotary ? "rad/s" : "m/s";
  if (what == "before" || what == "after") return "m/s";
  if (what == "acceleration") return rotary ? "rad/s^2" : "m/s^2";
  if (what == "torque") return "N m";
  if (what == "current") return "A";
  return "N";
}

double range_of(const std::vector<double>& x) {
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  return *high - *low;
}

/// A column by its name or, where there is none of that name, by its number.
const Table::Column* column_of(const Table& table, const std::string& name) {
  if (const Table::Column* column = table.find(name)) return column;
  std::string_view digits = name;
  if (digits.starts_with('c')) digits.remove_prefix(1);
  if (digits.empty() || digits.size() > 6 ||
      !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return nullptr;
  const std::size_t number = std::stoul(std::string(digits));
  return number >= 1 && number <= table.columns.size() ? &table.columns[number - 1] : nullptr;
}

/// Columns of one length, each under the name of what it is.
struct Columns {
  std::vector<std::pair<std::string, std::vector<double>>> list;

  std::vector<double>* find(std::string_view what) {
    for (auto& [name, values] : list)
      if (name == what) return &values;
    return nullptr;
  }
  std::vector<double>& time() { return *find("time"); }
  std::size_t rows() const { return list.front().second.size(); }
  void keep(const std::vector<char>& wanted) {
    for (auto& [name, values] : list) {
      std::size_t n = 0;
      for (std::size_t i = 0; i < values.size(); ++i)
        if (wanted[i]) values[n++] = values[i];
      values.resize(n);
    }
  }
};

class Reader {
 public:
  Reader(const std::string& name, const Table& table, const std::vector<Channel>& map, const Filter& filter, bool robust,
         std::vector<std::string>& problems, const DataOptions& options)
      : name_(name), table_(table), map_(map), filter_(filter), robust_(robust), problems_(problems), options_(options) {}

  std::optional<Measurement> run() {
    const std::size_t before = problems_.size();
    check_map();
    read_columns();
    read_terms();
    if (problems_.size() > before) return std::nullopt;
    drop_what_is_not_finite();
    merge_repeated_stamps();
    if (problems_.size() > before) return std::nullopt;
    if (columns_.rows() < 20) {
      problems_.push_back(fmt::format("{}: {} rows of numbers: must be 20 at least", name_, columns_.rows()));
      return std::nullopt;
    }
    step_ = median(stamps_apart());
    find_gaps();
    unroll();
    even_out();
    shift_force();
    if (robust_) replace_spikes();
    find_spikes_of_force();
    if (problems_.size() > before || !choose_cutoff()) return std::nullopt;
    for (std::size_t s = 0; s + 1 < begins_.size(); ++s) add_segment(begins_[s], begins_[s + 1]);
    if (problems_.size() > before || is_empty_handed()) return std::nullopt;
    return std::move(out_);
  }

  std::optional<MappedColumns> columns() {
    const std::size_t before = problems_.size();
    read_columns();
    if (problems_.size() == before && (columns_.list.empty() || columns_.rows() == 0)) problem("no rows of numbers");
    if (problems_.size() > before) return std::nullopt;
    return MappedColumns{std::move(columns_.list), std::move(out_.notes), out_.is_rotary};
  }

 private:
  template <class... T>
  void note(fmt::format_string<T...> text, T&&... values) {
    out_.notes.push_back(fmt::format(text, std::forward<T>(values)...));
  }
  template <class... T>
  void problem(fmt::format_string<T...> text, T&&... values) {
    problems_.push_back(fmt::format("{}: ", name_) + fmt::format(text, std::forward<T>(values)...));
  }
  const Channel* mapped(std::string_view what) const {
    for (const Channel& c : map_)
      if (c.what == what) return &c;
    return nullptr;
  }

  void check_map() {
    if (!mapped("time")) problem("no time: the map must say which column it is, \"time=...\"");
    if (!mapped("position") && !mapped("velocity")) problem("no motion: the map must have position or velocity");
    const int forces = (mapped("force") != nullptr) + (mapped("torque") != nullptr) + (mapped("current") != nullptr);
    if (forces != 1) problem("{} of force, torque and current: the map must have one", forces);
    for (const char* what : {"rest", "before", "after"})
      if (mapped(what)) problem("{}: is for tables without time", what);
  }

  void read_columns() {
    out_.is_rotary = mapped("torque") || (mapped("current") && turns());
    out_.has_load = mapped("load") != nullptr;
    std::vector<std::string> names;
    for (const Table::Column& column : table_.columns) names.push_back(column.quantity.name);
    for (const Channel& c : map_) {
      const Table::Column* column = column_of(table_, c.column);
      const std::string key = c.what == "torque" || c.what == "current" ? "force" : c.what;
      if (!column) {
        if (auto values = expression(c, names)) columns_.list.emplace_back(key, std::move(*values));
        continue;
      }
      if (!c.unit.empty() && !column->quantity.unit.empty() && c.unit != column->quantity.unit) {
        problem("{} is in {} in the map, but in {} in the file", c.column, c.unit, column->quantity.unit);
        continue;
      }
      std::string why;
      const auto one = one_of(c, unit_of_channel(c), why);
      if (!one) {
        problem("{} = {}: {}", c.what, text_of(c), why);
        continue;
      }
      std::vector<double> values = column->values;
      for (double& v : values) v *= c.factor * *one;
      columns_.list.emplace_back(key, std::move(values));
    }
  }

  /// What is no column: a formula of columns, row by row.
  std::optional<std::vector<double>> expression(const Channel& c, const std::vector<std::string>& names) {
    FormulaProblem wrong;
    const auto formula = Formula::read(c.text, wrong);
    const auto meant = nearest(c.column, names);
    const auto no_column = [&](const std::string& name) {
      problem("no column \"{}\" for {}; {}", name, c.what,
              meant ? fmt::format("did you mean {}?", *meant) : fmt::format("the columns are: {}", fmt::join(names, ", ")));
    };
    if (!formula || formula->is_constant()) {
      no_column(c.column);
      return std::nullopt;
    }
    std::vector<const std::vector<double>*> columns;
    for (const std::string& name : formula->names()) {
      const Table::Column* column = column_of(table_, name);
      if (!column) {
        no_column(name);
        return std::nullopt;
      }
      columns.push_back(&column->values);
    }
    std::string why;
    const auto one = c.unit.empty() ? std::optional(1.0) : read_quantity("1 " + c.unit, unit_of(c.what, out_.is_rotary), why);
    if (!one) {
      problem("{} = {} [{}]: {}", c.what, c.text, c.unit, why);
      return std::nullopt;
    }
    std::vector<double> values(table_.rows()), at(columns.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t k = 0; k < at.size(); ++k) at[k] = (*columns[k])[i];
      values[i] = *one * formula->value<double>(std::span<const double>(at));
    }
    note("{} = {}: columns as the file has them, the result in {}", c.what, c.text,
         c.unit.empty() ? unit_of(c.what, out_.is_rotary) : c.unit);
    return values;
  }

  /// The terms of the user. The columns they need go with the rows.
  void read_terms() {
    std::vector<std::string> names;
    for (const Table::Column& column : table_.columns) names.push_back(column.quantity.name);
    for (const std::string& text : options_.with) {
      FormulaProblem wrong;
      auto formula = Formula::read(text, wrong);
      if (!formula) {
        problem("--with \"{}\": {}", text, to_text(wrong));
        continue;
      }
      if (formula->is_constant()) {
        problem("--with \"{}\": is constant; --offset free finds a constant force", text);
        continue;
      }
      if (std::any_of(terms_.begin(), terms_.end(), [&](const auto& term) { return term.first == text; })) {
        problem("--with \"{}\": is given twice", text);
        continue;
      }
      for (const std::string& name : formula->names()) {
        if (motion_of(name)) continue;
        const Table::Column* column = column_of(table_, name);
        if (!column) {
          problem("--with \"{}\": {}: must be q, v, a (the motion) or a column: {}", text, name, fmt::join(names, ", "));
          break;
        }
        if (!columns_.find("#" + name)) columns_.list.emplace_back("#" + name, column->values);
      }
      terms_.emplace_back(text, std::move(*formula));
    }
  }

  /// The motion as terms name it; a column of that name is meant instead.
  const std::vector<double> Samples::*motion_of(const std::string& name) const {
    if (table_.find(name)) return nullptr;
    if (name == "q" || name == "x" || name == "position") return &Samples::position;
    if (name == "v" || name == "velocity") return &Samples::velocity;
    if (name == "a" || name == "acceleration") return &Samples::acceleration;
    return nullptr;
  }

  /// Angles that are given within one turn.
  void unroll() {
    std::vector<double>* q = columns_.find("position");
    const double turn = 2 * std::numbers::pi;
    if (!q || !out_.is_rotary || range_of(*q) > 1.001 * turn) return;
    std::size_t times = 0;
    double off = 0, before = q->front();
    for (double& value : *q) {
      if (std::abs(value - before) > 0.75 * turn) off += value < before ? turn : -turn, ++times;
      before = value;
      value += off;
    }
    if (times > 0) note("the angle jumps by a whole turn {} {}: unrolled", times, times == 1 ? "time" : "times");
  }

  /// The force as it was `delay` later, read off straight lines.
  void shift_force() {
    if (options_.delay == 0) return;
    std::vector<double>& f = *columns_.find("force");
    const std::vector<double> old = f;
    for (std::size_t s = 0; s + 1 < begins_.size(); ++s)
      for (std::size_t i = begins_[s]; i < begins_[s + 1]; ++i) {
        const double at = std::clamp(static_cast<double>(i) + options_.delay / step_, static_cast<double>(begins_[s]),
                                     static_cast<double>(begins_[s + 1] - 1));
        const auto low = std::min(static_cast<std::size_t>(at), begins_[s + 1] - 2);
        f[i] = old[low] + (at - static_cast<double>(low)) * (old[low + 1] - old[low]);
      }
    note("the {} is taken {} {} than it was recorded", out_.is_rotary ? "torque" : "force",
         quantity_text(std::abs(options_.delay), "s"), options_.delay > 0 ? "earlier" : "later");
  }

  /// As written in the map, or in the header.
  std::string unit_of_channel(const Channel& c) const {
    const Table::Column* column = column_of(table_, c.column);
    return !c.unit.empty() || !column ? c.unit : column->quantity.unit;
  }
  std::string text_of(const Channel& c) const {
    const std::string unit = unit_of_channel(c);
    return unit.empty() ? c.column : fmt::format("{} [{}]", c.column, unit);
  }
  /// Whether the motion is that of an angle: only its unit can tell.
  bool turns() const {
    std::string why;
    for (const char* what : {"position", "velocity", "acceleration"})
      if (const Channel* c = mapped(what))
        if (const std::string unit = unit_of_channel(*c); !unit.empty())
          return read_quantity("1 " + unit, unit_of(what, true), why).has_value();
    return false;
  }

  /// One of this unit in SI units. A factor makes a force of a current or a voltage: it is in N/A or N/V, so that prefixes count.
  std::optional<double> one_of(const Channel& c, const std::string& unit, std::string& why) const {
    const std::string wanted = unit_of(c.what, out_.is_rotary), force = out_.is_rotary ? "N m" : "N";
    if (c.what == "current" && !c.has_factor) {
      why = fmt::format("a factor must make a {} of it, in {}/A: \"current=12.5*{}\"", out_.is_rotary ? "torque" : "force", force,
                        c.column);
      return std::nullopt;
    }
    if (unit.empty()) return 1;
    const bool is_force = c.what == "force" || c.what == "torque";
    for (const char* electric : {"A", "V"})
      if (const auto one = is_force ? read_quantity("1 " + unit, electric, why) : std::nullopt) {
        if (c.has_factor) return one;
        why = fmt::format("a factor must make a {} of it, in {}/{}: \"{}=12.5*{}\"", c.what, wanted, electric, c.what, c.column);
        return std::nullopt;
      }
    const auto one = read_quantity("1 " + unit, wanted, why);
    if (!one && is_force && c.has_factor) why += ", A or V";
    if (!one && !is_force && !out_.is_rotary && turns()) why += "; with torque instead of force lengths are angles";
    return one;
  }

  void drop_what_is_not_finite() {
    std::vector<char> finite(columns_.rows(), true);
    std::size_t lost = 0, first = 0;
    for (std::size_t i = 0; i < finite.size(); ++i) {
      for (const auto& [what, values] : columns_.list) finite[i] = finite[i] && std::abs(values[i]) < too_large;
      if (!finite[i] && lost++ == 0) first = i + 1;
    }
    if (lost == 0) return;
    if (10 * lost > finite.size()) {
      problem("{} of {} rows have a number that is not finite, the first is row {}: too many to do without", lost, finite.size(),
              first);
      return;
    }
    note("{} {} with a number that is not finite left out, the first is row {}", lost, lost == 1 ? "row" : "rows", first);
    columns_.keep(finite);
  }

  void merge_repeated_stamps() {
    std::vector<double>& t = columns_.time();
    std::vector<char> first(t.size(), true);
    std::size_t repeated = 0;
    double where = 0;
    for (std::size_t i = 1, head = 0; i < t.size(); ++i) {
      if (t[i] < t[head]) {
        problem("time goes back from {:g} s to {:g} s in row {}", t[head], t[i], i + 1);
        return;
      }
      if (t[i] > t[head]) {
        head = i;
        continue;
      }
      if (repeated++ == 0) where = t[i];
      first[i] = false;
      const double weight = 1 / static_cast<double>(i - head + 1);
      for (auto& [what, values] : columns_.list) values[head] += weight * (values[i] - values[head]);
    }
    if (repeated == 0) return;
    note("{} {} the time stamp of the row before, first at {:g} s: they count as one row, their mean", repeated,
         repeated == 1 ? "row has" : "rows have", where);
    columns_.keep(first);
  }

  std::vector<double> stamps_apart() {
    const std::vector<double>& t = columns_.time();
    std::vector<double> apart;
    for (std::size_t i = 1; i < t.size(); ++i) apart.push_back(t[i] - t[i - 1]);
    return apart;
  }

  /// Rows are cut where more than five of them are missing.
  void find_gaps() {
    const std::vector<double>& t = columns_.time();
    begins_ = {0};
    double longest = 0, where = 0;
    for (std::size_t i = 1; i < t.size(); ++i)
      if (const double apart = t[i] - t[i - 1]; apart > 5 * step_) {
        begins_.push_back(i);
        if (apart > longest) longest = apart, where = t[i - 1];
      }
    if (begins_.size() > 1)
      note("{} {} in time, the longest {} after {:g} s: derivatives are not taken across, the law goes through in one step",
           begins_.size() - 1, begins_.size() == 2 ? "gap" : "gaps", quantity_text(longest, "s"), where);
    begins_.push_back(t.size());
  }

  /// Filters and differences want even stamps: uneven ones are read off straight lines.
  void even_out() {
    const std::vector<double>& t = columns_.time();
    double worst = 0;
    std::size_t uneven = 0;
    for (std::size_t s = 0; s + 1 < begins_.size(); ++s)
      for (std::size_t i = begins_[s] + 1; i < begins_[s + 1]; ++i) {
        const double off = std::abs(t[i] - t[i - 1] - step_) / step_;
        worst = std::max(worst, off);
        uneven += off > 0.01;
      }
    if (uneven == 0) return;
    note("{} time stamps are not one step of {} apart, by up to {:.3g} %: interpolated linearly, once per step", uneven,
         quantity_text(step_, "s"), 100 * worst);
    Columns even;
    for (const auto& [what, values] : columns_.list) even.list.emplace_back(what, std::vector<double>{});
    std::vector<std::size_t> begins{0};
    for (std::size_t s = 0; s + 1 < begins_.size(); ++s) {
      const std::size_t last = begins_[s + 1] - 1;
      std::size_t after = begins_[s];
      for (std::size_t k = 0;; ++k) {
        const double at = t[begins_[s]] + static_cast<double>(k) * step_;
        if (at > t[last] * (1 + 1e-15)) break;
        while (after < last && t[after] < at) ++after;
        const std::size_t before = after > begins_[s] ? after - 1 : after;
        const double part = after == before ? 0 : std::min(1.0, (at - t[before]) / (t[after] - t[before]));
        for (std::size_t c = 0; c < even.list.size(); ++c) {
          const auto& values = columns_.list[c].second;
          even.list[c].second.push_back(values[before] + part * (values[after] - values[before]));
        }
        even.time().back() = at;
      }
      begins.push_back(even.rows());
    }
    columns_ = std::move(even);
    begins_ = std::move(begins);
  }

  void replace_spikes() {
    for (const char* what : {"position", "velocity"})
      if (std::vector<double>* values = columns_.find(what))
        if (const std::size_t count = replace_outliers(*values); count > 0)
          note("{} {} of the {} {} out of {} neighbours: replaced by the median around", count, count == 1 ? "sample" : "samples",
               what, count == 1 ? "stands" : "stand", count == 1 ? "its" : "their");
  }

  /// A force that leaves its neighbours by more than the whole range of their medians is a spike whatever the law is. Smaller ones
  /// are for the law to tell, which knows what friction can do.
  void find_spikes_of_force() {
    std::vector<double>& f = *columns_.find("force");
    const std::vector<double> centre = running_median(f);
    std::vector<double> off;
    for (std::size_t i = 0; i < f.size(); ++i) off.push_back(std::abs(f[i] - centre[i]));
    const double most = std::max(range_of(centre), 6 * 1.4826 * median(off));  // noise alone is no spike
    is_spike_.clear();
    for (const double o : off) is_spike_.push_back(o > most);
    const auto count = std::count(is_spike_.begin(), is_spike_.end(), true);
    if (count == 0) return;
    if (robust_)  // not usable; but what moves on under this force should not be kicked
      for (std::size_t i = 0; i < f.size(); ++i) f[i] = is_spike_[i] ? centre[i] : f[i];
    const char* of = out_.is_rotary ? "torque" : "force";
    note("{} {} of the {} {} out of {} neighbours by more than the {} ranges otherwise: {}", count,
         count == 1 ? "sample" : "samples", of, count == 1 ? "stands" : "stand", count == 1 ? "its" : "their", of,
         robust_ ? "left out" : "a robust fit leaves them out");
  }

  /// Noise of what is differentiated, over the longest stretch without a gap.
  ChannelNoise noise_of_channel(const char* what, int differences) {
    std::size_t at = 0;
    for (std::size_t s = 1; s + 1 < begins_.size(); ++s)
      if (begins_[s + 1] - begins_[s] > begins_[at + 1] - begins_[at]) at = s;
    const auto first = columns_.find(what)->begin();
    return noise_of({first + std::ptrdiff_t(begins_[at]), first + std::ptrdiff_t(begins_[at + 1])}, step_, differences);
  }

  bool choose_cutoff() {
    const double rate = 1 / step_;
    MotionNoise& noise = out_.samples.noise;
    noise.has_velocity = columns_.find("velocity"), noise.has_acceleration = columns_.find("acceleration");
    ChannelNoise of_position, of_velocity;
    if (columns_.find("position")) of_position = noise_of_channel("position", 2);
    if (noise.has_velocity) of_velocity = noise_of_channel("velocity", 1);
    noise.position = of_position.deviation, noise.velocity = of_velocity.deviation;
    const ChannelNoise& lowest = noise.has_velocity ? of_velocity : of_position;
    const bool is_chosen = filter_.is_on && filter_.cutoff == 0;
    const std::string size = quantity_text(lowest.deviation, unit_of(noise.has_velocity ? "velocity" : "position", out_.is_rotary));
    if (is_chosen && lowest.cutoff >= rate / 4) {
      filter_.is_on = false;
      note("motion: not filtered, its noise ({}) is nowhere stronger{}", size,
           noise.has_velocity ? "" : "; velocity and acceleration: central differences");
      return true;
    }
    if (!filter_.is_on) {
      is_raw_ = true;
      if (!noise.has_velocity) note("velocity and acceleration: central differences of the position as it was measured");
      return true;
    }
    if (is_chosen) filter_.cutoff = lowest.cutoff;
    if (filter_.cutoff >= rate / 2) {
      problem("--filter: cut-off {:g} Hz: must be < {:g} Hz, half of the sampling rate", filter_.cutoff, rate / 2);
      return false;
    }
    noise.filter = {filter_.order, filter_.cutoff};
    note("motion: Butterworth low-pass of order {} at {:.4g} Hz, forwards and backwards (no delay){}", filter_.order,
         filter_.cutoff, noise.has_velocity ? "" : "; velocity and acceleration: central differences");
    if (!is_chosen) return true;
    // Somewhat below, where the filter leaves the motion as it is. A spike of the force would be spread by it.
    if (!robust_) out_.samples.band = {filter_.order, filter_.cutoff / 1.5};
    note("the cut-off is where the noise of the {}, {} a sample, becomes stronger than the motion{}",
         noise.has_velocity ? "velocity" : "position", size,
         robust_ ? "" : fmt::format("; forces are compared below {:.4g} Hz", out_.samples.band.cutoff));
    return true;
  }

  void add_segment(std::size_t begin, std::size_t end) {
    const auto part = [&](const char* what) {
      const std::vector<double>* values = columns_.find(what);
      return values ? std::vector<double>(values->begin() + static_cast<std::ptrdiff_t>(begin),
                                          values->begin() + static_cast<std::ptrdiff_t>(end))
                    : std::vector<double>{};
    };
    const std::size_t n = end - begin;
    const auto smooth = [&](std::vector<double> x) {
      return filter_.is_on && !x.empty() ? zero_phase_butterworth(x, filter_.order, filter_.cutoff, 1 / step_) : x;
    };
    if (n < 5) {
      note("{} {} between gaps at {:g} s left out", n, n == 1 ? "row" : "rows", columns_.time()[begin]);
      return;
    }
    std::vector<double> x = smooth(part("position")), v = smooth(part("velocity")), a = smooth(part("acceleration"));
    const auto derivative = [&](const std::vector<double>& of) {  // short where noise was not to be filtered
      return is_raw_ ? differences(of, step_) : differentiated(of, step_);
    };
    if (v.empty()) v = derivative(x);
    if (a.empty()) a = derivative(v);
    if (x.empty()) {
      x.assign(n, out_.samples.position.empty() ? 0.0 : out_.samples.position.back());
      for (std::size_t i = 1; i < n; ++i) x[i] = x[i - 1] + 0.5 * step_ * (v[i - 1] + v[i]);
    }
    const std::vector<double> t = part("time"), f = part("force"), load = part("load");
    Samples& s = out_.samples;
    const double periods = out_.samples.band.order > 0 ? 3 : 1;  // the band is narrower, and goes over the force, too
    const double period = filter_.is_on ? std::ceil(periods / (step_ * filter_.cutoff)) : 1;  // samples
    const double margin = std::max(period, std::ceil(std::abs(options_.delay) / step_));
    const std::size_t edge = margin < static_cast<double>(n) ? static_cast<std::size_t>(margin) : n;
    for (std::size_t i = 0; i < n; ++i) {
      const bool after_gap = i == 0 && s.size() > 0;
      const double step = s.size() == 0 ? 0 : after_gap ? t[0] - s.t.back() : step_;
      s.step.push_back(step);
      s.velocity.push_back(after_gap ? (x[0] - s.position.back()) / step : v[i]);
      s.t.push_back(t[i]);
      s.position.push_back(x[i]);
      s.acceleration.push_back(a[i]);
      s.force.push_back(f[i]);
      s.load.push_back(load.empty() ? 1.0 : std::max(0.0, load[i]));
      s.is_usable.push_back(i >= edge && i + edge < n && !(robust_ && is_spike_[begin + i]));
    }
    s.terms.resize(terms_.size());
    for (std::size_t m = 0; m < terms_.size(); ++m) {
      const auto& [text, formula] = terms_[m];
      s.terms[m].name = text;
      std::vector<double> at(formula.names().size());
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < at.size(); ++k) {
          const std::string& name = formula.names()[k];
          const auto motion = motion_of(name);
          at[k] = motion ? (s.*motion)[s.size() - n + i] : (*columns_.find("#" + name))[begin + i];
        }
        s.terms[m].values.push_back(formula.value<double>(std::span<const double>(at)));
      }
    }
  }

  /// Data that cannot tell anything.
  bool is_empty_handed() {
    const Samples& s = out_.samples;
    if (s.size() < 20) {
      problem("{} samples are left: must be 20 at least", s.size());
      return true;
    }
    for (const Term& term : s.terms)
      for (std::size_t k = 0; k < s.size(); ++k)
        if (!std::isfinite(term.values[k])) {
          problem("--with \"{}\": is not finite at {:g} s", term.name, s.t[k]);
          return true;
        }
    double most = 0;
    for (const double f : s.force) most = std::max(most, std::abs(f));
    if (range_of(s.position) <= 1e-12 * std::max(1e-300, std::abs(s.position.front())) || range_of(s.position) == 0)
      problem("nothing moves: the position is {} from beginning to end; friction cannot be identified",
              quantity_text(s.position[0], unit_of("position", out_.is_rotary)));
    if (range_of(s.force) <= 1e-12 * most)
      problem("the {} is {} from beginning to end; nothing can be identified", out_.is_rotary ? "torque" : "force",
              quantity_text(s.force[0], out_.is_rotary ? "N m" : "N"));
    return range_of(s.position) == 0 || range_of(s.force) <= 1e-12 * most;
  }

  const std::string& name_;
  const Table& table_;
  const std::vector<Channel>& map_;
  Filter filter_;
  bool robust_;
  std::vector<std::string>& problems_;
  const DataOptions& options_;
  std::vector<std::pair<std::string, Formula>> terms_;
  Columns columns_;
  std::vector<std::size_t> begins_;  // of the segments between gaps, and the end
  std::vector<char> is_spike_;       // of the force
  double step_ = 0;
  bool is_raw_ = false;  // the motion is taken as it is
  Measurement out_;
};

}  // namespace

std::vector<Channel> read_map(const std::string& text, std::vector<std::string>& problems) {
  std::vector<Channel> map;
  for (const std::string_view entry : split(text, ',')) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos || trimmed(entry.substr(equals + 1)).empty()) {
      problems.push_back(fmt::format("--map: \"{}\": must be WHAT=COLUMN, for example position=x [mm]", entry));
      continue;
    }
    Channel c = channel(trimmed(entry.substr(0, equals)), trimmed(entry.substr(equals + 1)));
    const std::vector<std::string> known(known_channels.begin(), known_channels.end());
    if (std::find(known.begin(), known.end(), c.what) == known.end()) {
      const auto meant = nearest(c.what, known);
      problems.push_back(
          fmt::format("--map: unknown \"{}\"; {}", c.what,
                      meant ? "did you mean " + *meant + "?" : fmt::format("must be one of {}", fmt::join(known, ", "))));
      continue;
    }
    if (std::any_of(map.begin(), map.end(), [&](const Channel& other) { return other.what == c.what; }))
      problems.push_back(fmt::format("--map: {} is given twice", c.what));
    map.push_back(std::move(c));
  }
  return map;
}

std::optional<Filter> read_filter(const std::string& text, std::vector<std::string>& problems) {
  Filter filter;
  if (text == "auto") return filter;
  if (text == "none") {
    filter.is_on = false;
    return filter;
  }
  const auto parts = split(text, ':');
  const auto order = parts.size() == 3 ? parse_number(parts[1]) : std::nullopt,
             cutoff = parts.size() == 3 ? parse_number(parts[2]) : std::nullopt;
  if (parts[0] != "butter" || !order || !cutoff) {
    problems.push_back(fmt::format("--filter {}: must be butter:ORDER:HERTZ, for example butter:4:100, none or auto", text));
    return std::nullopt;
  }
  if (!(*order >= 1 && *order <= 10 && *order == std::round(*order)))
    problems.push_back(fmt::format("--filter: order {}: must be a whole number between 1 and 10", parts[1]));
  if (!(*cutoff > 0 && std::isfinite(*cutoff))) problems.push_back(fmt::format("--filter: cut-off {} Hz: must be > 0", parts[2]));
  filter.order = *order >= 1 && *order <= 10 ? static_cast<int>(*order) : 1;
  filter.cutoff = *cutoff;
  return filter;
}

std::optional<Measurement> measured(const std::string& name, const Table& table, const std::vector<Channel>& map,
                                    const Filter& filter, bool robust, std::vector<std::string>& problems,
                                    const DataOptions& options) {
  return Reader(name, table, map, filter, robust, problems, options).run();
}

std::optional<MappedColumns> mapped_columns(const std::string& name, const Table& table, const std::vector<Channel>& map,
                                            std::vector<std::string>& problems) {
  return Reader(name, table, map, {}, false, problems, {}).columns();
}

}  // namespace asperity::identify
