// The laws of a pool of elements, in columns: what the connections see of the bodies in, forces out. Compiled once for each law,
// whatever the connections.
#pragma once

#include <algorithm>
#include <limits>

#include "asperity/arithmetic.hpp"
#include "asperity/inner_loop.hpp"
#include "asperity/spring.hpp"
#include "asperity/statics.hpp"
#include "asperity/system/columns.hpp"
#include "asperity/system/reading.hpp"

namespace asperity {

/// One law of a pool at an instant: its place in the flat state, and what it sees.
struct LawAt {
  std::size_t i;
  const double* x;
  Columns state;
  const double* seen;
};

/// A law as a run watches it: what it does, and its stored energy a short time before and after.
struct LawWatch {
  Mode mode;
  double gap_rate;
  double time;  // half the time between the two
  double energy_before, energy_after;
};

class LawPool {
 public:
  virtual ~LawPool() = default;
  virtual std::size_t count() const noexcept = 0;
  virtual const About& about() const noexcept = 0;
  /// Its name, and that of a frictional contact: "contact law+friction law"; and its dimension.
  virtual std::string kind() const = 0;
  virtual int dimension() const noexcept = 0;
  /// SIMD lanes give its numbers bit for bit.
  virtual bool arithmetic() const noexcept = 0;

  virtual std::size_t state_numbers() const noexcept = 0;
  virtual void write_start(double* x, const Columns& state) const noexcept = 0;
  /// The columns of the state in which vectors begin: deflections, which turn with what they are in.
  virtual std::vector<std::size_t> vectors() const = 0;
  /// Puts the forces that the connections bring to the bodies, sets the rates of the states.
  virtual void react(const Slice& items, const double* x, const Columns& state, const double* seen, double tau, double* push,
                     double* xdot) const noexcept = 0;
  virtual void react(const Slice& items, const Dual8* x, const Columns& state, const Dual8* seen, double tau, Dual8* push,
                     Dual8* xdot) const = 0;
  virtual bool has_derivatives() const noexcept = 0;
  virtual bool switches() const noexcept = 0;
  virtual void transit(const LawAt& at, double* x) const noexcept = 0;

  virtual double energy(const LawAt& at) const noexcept = 0;
  /// What some of them do, and their forces, for the connections.
  virtual void watch(const Slice& items, const double* x, const Columns& state, const double* seen, double tau, double* push,
                     LawWatch* all) const noexcept = 0;
  virtual std::vector<Quantity> quantities(std::size_t i) const = 0;
  virtual void read(const LawAt& at, double tau, std::vector<double>& values) const = 0;

  virtual std::size_t force_numbers() const noexcept = 0;
  /// From the numbers of a force to those that the connection takes; the velocities conjugate to them.
  virtual void to_push(const double* f, double* push) const noexcept = 0;
  virtual void relative(const double* seen, double* v) const noexcept = 0;
  virtual std::vector<Stiffness> stiffness(std::size_t i, const double* seen) const = 0;
  virtual double gap(const double* seen) const noexcept = 0;
  virtual double indentation(std::size_t i, double N) const = 0;
  virtual double carried(std::size_t i, double depth) const noexcept = 0;
  virtual double strike_depth(std::size_t i, double energy, double load) const = 0;
  virtual Stiffness struck_stiffness(std::size_t i, double depth) const = 0;
  virtual double friction_force(const LawAt& at) const noexcept = 0;
  virtual void rest(const LawAt& at, const double* f, double* x) const = 0;

  /// Calls f on every number of law i, in the order of describe(); and its load.
  virtual void each_parameter_of(std::size_t i, const std::function<void(double)>& f) const = 0;
  virtual double load(std::size_t i) const noexcept = 0;
  virtual std::unique_ptr<LawPool> pick(std::span<const std::uint32_t> items) const = 0;
};

/// What a law sees of the columns of a connection: numbers `stride` apart.
template <class Law, class S>
constexpr typename Law::Input input_of(const S* seen, std::size_t stride, std::size_t numbers, const S& load) noexcept {
  if constexpr (Law::about.kind == Kind::contact || Law::about.kind == Kind::spring) {
    return {seen[0], seen[stride]};
  } else {  // the velocities come last
    decltype(Law::Input::v) v{};
    std::size_t c = numbers - std::size_t(Law::dimension);
    each_number([&](S& number) { number = seen[c++ * stride]; }, v);
    if constexpr (Law::about.kind == Kind::composite) return {seen[0], seen[stride], v};
    else return {v, load};
  }
}

template <class LawT>
class LawsOf final : public LawPool {
 public:
  using Law = LawT;
  using State = typename Law::State;
  using Input = typename Law::Input;
  using Force = typename Law::Force;

