// Instantiates the friction laws of a row as something to be fitted.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "asperity/over.hpp"
#include "asperity/scalar/dual.hpp"
#include "asperity/step.hpp"
#include "identify/recorded.hpp"
#include "identify/rows.hpp"
#include "row_names.hpp"

namespace asperity::identify {
namespace {

// --- how samples drive a law -----------------------------------------------------------------------------------------------------

/// What drives a law from sample k - 1 to sample k: two implicit stages, so that its state follows the law in continuous time to
/// second order in the step and forgets what is faster than a sample (SDIRK2, L-stable: Alexander 1977). The last stage is at the
/// sample itself and gives the force; the first has the velocity with which both travel as far as was measured.
struct Drive {
  static constexpr double part = 1 - 0.5 * std::numbers::sqrt2;

  Slip<double> first, last;
  double h;

  Drive(const Samples& samples, std::size_t k)
      : first{samples.velocity[k], samples.load[k]}, last{samples.velocity[k], samples.load[k]}, h(samples.step[k]) {
    if (k == 0 || h == 0) return;
    const double mean = (samples.position[k] - samples.position[k - 1]) / h;
    first.v = (mean - part * last.v) / (1 - part);
    first.load = (1 - part) * samples.load[k - 1] + part * last.load;
  }
};

template <class Law>
constexpr typename Law::Input input(const Slip<double>& slip) {
  using S = typename Law::Scalar;
  return {S(slip.v), S(slip.load)};
}

/// The first stage; the state goes to where the last one starts.
template <class Law>
auto first_stage(const Law& law, typename Law::State& z, const Drive& drive) {
  using S = typename Law::Scalar;
  const auto reaction = law.react(z, input<Law>(drive.first), S(Drive::part * drive.h));
  advance<Law>(z, reaction.rate, S((1 - Drive::part) * drive.h));
  return reaction;
}

/// Both stages: the state goes to sample k, and this is the force there.
template <class Law>
auto follow(const Law& law, typename Law::State& z, const Drive& drive) {
  using S = typename Law::Scalar;
  if constexpr (!std::is_same_v<typename Law::State, NoState>) first_stage(law, z, drive);
  const S tau(Drive::part * drive.h);
  const auto in = input<Law>(drive.last);
  const auto reaction = law.react(z, in, tau);
  advance<Law>(z, reaction.rate, tau);
  if constexpr (Hybrid<Law>) law.transit(z, in);
  return reaction.f;
}

/// Of the friction that an element may carry, in each stage.
struct Limits {
  double first, last;
};

// --- what a law is fitted in ---------------------------------------------------------------------------------------------------

/// Collects coordinates; each kind of quantity is looked for where the data can show it.
class List {
 public:
  explicit List(const Scales& scales) : s_(scales) {}
  std::vector<Coordinate> all;

  void force(const std::string& name, int group, double part = 1) {
    add(name, "N", group, 1e-9 * s_.force, 1e4 * s_.force, 0.3 * part * s_.force, 3 * part * s_.force);
  }
  /// F/K between a fraction of what is travelled in a sample and the whole travel.
  void stiffness(const std::string& name, int group) {
    add(name, "N/m", group, 0.1 * s_.force / longest(), 10 * s_.force / shortest(), s_.force / (0.3 * s_.travel),
        s_.force / std::max(s_.increment, 1e-4 * s_.travel));
  }
  void length(const std::string& name) {
    add(name, "m", -1, 0.1 * shortest(), 10 * longest(), std::max(s_.increment, 1e-4 * s_.travel), 0.3 * s_.travel);
  }
  void viscosity(const std::string& name, int group) {
    const double of_force = s_.force / s_.velocity;
    add(name, "N s/m", group, 1e-12 * of_force, 1e3 * of_force, 0.01 * of_force, of_force);
  }
  /// Speeds below which something happens: within those that were measured, and beyond, where the curve is still bent.
  void velocity(const std::string& name) {
    add(name, "m/s", -1, 1e-4 * s_.velocity, 10 * s_.velocity, 5e-3 * s_.velocity, 5 * s_.velocity);
  }
  void time(const std::string& name) { add(name, "s", -1, 1e-3 * s_.step, 1e5 * s_.step, 0.3 * s_.step, 300 * s_.step); }
  void rate(const std::string& name) { add(name, "1/s", -1, 1e-5 / s_.step, 1e3 / s_.step, 1e-3 / s_.step, 1 / s_.step); }
  void number(const std::string& name, double low, double high, double from, double to) { add(name, "1", -1, low, high, from, to); }
  /// An exponent is hardly ever told by data: the law's own unless a bound asks for it.
  void exponent(const Parameter& p) {
    shape(p, 0.25, 1.5);
    all.back().is_free = false, all.back().fixed = p.values[0];
  }
  /// Any other number, around the law's own.
  void shape(const Parameter& p, double from, double to) {
    const double own = p.values[0], low = std::max(p.range.low, 1e-3 * own), high = std::min(p.range.high, 1e3 * own);
    number(p.name, low, high, std::max(low, from * own), std::min(high, to * own));
  }
  /// Static friction is at most four times the kinetic one: beyond, the term would be bent to explain something else.
  void rise(const std::string& name) { number(name, 1e-6, 3, 0.05, 1.5); }

