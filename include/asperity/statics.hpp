// What follows from a law at rest: how stiff a small fast motion finds it, how much it holds, and the state in which it holds a
// given force. Read by the set-up checks, by preload and by design. All of it comes from react(), by dual numbers and by steps, and
// from the roles of describe(); no law is known by name. A law may offer a closed form where that is better:
//   friction   highest(), lowest(), limit(speed)   the limit at rest, at high speed, at a speed; for a load of one
//              holding(f, load)                    the state that has the force f at rest
//              steady(v, load)                     the force of steady sliding
//   contact    resting(d)                          the state of what has been indented by d for long
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/over.hpp"
#include "asperity/scalar/dual.hpp"
#include "asperity/spring.hpp"
#include "asperity/step.hpp"

namespace asperity {

/// A part of an element that resists: `count` numbers of its force, from `first` on.
struct Stiffness {
  enum class Kind {
    asperity,  // K and B while it sticks; its memory follows the motion, and looks ahead
    bristle,   // the same, but its sliding memory is as fast as it slides
    spring,    // K and B, no memory
    solid,     // a contact with memory: K at rest, K beta/alpha at an impact
  };
  Kind kind = Kind::spring;
  double K = 0;                                             // N/m
  double B = 0;                                             // N s/m
  double alpha = 0, beta = 0;                               // s, of a solid
  double memory = std::numeric_limits<double>::infinity();  // s, the shortest time constant of its own state
  std::string memory_name{};
  double hold = 0;      // N that friction bears at rest, or its share of the normal force
  bool keeps = true;    // whether it bears them for ever; if not, it creeps
  bool yields = false;  // at half of its limit a bristle gives way twice as far: it slides a little with each cycle of a load
  double slide = 0;     // the same at high speed
  double sliding = 0;   // the same at the present speed, at which friction without memory resists, too
  double drag = 0;      // N at the present speed, whatever presses
  bool curved = false;  // K is the tangent at the present indentation