  std::vector<Law> items;
  std::vector<double> loads;  // of friction laws; a frictional contact finds its own
  std::size_t seen_numbers = 0;

  std::size_t count() const noexcept override { return items.size(); }
  const About& about() const noexcept override { return Law::about; }
  std::string kind() const override {
    if constexpr (is_composite)
      return std::string(decltype(Law::normal)::about.name) + "+" + std::string(decltype(Law::tangential)::about.name);
    else return std::string(Law::about.name);
  }
  int dimension() const noexcept override { return Law::dimension; }
  bool arithmetic() const noexcept override { return arithmetic_only<Law>; }

  std::size_t state_numbers() const noexcept override { return items.empty() ? 0 : std::size_t(state_size(items[0])); }
  void write_start(double* x, const Columns& state) const noexcept override {
    for (std::size_t i = 0; i < items.size(); ++i) set_state(x, state, i, items[i].start());
  }
  std::vector<std::size_t> vectors() const override {
    std::vector<std::size_t> first;
    std::size_t column = 0;
    const auto walk = [&](const auto& self, const auto& member) -> void {
      if constexpr (requires { member.x.size(); }) first.push_back(column), column += member.x.size();
      else if constexpr (requires { member.size(); })
        for (const auto& one : member) self(self, one);
      else ++column;
    };
    if (items.empty()) return first;
    const State z = items[0].start();
    Law::states([&](std::string_view, std::string_view, std::string_view, const auto& member) { walk(walk, member); }, z);
    return first;
  }
  ASPERITY_INNER_LOOP void react(const Slice& some, const double* x, const Columns& state, const double* seen, double tau,
                                 double* push, double* xdot) const noexcept override {
    react_over<Law>(some, x, state, seen, tau, push, xdot);
  }
  ASPERITY_INNER_LOOP void react(const Slice& some, const Dual8* x, const Columns& state, const Dual8* seen, double tau,
                                 Dual8* push, Dual8* xdot) const override {
    if constexpr (HasOver<Law, Dual8>) react_over<Over<Law, Dual8>>(some, x, state, seen, tau, push, xdot);
  }
  bool has_derivatives() const noexcept override { return HasOver<Law, Dual8>; }
  bool switches() const noexcept override { return Hybrid<Law>; }
  void transit([[maybe_unused]] const LawAt& at, [[maybe_unused]] double* x) const noexcept override {
    if constexpr (Hybrid<Law>) {
      State z = state_of(at);
      items[at.i].transit(z, input(at));
      set_state(x, at.state, at.i, z);
    }
  }

  ASPERITY_INNER_LOOP double energy(const LawAt& at) const noexcept override { return items[at.i].energy(state_of(at), input(at)); }
  ASPERITY_INNER_LOOP void watch(const Slice& some, const double* x, const Columns& state, const double* seen, double tau,
                                 double* push, LawWatch* all) const noexcept override {
    for (std::size_t i = some.begin; i < some.end; ++i)
      *all++ = watch_item(items[i], state_of(x, state, i), input_of<Law>(seen + some.at(0, i), some.stride, seen_numbers, loads[i]),
                          tau, push + some.at(0, i), some.stride);
  }
  std::vector<Quantity> quantities(std::size_t i) const override {
    std::vector<Quantity> list;
    const auto collect = [&](const std::string& name, const std::string& unit, const auto& value) {
      each_component(name, value, [&](const std::string& full, double) { list.push_back({full, unit}); });
    };
    each_quantity<Law>(items[i].start(), Input{}, Force{}, Mode::none, collect);
    return list;
  }
  void read(const LawAt& at, double tau, std::vector<double>& values) const override {
    const State z = state_of(at);
    const Input in = input(at);
    const auto r = items[at.i].react(z, in, tau);
    const auto collect = [&](const auto&, const auto&, const auto& value) {
      each_number([&](double number) { values.push_back(number); }, value);
    };
    each_quantity<Law>(z, in, r.f, mode_of(items[at.i], z, in, r.f, r.rate, tau), collect);
  }