 private:
  double longest() const { return 2 * s_.travel; }
  double shortest() const { return std::min(0.1 * s_.increment, 1e-4 * s_.travel); }
  void add(const std::string& name, const char* unit, int group, double low, double high, double from, double to) {
    all.push_back({name, unit, group, low, high, from, to, true, false, 0});
  }
  const Scales& s_;
};

/// What a law is fitted in, by the roles of its parameters. Limits, stiffnesses and dampings are one group, 0, which scales as a
/// whole; its viscosity, if it has one, is another. A limit that may not be below another is so many times higher; a length is a
/// share of limit over stiffness, where the law has one.
///   A law of N elements carries F[i] with a stiffness kappa[i] in each, a group of its own: its limit is their sum, the weights
///   are
/// their shares of it, and a damping for each is one time beta, so that an element scales as a whole.
class Plan {
 public:
  /// How a parameter follows from the coordinates.
  enum class Rule { own, coordinate, risen, times_limit, share_of_deflection, sum, stiffnesses, dampings, weights };
  struct Step {
    Rule rule = Rule::own;
    std::size_t at = 0, limit = 0, stiffness = 0;
  };

  std::vector<Step> steps;  // of the parameters, in the order of describe()
  std::vector<Coordinate> coordinates;
  bool viscosity = false;
  std::size_t shared = 0;  // coordinates before those of the elements
  std::size_t beta = 0;    // of elements: the coordinate that is their damping time

  template <class Law>
  Plan(const Law& law, const Scales& scales, int elements) : list_(scales), parameters_(parameters_of(law)), elements_(elements) {
    if constexpr (requires { law.relations(law_parts::Reader{}); })
      law.relations([&](std::string_view name, double, Comparison is, std::string_view other, double) {
        if (is.text() == ">=") above_.emplace_back(name, other);
        if (is.text() == "<" || is.text() == "<=") above_.emplace_back(other, name);
      });
    steps.resize(parameters_.size());
    const bool of_elements = elements > 0;
    for (std::size_t p = 0; p < parameters_.size(); ++p)
      if (!of_elements || is_curve(parameters_[p])) add(p);
    if (of_elements) add_elements();
    coordinates = std::move(list_.all);
  }

  template <class Law, class S>
  void set(Law& law, std::span<const S> q) const {
    const std::size_t n = elements_ > 0 ? (q.size() - shared) / 2 : 0;
    const std::span<const S> forces = q.subspan(q.size() - 2 * n, n), stiffnesses = q.subspan(q.size() - n);
    S sum = S(0.0);
    for (const S& F : forces) sum += F;
    auto next = steps.begin();
    law.describe([&](std::string_view, auto& value, std::string_view, const Range&, std::string_view) {
      const Step& step = *next++;
      const auto limit = [&] { return n > 0 ? sum : q[step.limit]; };
      if constexpr (requires { value.resize(n); }) {
        value.resize(n);
        for (std::size_t i = 0; i < n; ++i)
          value[i] = step.rule == Rule::stiffnesses ? stiffnesses[i]
                     : step.rule == Rule::dampings  ? q[step.at] * stiffnesses[i]
                                                    : forces[i] / sum;
      } else if constexpr (requires { value = q[0]; }) {
        switch (step.rule) {
          case Rule::coordinate:
            value = q[step.at];
            break;
          case Rule::risen:
            value = limit() * (S(1.0) + q[step.at]);
            break;
          case Rule::times_limit:
            value = q[step.at] * limit();
            break;
          case Rule::share_of_deflection:
            value = q[step.at] * limit() / q[step.stiffness];
            break;
          case Rule::sum:
            value = sum;
            break;
          default:
            break;
        }
      }
    });
  }

