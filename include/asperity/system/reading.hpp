// What can be read of an element by name, and what it is doing: open or touching, held or slipping.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "asperity/law.hpp"

namespace asperity {

/// A number that can be read by name. Within a body or an element: "position.x", "force"; of a whole world: "block.position.x".
struct Quantity {
  std::string name, unit;
};

/// What an element is doing. A law that creeps, or approaches its limit for ever, has no instant at which it starts to slip; it is
/// only open or touching, or, without a contact, none of these.
enum class Mode : std::uint8_t { none, open, touching, held, slipping };

/// An element at an instant, as a run watches it.
struct Watch {
  Mode mode = Mode::none;
  double power = 0;      // that flows in, W
  double by_course = 0;  // the part of it that bodies on a given course bring
  double gap_rate = 0;   // of a contact, m/s
  double heat = 0;       // the part of the power that its law dissipates, W
  double stored = 0;     // J, told by elements that stand for one point after the other; with it goes what they stored
};

/// Calls f(name, value) for every number of a quantity: "a", "a.x", "a[1]", "a[1].x".
template <class F, class T>
void each_component(const std::string& name, const T& value, F&& f) {
  if constexpr (requires { value.x.size(); }) {
    for (std::size_t i = 0; i < value.x.size(); ++i) f(name + "." + "xyz"[i], value.x[i]);
  } else if constexpr (requires { value.size(); }) {
    for (std::size_t i = 0; i < value.size(); ++i) each_component(name + "[" + std::to_string(i + 1) + "]", value[i], f);
  } else {
    f(name, value);
  }
}

/// Whether a friction law holds without creeping and lets go at once: when its force reaches its bound, or, of a law of many
/// asperities, when the last of them does.
template <class Law>
constexpr bool lets_go_at_its_bound() {
  if constexpr (Law::about.kind == Kind::composite) {
    return lets_go_at_its_bound<decltype(Law::tangential)>();
  } else if constexpr (Law::about.kind == Kind::friction && requires(typename Law::State z) { z.a; }) {
    return Law::about.quirks == Quirk::none && Law::about.implicit && !Law::about.discrete &&
           (std::is_same_v<decltype(Law::State::a), typename Law::Force> ||
            requires(Law law, typename Law::State z, typename Law::Input in) { law.left(z, z, in, in.load); });
  } else {
    return false;
  }
}

/// At its limit, with a root of every asperity that moves.
template <class Law>
bool slips(const Law& law, const typename Law::State& z, const typename Law::Input& in, const typename Law::Force& f,
           const typename Law::State& rate, double tau) noexcept {
  const double bound = law.bound(z, in, tau);
  if (!(bound > 0)) return false;
  if constexpr (requires { law.left(z, rate, in, tau); }) {
    bool all_move = true;
    for (const auto& adot : rate.a) all_move = all_move && magnitude(in.v - adot) > 0;
    return all_move && law.left(z, rate, in, tau) <= 1e-9 * bound;
  } else {
    return magnitude(f) >= bound * (1 - 1e-9) && magnitude(in.v - rate.a) > 0;
  }
}

template <class Law, class Force>
Mode mode_of(const Law& law, const typename Law::State& z, const typename Law::Input& in, const Force& f,
             const typename Law::State& rate, double tau) noexcept {
  constexpr bool sticks = lets_go_at_its_bound<Law>();
  if constexpr (Law::about.kind == Kind::contact) {
    return f != 0 ? Mode::touching : Mode::open;
  } else if constexpr (Law::about.kind == Kind::composite) {
    if (!(f.normal != 0)) return Mode::open;
    if constexpr (sticks)
      return slips(law.tangential, z.tangential, {in.v, f.normal > 0 ? f.normal : 0}, f.tangential, rate.tangential, tau)
                 ? Mode::slipping
                 : Mode::held;
    else return Mode::touching;
  } else if constexpr (sticks) {
    return slips(law, z, in, f, rate, tau) ? Mode::slipping : Mode::held;
  } else {
    return Mode::none;
  }
}

/// Calls f(name, unit, value) for what an element shows of its law. One list for names and values.
template <class Law, class Force, class F>
void each_quantity(const typename Law::State& z, const typename Law::Input& in, const Force& force, Mode mode, F&& f) {
  constexpr Kind kind = Law::about.kind;
  constexpr bool has_gap = kind == Kind::contact || kind == Kind::composite;
  if constexpr (has_gap) f("gap", "m", in.gap);
  if constexpr (kind == Kind::contact) f("normal_force", "N", force);
  if constexpr (kind == Kind::composite) {
    f("normal_force", "N", force.normal);
    f("tangential_force", "N", force.tangential);
  }
  if constexpr (kind == Kind::spring) f("stretch", "m", in.x);
  if constexpr (kind == Kind::friction || kind == Kind::spring) f("force", "N", force);
  // A friction law may name its state as the contact law does; contacts come first.
  std::vector<std::string_view> taken;
  Law::states(
      [&](std::string_view name, std::string_view unit, std::string_view, const auto& value) {
        bool again = false;
        for (const std::string_view other : taken) again = again || other == name;
        taken.push_back(name);
        f(again ? "tangential." + std::string(name) : std::string(name), std::string(unit), value);
      },
      z);
  if constexpr (has_gap) f("touching", "1", mode == Mode::open ? 0.0 : 1.0);
  if constexpr (lets_go_at_its_bound<Law>()) f("slipping", "1", mode == Mode::slipping ? 1.0 : 0.0);
}

}  // namespace asperity