  std::size_t force_numbers() const noexcept override { return force_count; }
  void to_push(const double* f, double* push) const noexcept override { put(force_of(f), push, 1); }
  void relative(const double* seen, double* v) const noexcept override {
    const Input in = input_of<Law>(seen, 1, seen_numbers, 1.0);
    const auto one = [&](const double& number) { *v++ = number; };
    if constexpr (is_contact) one(-in.rate);
    if constexpr (!is_only_contact) each_number(one, in.v);
  }
  std::vector<Stiffness> stiffness(std::size_t i, const double* seen) const override {
    const Law& law = items[i];
    std::vector<Stiffness> parts;
    [[maybe_unused]] const Input in = input_of<Law>(seen, 1, seen_numbers, loads[i]);
    if constexpr (is_composite) {
      if constexpr (Static<decltype(law.normal)>) {
        parts.push_back(statics::stiffness(law.normal, -in.gap));
        parts.back().unilateral = true;
        parts.back().part = "normal";
      }
      if constexpr (Static<decltype(law.tangential)>) {
        parts.push_back(statics::at_speed(law.tangential, 1.0, magnitude(in.v)));
        parts.back().part = "tangential";
        parts.back().first = 1;
        parts.back().count = Law::dimension;
        parts.back().under_normal = true;
      }
    } else if constexpr (Static<Law>) {
      if constexpr (is_contact) parts.push_back(statics::stiffness(law, -in.gap));
      else if constexpr (Law::about.kind == Kind::spring) parts.push_back(statics::stiffness(law, in.x));
      else parts.push_back(statics::at_speed(law, loads[i], magnitude(in.v)));
      parts.back().unilateral = is_contact;
      parts.back().count = Law::dimension;
    }
    return parts;
  }
  double gap(const double* seen) const noexcept override { return is_contact ? seen[0] : std::numeric_limits<double>::infinity(); }
  double indentation([[maybe_unused]] std::size_t i, [[maybe_unused]] double N) const override {
    if constexpr (is_contact) return statics::indentation(normal(i), N);
    else return 0;
  }
  double carried([[maybe_unused]] std::size_t i, [[maybe_unused]] double depth) const noexcept override {
    if constexpr (is_contact) return statics::resting_force(normal(i), depth);
    else return 0;
  }
  double strike_depth([[maybe_unused]] std::size_t i, [[maybe_unused]] double energy_in,
                      [[maybe_unused]] double load_on) const override {
    if constexpr (is_contact) return statics::strike_depth(normal(i), energy_in, load_on);
    else return 0;
  }
  Stiffness struck_stiffness([[maybe_unused]] std::size_t i, [[maybe_unused]] double depth) const override {
    if constexpr (is_contact)
      if constexpr (Static<std::remove_cvref_t<decltype(normal(i))>>) return statics::stiffness(normal(i), depth);
    return {};
  }
  double friction_force(const LawAt& at) const noexcept override {
    const auto f = items[at.i].react(state_of(at), input(at), 0.0).f;
    if constexpr (is_composite) return magnitude(f.tangential);
    else if constexpr (Law::about.kind == Kind::friction) return magnitude(f);
    else return 0;
  }
  /// The state in which the law, at rest, has the force f.
  void rest(const LawAt& at, const double* f, double* x) const override {
    const Law& law = items[at.i];
    const State z = [&]() -> State {
      if constexpr (is_composite)
        return {statics::indented(law.normal, std::max(0.0, -at.seen[0])),
                statics::holding(law.tangential, force_of(f).tangential, carried(at.i, -at.seen[0]))};
      else if constexpr (is_contact) return statics::indented(law, std::max(0.0, -at.seen[0]));
      else if constexpr (Law::about.kind == Kind::friction) return statics::holding(law, force_of(f), loads[at.i]);
      else return law.start();
    }();
    set_state(x, at.state, at.i, z);
  }

  void each_parameter_of(std::size_t i, const std::function<void(double)>& f) const override {
    Law copy = items[i];
    each_parameter(copy, [&](double number) { f(number); });
  }
  double load(std::size_t i) const noexcept override { return loads[i]; }
  std::unique_ptr<LawPool> pick(std::span<const std::uint32_t> some) const override {
    auto picked = std::make_unique<LawsOf>();
    for (const std::uint32_t i : some) picked->items.push_back(items[i]), picked->loads.push_back(loads[i]);
    picked->seen_numbers = seen_numbers;
    return picked;
  }