 private:
  /// What makes the curve of the limit over the speed.
  static bool is_curve(const Parameter& p) {
    return p.range.role == Role::limit || p.range.role == Role::speed || p.range.role == Role::exponent;
  }
  std::size_t find(const std::string& name) const {
    return static_cast<std::size_t>(
        std::find_if(parameters_.begin(), parameters_.end(), [&](const Parameter& p) { return p.name == name; }) -
        parameters_.begin());
  }
  const Parameter* first(Role role) const {
    const auto found =
        std::find_if(parameters_.begin(), parameters_.end(), [&](const Parameter& p) { return p.range.role == role; });
    return found == parameters_.end() ? nullptr : &*found;
  }
  std::size_t coordinate_of(const Parameter* p) const { return steps[static_cast<std::size_t>(p - parameters_.data())].at; }
  void take(std::size_t p, Rule rule) { steps[p].rule = rule, steps[p].at = list_.all.size() - 1; }

  void add(std::size_t p) {
    const Parameter& one = parameters_[p];
    if (one.is_list) return;
    const Parameter *limit = first(Role::limit), *stiffness = first(Role::stiffness);
    steps[p].limit = limit ? coordinate_of(limit) : 0, steps[p].stiffness = stiffness ? coordinate_of(stiffness) : 0;
    switch (one.range.role) {
      case Role::limit: {
        const auto other = std::find_if(above_.begin(), above_.end(), [&](const auto& pair) { return pair.first == one.name; });
        if (other != above_.end() && find(other->second) < p) {
          steps[p].limit = steps[find(other->second)].at;
          list_.rise(one.name + "/" + other->second + " - 1");
          return take(p, Rule::risen);
        }
        if (elements_ > 0) {
          steps[p].rule = Rule::sum;
          return;
        }
        list_.force(one.name, 0);
        break;
      }
      case Role::stiffness:
        list_.stiffness(one.name, 0);
        break;
      case Role::damping:
        if (one.unit == "s") list_.time(one.name);
        else list_.viscosity(one.name, 0);
        break;
      case Role::viscosity:
        viscosity = true;
        list_.viscosity(one.name, 1);
        break;
      case Role::speed:
        list_.velocity(one.name);
        break;
      case Role::time:
        if (one.unit == "s") list_.time(one.name);
        else if (one.unit == "1/s") list_.rate(one.name);
        else {
          list_.rate(one.name + "/" + limit->name);
          return take(p, Rule::times_limit);
        }
        break;
      case Role::length:
        if (stiffness && limit) {
          list_.number(one.name + " " + stiffness->name + "/" + limit->name, 1e-3, 0.98, 0.1, 0.9);
          return take(p, Rule::share_of_deflection);
        }
        list_.length(one.name);
        break;
      case Role::exponent:
        list_.exponent(one);
        break;
      default:  // what may be zero or has a unit that nothing scales stays the law's own
        if (one.unit != "1" || !(one.values[0] > 0)) return;
        list_.shape(one, 0.3, 3);
    }
    take(p, Rule::coordinate);
  }

  void add_elements() {
    for (std::size_t p = 0; p < parameters_.size(); ++p)
      if (parameters_[p].is_list && parameters_[p].range.role == Role::damping) {
        list_.time("beta");
        beta = list_.all.size() - 1;
        take(p, Rule::dampings);
      }
    for (std::size_t p = 0; p < parameters_.size(); ++p) {
      if (!is_curve(parameters_[p])) add(p);
      if (parameters_[p].is_list && parameters_[p].range.role == Role::stiffness) steps[p].rule = Rule::stiffnesses;
      if (parameters_[p].is_list && parameters_[p].range.role == Role::weight) steps[p].rule = Rule::weights;
    }
    shared = list_.all.size();
    const auto numbered = [](const std::string& name, int i) { return name + "[" + std::to_string(i + 1) + "]"; };
    for (int i = 0; i < elements_; ++i) list_.force(numbered("F", i), i, 1.0 / elements_);
    for (int i = 0; i < elements_; ++i) list_.stiffness(numbered(first(Role::stiffness)->name, i), i);
  }

