// What every law shares: its input, its answer, what it says about itself.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>
#include <vector>

#include "asperity/scalar/vec.hpp"

namespace asperity {

/// Motion into a friction law: slip velocity, and the load that scales the friction limit.
template <class S, int D = 1>
struct Slip {
  Vec<S, D> v{};    // m/s
  S load = S(1.0);  // 1 with limits in N; N with limits given as coefficients
};

/// Motion into a contact law: gap > 0 is open; rate is its time derivative.
template <class S>
struct Gap {
  S gap{};   // m
  S rate{};  // m/s
};

/// What a law answers: the force and the rate of its state. Friction: resisting, same sign as v. Contact: pushes apart.
template <class Force, class State>
struct Reaction {
  Force f;
  State rate;
};

/// The state of a law that has none.
struct NoState {};

/// Number of elements decided at run time (scenes, command line); a positive number fixes it at compile time.
inline constexpr int dynamic = -1;
inline constexpr int default_elements = 10;

template <class T, int N>
using Elements = std::conditional_t<N == dynamic, std::vector<T>, std::array<T, static_cast<std::size_t>(N < 0 ? 0 : N)>>;

/// Elements filled by a rule; i counts from 1, as in the papers.
template <class T, int N, class Rule>
constexpr Elements<T, N> elements(int n, Rule rule) {
  Elements<T, N> list{};
  if constexpr (N == dynamic) list.resize(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < list.size(); ++i) list[i] = rule(static_cast<int>(i) + 1);
  return list;
}

/// What a parameter does in its law. Set-up checks, the rigid limit, design and identification go by it, never by a name.
enum class Role {
  none,       // of what is no law: a mass, a direction, a point
  limit,      // the force at which it slides; several of them scale together
  stiffness,  // of a spring, or of each element
  damping,    // beside the spring: a force per speed, or the time that multiplies the stiffness
  viscosity,  // force per speed that no load scales
  inertia,    // a mass of its own
  time,       // of its memory: a time, or a rate; N/s is a rate of the limit
  speed,      // at which something happens
  length,     // a deflection: it goes with limit over stiffness
  exponent,   // a number that other units may have as a power
  weight,     // shares of the limit, that add up to one
  shape,      // any other number
};

/// The values a parameter may take, and what it does: Role::limit | positive. Checked at construction, never in a law.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;
  Role role = Role::none;

  constexpr bool contains(double x) const noexcept { return (low_open ? x > low : x >= low) && x <= high && x - x == 0; }
};
constexpr Range operator|(Role role, Range range) noexcept {
  range.role = role;
  return range;
}
inline constexpr Range positive{.low = 0, .low_open = true};
inline constexpr Range nonnegative{.low = 0};
constexpr Range between(double low, double high) noexcept { return {.low = low, .high = high}; }
constexpr Range at_least(double low) noexcept { return {.low = low}; }

/// How two numbers of a law are to compare: one of < <= = >=. Anything else does not compile; a > b is written b < a.
class Comparison {
 public:
  template <std::size_t N>
  consteval Comparison(const char (&text)[N]) : text_(text) {  // NOLINT(google-explicit-constructor): a literal is one
    for (const std::string_view known : {"<", "<=", "=", ">="})
      if (text_ == known) return;
    a_relation_is_less_or_at_most_or_equal_or_at_least();
  }
  constexpr std::string_view text() const noexcept { return text_; }

 private:
  static void a_relation_is_less_or_at_most_or_equal_or_at_least() {}  // no constant: reaching it is the error
  std::string_view text_;
};

enum class Kind { friction, contact, composite, spring };

/// What a law does that a good law would not. Declared here, shown in the catalogue, asserted by the law suite.
enum class Quirk : unsigned {
  none = 0,
  creeps = 1,          // slides for ever under a constant load below the limit
  drifts = 2,          // slides a little with each cycle of a load below the limit
  jumps = 4,           // the force is discontinuous in time at its own transitions
  jumps_on_touch = 8,  // the contact force is discontinuous at touch
  sticky = 16,         // the contact force pulls
};
constexpr Quirk operator|(Quirk a, Quirk b) noexcept { return Quirk(unsigned(a) | unsigned(b)); }
constexpr bool has(Quirk all, Quirk one) noexcept { return (unsigned(all) & unsigned(one)) != 0; }

/// The page of a law: read by the catalogue, `asperity describe`, and the documentation.
struct About {
  std::string_view name{};
  Kind kind{};
  std::string_view title{};      // one line
  std::string_view equation{};   // ASCII, lines separated by \n
  std::string_view source{};     // keys of docs/references.bib
  std::string_view deviation{};  // from the source; empty if none
  std::string_view step{};       // what step() does
  std::string_view use{};        // when to use it
  std::string_view avoid{};      // when not
  std::string_view cannot{};     // what it cannot do
  Quirk quirks = Quirk::none;
  std::string_view quirk_note{};  // the declared exceptions in words
  bool implicit = true;           // z + h zdot(tau = h) satisfies the law at its end
  bool discrete = false;          // needs tau > 0: a law for step(), not for an ODE solver
  bool odd = true;                // react(-z, -v) = -react(z, v)
  bool stores = true;             // energy() is its stored energy: f v >= d energy/dt; otherwise passive over closed cycles
};