  std::string_view part{};
  std::size_t first = 0, count = 1;
  bool under_normal = false;  // hold and slide are to be multiplied by the normal force, number 0 of the element
  bool unilateral = false;    // number 0 of a contact: pushes only
  bool joint = false;         // a spring that stands for a rigid connection: at rest it is deflected by what it carries
  bool turns = false;         // an angle and a moment
};

namespace statics {

using Number = Dual<1>;

// --- slopes -------------------------------------------------------------------------------------------------------

template <int D>
Slip<Number, D> dual(const Slip<double, D>& in) {
  Slip<Number, D> out;
  each_number([](Number& to, const double& from) { to = from; }, out.v, in.v);
  out.load = in.load;
  return out;
}
inline Gap<Number> dual(const Gap<double>& in) { return {in.gap, in.rate}; }
inline Stretch<Number> dual(const Stretch<double>& in) { return {in.x, in.v}; }

template <class List>
auto& number_of(List& list, std::size_t i) {
  if constexpr (requires { list.x[i]; }) return list.x[i];
  else return list;
}

/// How the first number of the force and the rates of the state change with what `seed` moves.
struct Slopes {
  double f = 0;
  std::vector<double> rate;
};
template <class Law, class Seed>
Slopes slopes(const Law& law, const typename Law::State& z, const typename Law::Input& in, Seed seed) {
  using Over = asperity::Over<Law, Number>;
  const Over dual_law = over<Number>(law);
  auto state = dual_law.start();
  each_state<Over>([](Number& to, const double& from) { to = from; }, state, z);
  auto input = dual(in);
  seed(state, input);
  const auto r = dual_law.react(state, input, Number(0.0));
  Slopes found{number_of(r.f, 0).v[0], {}};
  each_state<Over>([&](const Number& rate) { found.rate.push_back(rate.v[0]); }, r.rate);
  return found;
}
template <class Law>
Slopes slopes_by_state(const Law& law, const typename Law::State& z, const typename Law::Input& in, std::size_t which) {
  return slopes(law, z, in, [&](auto& state, auto&) {
    std::size_t i = 0;
    each_state<asperity::Over<Law, Number>>([&](Number& number) { number.v[0] = i++ == which; }, state);
  });
}

/// The fastest rate at which a number of the state follows the motion, 1/s.
template <class Law>
double fastest_rate(const Law& law, const typename Law::State& z, const typename Law::Input& in) {
  double fastest = 0;
  const auto n = static_cast<std::size_t>(state_size(law));
  for (std::size_t i = 0; i < n; ++i) fastest = std::max(fastest, -slopes_by_state(law, z, in, i).rate[i]);
  return fastest;
}

// --- what the roles say -------------------------------------------------------------------------------------------

/// Calls visit(name, number, unit) for every number of a role.
template <class Law, class Visit>
void each_of(Law law, Role role, Visit visit) {
  law.describe([&](std::string_view name, auto& value, std::string_view unit, const Range& range, std::string_view) {
    if (range.role == role) each_number([&](const double& number) { visit(name, number, unit); }, value);
  });
}
template <class Law>
bool has_role(const Law& law, Role role) {
  bool found = false;
  each_of(law, role, [&](auto&&...) { found = true; });
  return found;
}
/// A speed far above or far below all that the law has.
template <class Law>
double fast_speed(const Law& law) {
  double most = 0;
  each_of(law, Role::speed, [&](auto, double v, auto) { most = std::max(most, v); });
  return most > 0 ? 100 * most : 1;
}
template <class Law>
double slow_speed(const Law& law) {
  double least = std::numeric_limits<double>::infinity();
  each_of(law, Role::speed, [&](auto, double v, auto) { least = std::min(least, v); });
  return 1e-6 * (least < 1 ? least : 1);
}

/// What the law calls a time: a parameter, one over a rate, or a quotient of two parameters; of lists, number by number.
template <class Law>
std::string name_of_time(Law law, double time) {
  struct Entry {
    std::string_view name, unit;
    std::vector<double> values;
  };
  std::vector<Entry> all;
  law.describe([&](std::string_view name, auto& value, std::string_view unit, const Range&, std::string_view) {
    all.push_back({name, unit, {}});
    each_number([&](const double& number) { all.back().values.push_back(number); }, value);
  });
  const auto is_it = [&](double x) { return std::abs(x - time) <= 1e-9 * time; };
  for (const Entry& p : all)
    for (const double x : p.values) {
      if (p.unit == "s" && is_it(x)) return std::string(p.name);
      if (p.unit == "1/s" && is_it(1 / x)) return "1/" + std::string(p.name);
    }
  for (const Entry& p : all)
    for (const Entry& q : all) {
      const bool is_time =
          (p.unit == "N s/m" && q.unit == "N/m") || (p.unit == "N" && q.unit == "N/s") || (p.unit == "m" && q.unit == "m/s");
      for (std::size_t i = 0; i < std::max(p.values.size(), q.values.size()) && is_time; ++i)
        if (is_it(p.values[std::min(i, p.values.size() - 1)] / q.values[std::min(i, q.values.size() - 1)]))
          return std::string(p.name) + "/" + std::string(q.name);
    }
  return "its memory";
}

// --- friction -----------------------------------------------------------------------------------------------------

template <class Law>
typename Law::Input slip_of(double speed, double load) {
  typename Law::Input in{};
  number_of(in.v, 0) = speed;
  in.load = load;
  return in;
}

/// The state after sliding for long at a speed: steps so long that each of them is a long way for what follows the motion.
template <class Law>
inline constexpr double long_step = Law::about.discrete ? 1e3 : 1e9;  // s; a law of sampled time loses digits in longer ones
template <class Law>
typename Law::State sliding_state(const Law& law, double speed, double load) {
  auto z = law.start();
  for (int k = 0; k < 20; ++k) step(law, z, slip_of<Law>(speed, load), long_step<Law>);
  return z;
}
/// The force of steady sliding.
template <class Law>
double steady_force(const Law& law, double speed, double load) {
  if constexpr (requires { law.steady(speed, load); }) return law.steady(speed, load);
  const auto r = law.react(sliding_state(law, speed, load), slip_of<Law>(speed, load), long_step<Law>);
  return number_of(r.f, 0);
}

/// What a small motion from rest meets: f = K x + B v, the state following as `moves`, state number by direction.
struct Presliding {
  double K = 0, B = 0;
  std::vector<std::vector<double>> moves;
};
template <class Law>
Presliding presliding(const Law& law, double load, double speed = 0) {
  Presliding found;
  const auto in = slip_of<Law>(speed, load);
  const auto z = law.start();
  for (std::size_t c = 0; c < std::size_t(Law::dimension); ++c) {
    Slopes by_speed = slopes(law, z, in, [&](auto&, auto& input) { number_of(input.v, c).v[0] = 1; });
    if (c == 0) found.B = by_speed.f;
    // An element that sticks moves with the motion: what is left of rounding is taken away.
    for (double& rate : by_speed.rate)
      if (std::abs(rate - std::round(rate)) < 1e-12) rate = std::round(rate);
    found.moves.push_back(by_speed.rate);
  }
  for (std::size_t i = 0; i < found.moves[0].size(); ++i)
    if (found.moves[0][i] != 0) found.K += slopes_by_state(law, z, in, i).f * found.moves[0][i];
  // A power below one of the speed has no slope at zero, but one beside it.
  if (!std::isfinite(found.K + found.B) && speed == 0) return presliding(law, load, 1e-250);
  return found;
}

/// The force after the slip has moved from rest by `way`, slowly; and the state there.
template <class Law>
class SlowPath {
 public:
  SlowPath(const Law& law, const typename Law::Input& in, double h) : law_(law), in_(in), still_(in), h_(h) {
    each_number([](double& v) { v = 0; }, still_.v);
  }
  typename Law::State next(typename Law::State z, double part) const {
    step(law_, z, in_, part * h_);
    return z;
  }
  double force(const typename Law::State& z) const { return magnitude(law_.react(z, still_, 0.0).f); }