  List list_;
  std::vector<Parameter> parameters_;
  int elements_;
  std::vector<std::pair<std::string, std::string>> above_;  // a limit, and the one that it may not be below
};

// --- the law driven by the measured motion ---------------------------------------------------------------------------------------

/// Made of elements that do not know of each other: each can be had alone, with the limit that all share as its load.
template <class Law>
concept OfElements = requires(const Law& law, typename Law::State z, typename Law::Input in, double x) {
  law.shared_limit(z, z, in, x);
  law.alone(x, x, x);
};
/// What can be fitted: friction in continuous time. Elements that act on each other have no scales of their own.
template <class Law>
concept Fitted = Law::about.kind == Kind::friction && !Law::about.discrete && HasOver<Law, Dual<1>> &&
                 (OfElements<Law> || !std::constructible_from<Law, int> || std::is_aggregate_v<Law>);

template <Fitted Law>
class LawModel final : public Model {
 public:
  static constexpr bool of_elements = OfElements<Law>;

  LawModel() : one_(plan({}, of_elements ? 1 : 0)) {
    if (of_elements) return;
    for (std::size_t i = 0; i < one_.coordinates.size(); ++i)
      if (one_.coordinates[i].group >= 0) carriers_.push_back(i);
  }
  const About& about() const noexcept override { return Law::about; }
  bool has_elements() const noexcept override { return of_elements; }
  bool has_own_viscosity() const noexcept override { return one_.viscosity; }
  int states(int elements) const override { return state_size(law_of(elements)); }
  std::vector<Coordinate> coordinates(const Scales& scales, int elements) const override {
    return plan(scales, elements).coordinates;
  }

  void force(const Samples& samples, std::size_t count, std::span<const double> q, std::span<double> f) const override {
    drive<double>(samples, count, q, [&](std::size_t k, double value) { f[k] = value; });
  }

  void slopes(const Samples& samples, std::size_t count, std::span<const double> q, std::span<const Direction> directions,
              std::span<double> f, std::span<double> slopes) const override {
    std::vector<std::size_t> left;  // directions that need the whole law
    if constexpr (of_elements) left = slopes_of_elements(samples, count, q, directions, slopes);
    else
      for (std::size_t d = 0; d < directions.size(); ++d) left.push_back(d);
    // All that carries a force, scaled together: by Euler's theorem the slope is the force.
    if (directions.size() == 1 && !left.empty() && directions[0] == carriers_) {
      force(samples, count, q, f);
      std::copy_n(f.begin(), count, slopes.begin());
      return;
    }
    // As narrow as will do: the scales of one or two groups are asked for most often.
    if (left.size() <= 2) passes<2>(samples, count, q, directions, left, f, slopes);
    else if (left.size() <= 4) passes<4>(samples, count, q, directions, left, f, slopes);
    else passes<8>(samples, count, q, directions, left, f, slopes);
    if (left.empty()) force(samples, count, q, f);
  }

  std::vector<Parameter> parameters(std::span<const double> q) const override { return parameters_of(make<double>(q)); }

  std::vector<double> parameter_slopes(std::span<const double> q) const override {
    std::vector<double> rows;
    for (std::size_t i = 0; i < q.size(); ++i) {
      std::vector<Dual<1>> seeded(q.begin(), q.end());
      seeded[i].v[0] = q[i];
      auto law = make<Dual<1>>(seeded);
      std::size_t p = 0;
      each_parameter(law, [&](const Dual<1>& value) {
        if (i == 0) rows.resize((p + 1) * q.size());
        rows[p++ * q.size() + i] = value.v[0];
      });
    }
    return rows;
  }