namespace law_parts {

/// What reads a law: called with each parameter, each relation and each state.
struct Reader {
  constexpr void operator()(std::string_view, auto& /*value*/, std::string_view, const Range&, std::string_view) const {}
  template <class S>
  constexpr void operator()(std::string_view, const S&, Comparison, std::string_view, const S&) const {}
  constexpr void operator()(std::string_view, std::string_view, std::string_view, auto&... /*members*/) const {}
};

template <class L>
concept has_types = requires {
  typename L::Scalar;
  typename L::Input;
  typename L::Force;
  typename L::State;
};
template <class L>
concept says_what_it_is = std::same_as<std::remove_cv_t<decltype(L::about)>, About> && L::dimension >= 1;
template <class L>
concept starts = requires(const L& law) {
  { law.start() }
  noexcept->std::same_as<typename L::State>;
};
template <class L>
concept reacts = requires(const L& law, const typename L::State& z, const typename L::Input& in, const typename L::Scalar& tau) {
  { law.react(z, in, tau) }
  noexcept->std::same_as<Reaction<typename L::Force, typename L::State>>;
};
template <class L>
concept stores_and_is_bounded = requires(const L& law, const typename L::State& z, const typename L::Input& in,
                                         const typename L::Scalar& tau) {
  { law.energy(z, in) }
  noexcept->std::same_as<typename L::Scalar>;
  law.bound(z, in, tau);
};
template <class L>
concept describes_its_parameters = requires(L& law) {
  law.describe(Reader{});
};
template <class L>
concept names_its_states = requires(typename L::State& z) {
  L::states(Reader{}, z);
};

}  // namespace law_parts

/// Everything a law has to say. What it may say besides: relations(relation) between its parameters; transit(z, input), the
/// switches of a hybrid law; and closed forms of what otherwise is found through react(), see statics.hpp.
template <class L>
concept Law = law_parts::has_types<L> && law_parts::says_what_it_is<L> && law_parts::starts<L> && law_parts::reacts<L> &&
    law_parts::stores_and_is_bounded<L> && law_parts::describes_its_parameters<L> && law_parts::names_its_states<L>;

template <class Law>
concept Hybrid = requires(const Law& law, typename Law::State z, typename Law::Input in) {
  law.transit(z, in);
};

// --- numbers inside parameters and states -------------------------------------------------------------------------

template <class T>
struct scalar_of {
  using type = T;
};
template <class S, int D>
struct scalar_of<VecN<S, D>> {
  using type = S;
};

/// Calls f on every number of x..., which are numbers, vectors, or lists of them, all of one shape.
template <class F, class X, class... Y>
constexpr void each_number(F&& f, X& x, Y&... y) {
  if constexpr (requires {
                  x.x;
                  x.x.size();
                }) {
    for (std::size_t i = 0; i < x.x.size(); ++i) f(x.x[i], y.x[i]...);
  } else if constexpr (requires {
                         x.size();
                         x.data();
                       }) {
    for (std::size_t i = 0; i < x.size(); ++i) each_number(f, x[i], y[i]...);
  } else {
    f(x, y...);
  }
}

/// Calls f on every number of the states z... of one law, in the order of the flat state.
template <class Law, class F, class... Z>
constexpr void each_state(F&& f, Z&... z) {
  Law::states([&](std::string_view, std::string_view, std::string_view, auto&... members) { each_number(f, members...); }, z...);
}

/// Calls f on every number of the parameters, in the order of describe().
template <class Law, class F>
constexpr void each_parameter(Law& law, F&& f) {
  law.describe([&](std::string_view, auto& value, std::string_view, const Range&, std::string_view) { each_number(f, value); });
}

template <class Law>
constexpr int state_size(const Law& law) {
  auto z = law.start();
  int n = 0;
  each_state<Law>([&](auto&) { ++n; }, z);
  return n;
}

template <class Law>
constexpr int parameter_count(Law law) {
  int n = 0;
  each_parameter(law, [&](auto&) { ++n; });
  return n;
}

/// Whether every parameter says what it does.
template <class Law>
constexpr bool every_role_is_said() {
  Law law{};
  bool all = true;
  law.describe([&](std::string_view, auto&, std::string_view, const Range& range, std::string_view) {
    all = all && range.role != Role::none;
  });
  return all;
}
/// Goes through the relations of a law: one with an operator that does not exist does not compile.
template <class Law>
constexpr bool relations_are_sound() {
  const Law law{};
  if constexpr (requires { law.relations(law_parts::Reader{}); }) law.relations(law_parts::Reader{});
  return true;
}

/// A parameter that describe() does not name is a parameter nobody can set, check or document: refuse it at compile time.
template <class Law>
inline constexpr bool fully_described = sizeof(Law) == sizeof(typename Law::Scalar) * std::size_t(parameter_count(Law{}));

}  // namespace asperity