 private:
  static constexpr bool is_composite = Law::about.kind == Kind::composite;
  static constexpr bool is_only_contact = Law::about.kind == Kind::contact;
  static constexpr bool is_contact = is_composite || is_only_contact;
  static constexpr std::size_t force_count = [] {
    std::size_t n = 0;
    Force f{};
    each_push([&](auto&) { ++n; }, f);
    return n;
  }();

  const auto& normal(std::size_t i) const noexcept {
    if constexpr (is_composite) return items[i].normal;
    else return items[i];
  }
  static LawWatch watch_item(const Law& law, const State& z, const Input& in, double tau, double* push,
                             std::size_t stride) noexcept {
    const auto r = law.react(z, in, tau);
    put(r.f, push, stride);
    LawWatch seen{mode_of(law, z, in, r.f, r.rate, tau), 0, 0, 0, 0};
    if constexpr (requires { in.gap; }) seen.gap_rate = in.rate;
    // The rate of the stored energy where a look-ahead takes the law, at z + tau zdot: by a central difference, which is exact for
    // the quadratic energies that most laws have. A contact is followed for a thousandth of its depth only: its energy has a kink.
    seen.time = tau > 0 ? std::min(1e-6, 1e-3 * tau) : 1e-6;
    if constexpr (requires { in.gap; })
      if (in.gap != 0 && std::abs(in.gap) < seen.time * 1e3 * std::abs(in.rate)) seen.time = 1e-3 * std::abs(in.gap / in.rate);
    const auto energy_at = [&](double ahead) {
      State there = z;
      each_state<Law>([&](double& number, const double& slope) { number += (tau + ahead) * slope; }, there, r.rate);
      Input moving = in;
      if constexpr (requires { in.gap; }) moving.gap += ahead * in.rate;
      else if constexpr (requires { in.x; }) moving.x += ahead * in.v;
      return law.energy(there, moving);
    };
    seen.energy_before = energy_at(-seen.time);
    seen.energy_after = energy_at(seen.time);
    return seen;
  }
  Input input(const LawAt& at) const noexcept { return input_of<Law>(at.seen, 1, seen_numbers, loads[at.i]); }
  State state_of(const LawAt& at) const noexcept { return state_of(at.x, at.state, at.i); }
  State state_of(const double* x, const Columns& state, std::size_t i) const noexcept {
    State z = items[i].start();
    std::size_t c = 0;
    each_state<Law>([&](double& number) { number = x[state.at(c++, i)]; }, z);
    return z;
  }
  static void set_state(double* x, const Columns& state, std::size_t i, const State& z) noexcept {
    std::size_t c = 0;
    each_state<Law>([&](const double& number) { x[state.at(c++, i)] = number; }, z);
  }
  static Force force_of(const double* numbers) noexcept {
    Force f{};
    each_push([&](double& number) { number = *numbers++; }, f);
    return f;
  }
  /// A contact law's force pushes apart: it is conjugate to minus the gap's rate.
  template <class F, class S>
  static void put(const F& f, S* push, std::size_t stride) noexcept {
    std::size_t c = 0;
    each_push([&](const S& number) { push[c++ * stride] = is_only_contact ? -number : number; }, f);
  }
  template <class LawS, class S>
  void react_over(const Slice& some, const S* x, const Columns& state, const S* seen, double tau, S* push, S* xdot) const {
    for (std::size_t i = some.begin; i < some.end; ++i) {
      const auto react_item = [&](const LawS& law) {
        auto z = law.start();
        std::size_t c = 0;
        each_state<LawS>([&](S& number) { number = x[state.at(c++, i)]; }, z);
        const auto r = law.react(z, input_of<LawS>(seen + some.at(0, i), some.stride, seen_numbers, S(loads[i])), S(tau));
        c = 0;
        each_state<LawS>([&](const S& number) { xdot[state.at(c++, i)] = number; }, r.rate);
        put(r.f, push + some.at(0, i), some.stride);
      };
      if constexpr (std::is_same_v<LawS, Law>) react_item(items[i]);
      else react_item(over<S>(items[i]));
    }
  }
};

}  // namespace asperity