  StepInC step_in_c(const std::vector<Parameter>& parameters, bool has_load) const override {
    StepInC code;
    Recording recording;
    int elements = 1;
    for (const Parameter& p : parameters)
      if (p.is_list) elements = static_cast<int>(p.values.size());
    Law found = law_of(elements);
    for (const Parameter& p : parameters) set_parameter(found, p.name, p.values);
    auto law = over<Recorded>(found);
    using RecordedLaw = decltype(law);
    law.describe([&](std::string_view name, auto& value, std::string_view unit, const Range&, std::string_view meaning) {
      constexpr bool is_list = !requires { value = Recorded(1.0); };
      int i = 0;
      each_number(
          [&](Recorded& number) {
            const std::string full = std::string(name) + (is_list ? "_" + std::to_string(++i) : "");
            number = {recording, recording.parameter(full, number.value, std::string(unit) + ", " + std::string(meaning))};
          },
          value);
    });
    auto z = law.start();
    std::vector<std::pair<int, std::string>> results;
    const auto take = [&](const Recorded& number) {
      const int node = number.in ? number.node : recording.constant(number.value);
      results.emplace_back(node, "s->z[" + std::to_string(results.size()) + "] = {};");
    };
    each_state<RecordedLaw>([&](const Recorded& number) { take(number); }, z);
    code.start = recording.in_c(results);
    RecordedLaw::states(
        [&](std::string_view name, std::string_view unit, std::string_view meaning, auto& numbers) {
          each_number(
              [&](Recorded& number) {
                const std::string at = std::to_string(code.states.size());
                code.states.push_back(std::string(name) + ": " + std::string(meaning) + ", " + std::string(unit));
                number = {recording, recording.input("z" + at, "s->z[" + at + "]")};
              },
              numbers);
        },
        z);
    const Recorded v{recording, recording.input("v_ref")}, h{recording, recording.input("h", "s->h")};
    const Recorded load = has_load ? Recorded{recording, recording.input("load")} : Recorded(1.0);
    const Recorded f = step(law, z, typename RecordedLaw::Input{v, load}, h);
    results.clear();
    each_state<RecordedLaw>([&](const Recorded& number) { take(number); }, z);
    results.emplace_back(f.in ? f.node : recording.constant(f.value), "const double friction = {};");
    code.step = recording.in_c(results);
    return code;
  }

 private:
  static Law law_of([[maybe_unused]] int elements) {
    if constexpr (of_elements) return Law(elements);
    else return Law{};
  }
  static Plan plan(const Scales& scales, int elements) { return Plan(law_of(elements), scales, of_elements ? elements : 0); }

  /// The element to which all coordinates of a direction belong.
  std::optional<std::size_t> only_element(const Direction& direction, std::size_t size) const {
    const std::size_t n = (size - one_.shared) / 2;
    std::optional<std::size_t> only;
    for (const std::size_t i : direction) {
      if (i < one_.shared) return std::nullopt;
      const std::size_t element = (i - one_.shared) % n;
      if (only && *only != element) return std::nullopt;
      only = element;
    }
    return only;
  }

  /// The law with one element of unit force and stiffness.
  template <class S>
  auto unit_law(std::span<const double> q) const {
    std::vector<S> one(q.begin(), q.begin() + std::ptrdiff_t(one_.shared));
    one.insert(one.end(), {S(1.0), S(1.0)});
    return make<S>(one);
  }
  /// The limit that all elements share, over the kinetic one.
  std::vector<Limits> limits(const Samples& samples, std::size_t count, std::span<const double> q) const {
    const auto law = unit_law<double>(q);
    auto z = law.start();
    std::vector<Limits> found(count);
    for (std::size_t k = 0; k < count; ++k) {
      const Drive drive(samples, k);
      auto trial = z;
      const auto rate = first_stage(law, trial, drive).rate;
      found[k].first = law.shared_limit(z, rate, input<Law>(drive.first), Drive::part * drive.h);
      follow(law, z, drive);
      found[k].last = law.shared_limit(z, rate, input<Law>(drive.last), 0.0);
    }
    return found;
  }