 private:
  const Law& law_;
  typename Law::Input in_, still_;
  double h_;
};

/// The largest force at rest that a slow motion from rest brings about.
template <class Law>
double breakaway(const Law& law, double load) {
  const double K = presliding(law, load).K, speed = slow_speed(law);
  double limits = 0;
  each_of(law, Role::limit, [&](auto, double F, auto) { limits += F; });
  if (!(K > 0) || !(limits * load > 0)) return 0;
  const SlowPath<Law> path(law, slip_of<Law>(speed, load), limits * load / K / speed / 400);
  auto z = law.start();
  double most = 0;
  for (int k = 0; k < 12000; ++k) most = std::max(most, path.force(z = path.next(z, k < 8000 ? 1 : 10)));
  return most;
}

/// Whether a slow motion from z moves every number of the state as it does from rest: nothing has yielded.
template <class Law>
bool still_moves(const Law& law, const typename Law::State& z, double load, const Presliding& elastic) {
  const Slopes by_speed =
      slopes(law, z, slip_of<Law>(slow_speed(law), load), [](auto&, auto& input) { number_of(input.v, 0).v[0] = 1; });
  for (std::size_t i = 0; i < by_speed.rate.size(); ++i)
    if (std::abs(by_speed.rate[i] - elastic.moves[0][i]) > 1e-9) return false;
  return true;
}

/// The state in which the law, at rest under a load, has the force f.
template <class Law>
typename Law::State holding(const Law& law, const typename Law::Force& f, double load) {
  auto z = law.start();
  const double length = magnitude(f);
  if constexpr (requires { law.holding(f, load); }) {
    return law.holding(f, load);
  } else if constexpr (std::is_empty_v<typename Law::State> || !HasOver<Law, Number>) {
    return z;
  } else {
    const Presliding elastic = presliding(law, load);
    if (!(elastic.K > 0)) return z;
    // Elastic up to f, as most are: one bristle has no other state with that force, several may have yielded on the way ...
    std::size_t i = 0;
    each_state<Law>(
        [&](double& number) {
          for (std::size_t c = 0; c < elastic.moves.size(); ++c)
            if (const double moves = elastic.moves[c][i]; moves != 0) {
              const double by = moves == 1 ? number_of(f, c) / elastic.K : moves * (number_of(f, c) / elastic.K);
              number = number == 0 ? by : number + by;
            }
          ++i;
        },
        z);
    auto in = slip_of<Law>(0, load);
    const bool one_bristle = elastic.moves[0].size() == std::size_t(Law::dimension);
    if (magnitude(law.react(z, in, 0.0).f - f) <= 1e-9 * length && (one_bristle || still_moves(law, z, load, elastic))) return z;
    // ... or on the way there, slowly.
    in.v = (slow_speed(law) / length) * f;
    const SlowPath<Law> path(law, in, length / elastic.K / slow_speed(law) / 100);
    z = law.start();
    for (int k = 0; k < 100000; ++k) {
      const auto next = path.next(z, 1);
      if (path.force(next) < path.force(z)) return z;  // as far as it goes
      if (path.force(next) >= length) {
        double low = 0, high = 1;
        for (int round = 0; round < 60; ++round)
          (path.force(path.next(z, (low + high) / 2)) < length ? low : high) = (low + high) / 2;
        return path.next(z, high);
      }
      z = next;
    }
    return z;
  }
}

template <class Law>
double highest_limit(const Law& law, double load) {
  if constexpr (requires { law.highest(); }) return law.highest() * load;
  else return breakaway(law, load);
}
template <class Law>
double lowest_limit(const Law& law, double load) {
  if constexpr (requires { law.lowest(); }) return law.lowest() * load;
  else return steady_force(law, fast_speed(law), load) - steady_force(law, fast_speed(law), 0);
}

/// Whether a bristle gives way in proportion to its load, adot = v (1 - f/limit).
template <class Law>
bool yields_in_proportion(const Law& law, double load, double hold) {
  typename Law::Force f{};
  number_of(f, 0) = hold / 2;
  const auto z = holding(law, f, load);
  const auto in = slip_of<Law>(slow_speed(law), load);
  const Slopes by_speed = slopes(law, z, in, [](auto&, auto& input) { number_of(input.v, 0).v[0] = 1; });
  double K = 0;
  for (std::size_t i = 0; i < by_speed.rate.size(); ++i) K += slopes_by_state(law, z, in, i).f * by_speed.rate[i];
  return std::abs(K / presliding(law, load).K - 0.5) < 1e-3;
}

/// Of a law without presliding nothing is held: it slides under any load.
template <class Law>
requires(Law::about.kind == Kind::friction) Stiffness look_at(const Law& law, double load) {
  Stiffness part;
  [[maybe_unused]] const double under = load > 0 ? load : 1;  // without a load there is nothing to look at
  if constexpr (Law::about.discrete) {                        // no law without a step: what it says of itself
    each_of(law, Role::stiffness, [&](auto, double K, auto) { part.K += K; });
    each_of(law, Role::damping, [&](auto, double B, std::string_view unit) { part.B += unit == "s" ? part.K * B : B; });
  } else {
    const Presliding elastic = presliding(law, under);
    part.K = elastic.K, part.B = elastic.B;
  }
  part.kind = part.K > 0 ? Stiffness::Kind::asperity : Stiffness::Kind::spring;
  if constexpr (!std::is_empty_v<typename Law::State> && !Law::about.discrete) {
    const auto rate = [&](double speed, double with) {
      return fastest_rate(law, speed > 0 ? sliding_state(law, speed, with) : law.start(), slip_of<Law>(speed, with));
    };
    // What goes with the speed is the bristle's; what does not is a time of the law.
    const auto own = [&](double speed, double with) {
      const double once = rate(speed, with);
      return rate(2 * speed, with) > 1.5 * once ? 0 : once;
    };
    const double fast = 1e3 * fast_speed(law), slow = slow_speed(law);  // so fast that what it loses at rest counts no more
    const auto fastest = [&](double with) { return std::max({rate(0, with), own(slow, with), own(fast, with)}); };
    if (part.K > 0 && rate(2 * fast, under) > 1.5 * rate(fast, under)) part.kind = Stiffness::Kind::bristle;
    if (const double most = fastest(under); most > 0)
      part.memory = 1 / most, part.memory_name = name_of_time(law, 1 / (under == 1 ? most : fastest(1)));
  }
  part.keeps = !has(Law::about.quirks, Quirk::creeps);
  if (part.K > 0) {
    part.hold = highest_limit(law, load);
    part.slide = lowest_limit(law, load);
  }
  if constexpr (!std::is_empty_v<typename Law::State> && !Law::about.discrete)
    part.yields = part.kind == Stiffness::Kind::bristle && yields_in_proportion(law, under, highest_limit(law, under));
  return part;
}

/// Many elements have the same law: the last one is remembered.
template <class Law>
requires(Law::about.kind == Kind::friction) Stiffness stiffness(const Law& law, double load) {
  thread_local std::vector<double> known;
  thread_local Stiffness found;
  std::vector<double> numbers{load};
  Law copy = law;
  each_parameter(copy, [&](const double& number) { numbers.push_back(number); });
  if (numbers != known) found = look_at(law, load), known = numbers;
  return found;
}

/// The same with what resists at the present speed: that which grows with the load, and that which does not.
template <class Law>
Stiffness at_speed(const Law& law, double load, double speed) {
  Stiffness part = stiffness(law, load);
  if (has_role(law, Role::viscosity) && speed > 0) part.drag = steady_force(law, speed, 0);
  if constexpr (requires { law.limit(speed); } && !has(Law::about.quirks, Quirk::creeps)) part.sliding = law.limit(speed) * load;
  else part.sliding = speed > 0 ? steady_force(law, speed, load) - part.drag : 0;
  return part;
}

// --- contact, and springs -----------------------------------------------------------------------------------------

/// The state of a contact that has been indented by d for long.
template <class Law>
typename Law::State indented(const Law& law, const typename Law::Scalar& d) {
  using S = typename Law::Scalar;
  if constexpr (std::is_empty_v<typename Law::State>) {
    return law.start();
  } else if constexpr (requires { law.resting(d); }) {
    return law.resting(d);
  } else {
    auto z = law.start();
    for (int k = 0; k < 20; ++k) step(law, z, {-d, S(0.0)}, S(1e3));
    return z;
  }
}
/// The force that it then has.
template <class Law>
double resting_force(const Law& law, double d) {
  if (!(d > 0)) return 0;
  // A law of sampled time has no force without a step; at rest every step gives the same.
  return law.react(indented(law, d), {-d, 0.0}, Law::about.discrete ? 1.0 : 0.0).f;
}
/// How stiff it is to a slow motion at d.
template <class Law>
double resting_stiffness(const Law& law, double d) {
  const auto dual_law = over<Number>(law);
  Number depth(d);
  depth.v[0] = 1;
  return dual_law.react(indented(dual_law, depth), {-depth, Number(0.0)}, Number(Law::about.discrete ? 1.0 : 0.0)).f.v[0];
}

/// A contact with memory resists a fast motion by K beta/alpha, a slow one by K; alpha is the time of its memory.
template <class Law>
requires(Law::about.kind == Kind::contact) Stiffness stiffness(const Law& law, double d) {
  const double at = d > 0 ? d : 1e-50;  // an open one is as stiff as it will be when it closes
  Stiffness part{.K = resting_stiffness(law, at)};
  part.curved = std::abs(resting_stiffness(law, 2 * at) - part.K) > 1e-9 * part.K;
  if constexpr (std::is_empty_v<typename Law::State>) {
    part.B = slopes(law, law.start(), {-at, 0.0}, [](auto&, auto& in) { in.rate.v[0] = -1; }).f;
  } else if constexpr (Law::about.discrete) {
    part.kind = Stiffness::Kind::solid;
    each_of(law, Role::damping, [&](auto, double beta, auto) { part.beta = beta; });
  } else {
    part.kind = Stiffness::Kind::solid;
    const auto z = indented(law, at);
    part.alpha = 1 / fastest_rate(law, z, {-at, 0.0});
    part.beta = part.alpha * slopes(law, z, {-at, 0.0}, [](auto&, auto& in) { in.gap.v[0] = -1; }).f / part.K;
    part.memory_name = name_of_time(law, part.alpha);
  }
  if (part.curved && !(d > 0)) part.K = part.B = 0;
  return part;
}

template <class Law>
requires(Law::about.kind == Kind::spring) Stiffness stiffness(const Law& law, double x) {
  const auto K = [&](double at) { return slopes(law, law.start(), {at, 0.0}, [](auto&, auto& in) { in.x.v[0] = 1; }).f; };
  Stiffness part{.K = K(x)};
  part.B = slopes(law, law.start(), {x, 0.0}, [](auto&, auto& in) { in.v.v[0] = 1; }).f;
  part.curved = K(2 * x + 1) != part.K;
  return part;
}

/// The indentation that carries N: laws get no softer with depth, so doubling and bisection find it.
template <class Law>
double indentation(const Law& law, double N) {
  if (!(N > 0)) return 0;
  double low = 0, high = 1e-9;
  while (high < 1e300 && resting_force(law, high) < N) low = high, high *= 2;
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    (resting_force(law, middle) < N ? low : high) = middle;
  }
}

/// How deep an impact goes at most: where the work of the resting force is the energy brought, and that of the load on the way.
/// Laws with memory or damping resist more, and stop before.
template <class Law>
double strike_depth(const Law& law, double energy, double load) {
  const auto left = [&](double d) {  // Simpson's rule; forces of laws are powers of the depth
    constexpr int parts = 32;
    double work = resting_force(law, d);
    for (int i = 1; i < parts; ++i) work += (i % 2 ? 4 : 2) * resting_force(law, d * i / parts);
    return energy + load * d - work * d / (3 * parts);
  };
  if (!(energy > 0) && !(load > 0)) return 0;
  double low = 0, high = 1e-9;
  while (high < 1e300 && left(high) > 0) low = high, high *= 2;
  for (int round = 0; round < 60; ++round) (left((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
  return high;
}

}  // namespace statics

/// Calls f on every number of an element's force.
template <class F, class Push>
constexpr void each_push(F&& f, Push& p) {
  if constexpr (requires { p.tangential; }) {
    f(p.normal);
    each_number(f, p.tangential);
  } else {
    each_number(f, p);
  }
}

/// Whether a law can be looked at: one that is written for double alone has no slopes.
template <class Law>
concept Static = HasOver<Law, statics::Number>;

}  // namespace asperity
