// What a law says of itself at rest: how stiff a small fast motion finds it, how much it holds, and the state in which it holds a
// given force. Read by the set-up checks and by preload; a law that is not listed here is neither checked nor preloaded.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <string_view>
#include <vector>

#include "asperity/laws.hpp"
#include "asperity/system/spring.hpp"

namespace asperity {

/// A part of an element that resists: `count` numbers of its force, from `first` on.
struct Stiffness {
  enum class Kind {
    asperity,  // K and B while it sticks; its memory follows the motion, and looks ahead
    bristle,   // the same, but its sliding memory is as fast as it slides
    spring,    // K and B, no memory
    solid,     // a contact with memory: K at rest, K beta/alpha when struck
  };
  Kind kind = Kind::spring;
  double K = 0;                                             // N/m
  double B = 0;                                             // N s/m
  double alpha = 0, beta = 0;                               // s, of a solid
  double memory = std::numeric_limits<double>::infinity();  // s, the shortest time constant of its own state while it slides
  std::string_view memory_name{};
  double hold = 0;      // N that friction holds at rest, or its share of the normal force
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

template <class List>
double sum(const List& list) {
  double total = 0;
  for (const double number : list) total += number;
  return total;
}

// --- friction: stiffness(law, load)
// -----------------------------------------------------------------------------------------------

template <int D, template <class> class Limit>
Stiffness stiffness(const SingleState<double, D, Limit>& law, double load) {
  return {.kind = Stiffness::Kind::asperity,
          .K = law.K,
          .B = law.K * law.beta,
          .memory = law.beta,
          .memory_name = "beta",
          .hold = law.highest() * load,
          .slide = law.lowest() * load};
}
template <int N, int D>
Stiffness stiffness(const Multistate<double, N, D>& law, double load) {
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < law.kappa.size(); ++i) shortest = std::min(shortest, law.sigma[i] / law.kappa[i]);
  return {.kind = Stiffness::Kind::asperity,
          .K = sum(law.kappa),
          .B = sum(law.sigma),
          .memory = shortest,
          .memory_name = "sigma/kappa",
          .hold = law.highest() * load,
          .slide = law.lowest() * load};
}
template <int D>
Stiffness stiffness(const LuGre<double, D>& law, double load) {
  return {
      .kind = Stiffness::Kind::bristle, .K = law.K, .B = law.B + law.D, .hold = law.highest() * load, .slide = law.lowest() * load};
}
template <int D>
Stiffness stiffness(const Dahl<double, D>& law, double load) {
  return {.kind = Stiffness::Kind::bristle, .K = law.K, .hold = law.F * load, .slide = law.F * load};
}
inline Stiffness stiffness(const Elastoplastic<double>& law, double load) {
  return {
      .kind = Stiffness::Kind::bristle, .K = law.K, .B = law.B + law.D, .hold = law.highest() * load, .slide = law.lowest() * load};
}
template <int N>
Stiffness stiffness(const Gms<double, N>& law, double load) {
  return {.kind = Stiffness::Kind::asperity,
          .K = sum(law.kappa),
          .B = sum(law.sigma),
          .memory = law.lowest() * load / law.C,
          .memory_name = "F_c/C",
          .hold = law.highest() * load,
          .slide = law.lowest() * load};
}
template <int N>
Stiffness stiffness(const ModifiedLeuven<double, N>& law, double load) {
  return {.kind = Stiffness::Kind::asperity,
          .K = sum(law.kappa),
          .B = sum(law.kappa) * law.beta + law.B + law.D,
          .memory = law.beta,
          .memory_name = "beta",
          .hold = law.highest() * load,
          .slide = law.lowest() * load};
}
template <int D, template <class> class Limit>
Stiffness stiffness(const VirtualMass<double, D, Limit>& law, double load) {
  return {.kind = Stiffness::Kind::asperity, .K = law.K, .B = law.B, .hold = law.highest() * load, .slide = law.lowest() * load};
}
/// Without memory nothing is held; near rest a static curve is a damper.
template <int D>
Stiffness stiffness(const Threshold<double, D>& law, double load) {
  return {.kind = Stiffness::Kind::spring, .B = law.F * load / law.V};
}
inline Stiffness stiffness(const SmoothStatic<double>& law, double load) {
  const double slow = 1e-6 * std::min(law.v_t, law.v_sp);
  return {.kind = Stiffness::Kind::spring, .B = law.curve(slow, load) / slow};
}
inline Stiffness stiffness(const Specker<double>& law, double) {
  return {.kind = Stiffness::Kind::spring, .memory = law.T_1, .memory_name = "T_1"};
}

/// Of friction at the present speed, what grows with the load and what does not: friction of stiffness() with the present speed.
template <class Law>
Stiffness at_speed(const Law& law, double load, double speed) {
  Stiffness part = stiffness(law, load);
  if constexpr (requires { law.limit(speed); }) part.sliding = law.limit(speed) * load;
  else if constexpr (requires { law.V; }) part.sliding = law.F * load * std::min(1.0, speed / law.V);
  else if constexpr (requires { law.curve(speed, load); }) part.sliding = law.curve(speed, load) - law.d * speed;
  if constexpr (requires { law.D + 0.0; }) part.drag = law.D * speed;
  else if constexpr (requires { law.d + 0.0; }) part.drag = law.d * speed;
  return part;
}

// --- contact: stiffness(law, indentation)
// ------------------------------------------------------------------------------------------

inline Stiffness stiffness(const LinearCompliance<double>& law, double) {
  return {.kind = Stiffness::Kind::solid, .K = law.K, .alpha = law.alpha, .beta = law.beta};
}
inline Stiffness stiffness(const ImplicitContact<double>& law, double) {
  return {.kind = Stiffness::Kind::solid, .K = law.K, .beta = law.beta};
}
inline Stiffness stiffness(const NonlinearCompliance<double>& law, double d) {
  const double alpha = 1 / law.gamma, w = std::pow(std::max(d, 0.0), law.lambda);
  return {.kind = Stiffness::Kind::solid,
          .K = law.K * law.lambda * std::pow(std::max(d, 0.0), law.lambda - 1),
          .alpha = alpha,
          .beta = alpha + law.beta1 + law.beta2 * w,
          .curved = true};
}
template <bool Clamped>
Stiffness stiffness(const KelvinVoigt<double, Clamped>& law, double) {
  return {.kind = Stiffness::Kind::spring, .K = law.K, .B = law.B};
}
/// Hunt and Crossley's contact is a Hertz contact; its damping comes with speed.
inline Stiffness stiffness(const Hertz<double>& law, double d) {
  return {.kind = Stiffness::Kind::spring, .K = law.K * law.lambda * std::pow(std::max(d, 0.0), law.lambda - 1), .curved = true};
}
inline Stiffness stiffness(const Spring<double>& law, double x) {
  return {.kind = Stiffness::Kind::spring, .K = law.K + 3 * law.K3 * x * x, .B = law.B, .curved = law.K3 != 0};
}

// --- the state of a contact that has been indented by d for long
// --------------------------------------------------------------------

template <class Law>
typename Law::State indented(const Law& law, double d) {
  auto z = law.start();
  if constexpr (requires { z.e; }) z.e = d;
  if constexpr (requires { law.gamma; }) z.a = std::pow(d, law.lambda);
  return z;
}
/// The force that it then has.
template <class Law>
double resting_force(const Law& law, double d) {
  if (!(d > 0)) return 0;
  // A law of sampled time has no force without a step; at rest every step gives the same.
  return law.react(indented(law, d), {-d, 0.0}, Law::about.discrete ? 1.0 : 0.0).f;
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

/// How deep a strike goes at most: where the work of the resting force is the energy brought, and that of the load on the way.
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

// --- the state of a friction law that holds the force f under a load
// ----------------------------------------------------------------

/// Asperities of stiffness kappa that yield at `limits`, all displaced by the same d from where they were unloaded: sum sat(limit,
/// kappa d) = f.
template <class Kappa, class LimitOf>
double displacement(const Kappa& kappa, LimitOf limit, double f) {
  const auto carried = [&](double d) {
    double total = 0;
    for (std::size_t i = 0; i < kappa.size(); ++i) total += std::min(limit(i), kappa[i] * d);
    return total;
  };
  double high = 0;
  for (std::size_t i = 0; i < kappa.size(); ++i) high = std::max(high, limit(i) / kappa[i]);
  double low = 0;
  for (int round = 0; round < 200; ++round) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (carried(middle) < f ? low : high) = middle;
  }
  return high;
}

template <class Law>
typename Law::State holding(const Law& law, const typename Law::Force& f, double load) {
  auto z = law.start();
  if constexpr (requires { law.kappa; }) {
    const double length = magnitude(f);
    const auto limit = [&](std::size_t i) { return law.lambda[i] * law.highest() * load; };
    const double d = displacement(law.kappa, limit, length);
    for (std::size_t i = 0; i < law.kappa.size(); ++i) z.a[i] = ratio(std::min(d, limit(i) / law.kappa[i]), length) * f;
  } else if constexpr (requires {
                         z.a;
                         law.K;
                       }) {
    z.a = f / law.K;
  } else if constexpr (requires { z.f; }) {
    z.f = f;
  }
  return z;
}

}  // namespace statics

/// Calls f on every number of an element's force.
template <class F, class Push>
constexpr void each_push(F&& f, Push& p) {
  if constexpr (requires { p.tangential; }) {
    f(p.normal);
    each_number(f, p.tangential);
  } else if constexpr (requires { p.pull; }) {
    each_number(f, p.pull);
    each_number(f, p.turn);
    f(p.friction);
  } else {
    each_number(f, p);
  }
}

/// Whether a law is listed above.
template <class Law>
concept Static = requires(const Law& law) {
  { statics::stiffness(law, 1.0) } -> std::same_as<Stiffness>;
};

}  // namespace asperity