  /// Elements side by side do not know of each other: a direction within one of them needs no other. By Euler's theorem the slopes
  /// by F[i] and by kappa[i] add up to the force of element i, so that one pass is enough for all its directions. Returns those
  /// that are left.
  std::vector<std::size_t> slopes_of_elements(const Samples& samples, std::size_t count, std::span<const double> q,
                                              std::span<const Direction> directions, std::span<double> slopes) const {
    std::vector<std::size_t> left;
    std::vector<std::vector<std::size_t>> wanted((q.size() - one_.shared) / 2);
    for (std::size_t d = 0; d < directions.size(); ++d) {
      const auto i = only_element(directions[d], q.size());
      (i ? wanted[*i] : left).push_back(d);
    }
    std::vector<Limits> shared;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i].empty()) continue;
      if (shared.empty()) shared = limits(samples, count, q);
      const std::size_t F = one_.shared + i, kappa = F + wanted.size();
      const auto take = [&](std::size_t k, double whole, double by_F) {
        for (const std::size_t d : wanted[i])
          slopes[d * count + k] = directions[d].size() == 2 ? whole : directions[d].front() == F ? by_F : whole - by_F;
      };
      const bool only_whole =
          std::all_of(wanted[i].begin(), wanted[i].end(), [&](std::size_t d) { return directions[d].size() == 2; });
      const double beta = q[one_.beta];
      if (only_whole)
        drive_element(unit_law<double>(q).alone(q[F], q[kappa], beta), samples, shared,
                      [&](std::size_t k, double f) { take(k, f, 0); });
      else
        drive_element(unit_law<Dual<1>>(q).alone(seeded(q[F]), Dual<1>(q[kappa]), Dual<1>(beta)), samples, shared,
                      [&](std::size_t k, const Dual<1>& f) { take(k, f.a, f.v[0]); });
    }
    return left;
  }
  static Dual<1> seeded(double value) {
    Dual<1> x(value);
    x.v[0] = value;
    return x;
  }
  template <class Element, class Take>
  [[gnu::flatten]] static void drive_element(const Element& law, const Samples& samples, const std::vector<Limits>& limits,
                                             Take&& take) {
    auto z = law.start();
    for (std::size_t k = 0; k < limits.size(); ++k) {
      Drive drive(samples, k);
      drive.first.load *= limits[k].first, drive.last.load *= limits[k].last;
      take(k, follow(law, z, drive));
    }
  }

  /// Through the data with as many directions at once as there are lanes, until all those in `left` are done.
  template <std::size_t lanes>
  void passes(const Samples& samples, std::size_t count, std::span<const double> q, std::span<const Direction> directions,
              const std::vector<std::size_t>& left, std::span<double> f, std::span<double> slopes) const {
    using Number = Dual<static_cast<int>(lanes)>;
    for (std::size_t first = 0; first < left.size(); first += lanes) {
      const std::size_t n = std::min(lanes, left.size() - first);
      std::vector<Number> seeded(q.begin(), q.end());
      for (std::size_t d = 0; d < n; ++d)
        for (const std::size_t i : directions[left[first + d]]) seeded[i].v[d] = q[i];  // dq = q dlog q
      drive<Number>(samples, count, seeded, [&](std::size_t k, const Number& value) {
        f[k] = value.a;
        for (std::size_t d = 0; d < n; ++d) slopes[left[first + d] * count + k] = value.v[d];
      });
    }
  }

  template <class S>
  auto make(std::span<const S> q) const {
    Over<Law, S> law{};
    one_.set(law, q);
    return law;
  }
  template <class S>
  auto make(const std::vector<S>& q) const {
    return make<S>(std::span<const S>(q));
  }

  /// Flat: duals passed on through memory would cost more than the law.
  template <class S, class Range, class Take>
  [[gnu::flatten]] void drive(const Samples& samples, std::size_t count, const Range& q, Take&& take) const {
    const auto law = make<S>(std::span<const S>(q.data(), q.size()));
    auto z = law.start();
    for (std::size_t k = 0; k < count; ++k) take(k, follow(law, z, Drive(samples, k)));
  }

  Plan one_;            // of a law of elements: of one of them; how parameters are set is the same for all
  Direction carriers_;  // of a law that is not made of elements: the coordinates in groups
};

std::unique_ptr<Model> make(std::string_view name) {
  std::unique_ptr<Model> model;
  RowLaws<double, 1, dynamic>::each([&]<class Law>() {
    if constexpr (Fitted<Law>)
      if (Law::about.name == name) model = std::make_unique<LawModel<Law>>();
  });
  return model;
}
void add_names(std::vector<std::string>& names) {
  RowLaws<double, 1, dynamic>::each([&]<class Law>() {
    if constexpr (Fitted<Law>) names.emplace_back(Law::about.name);
  });
}

}  // namespace
}  // namespace asperity::identify

namespace asperity::rows::identify {

#define ASPERITY_ROW ASPERITY_JOIN(row_, , ASPERITY_ROW_NAME)
extern const Row ASPERITY_ROW;
const Row ASPERITY_ROW{asperity::identify::make, asperity::identify::add_names};

}  // namespace asperity::rows::identify
