// Two pieces from which the friction laws with memory are made: the saturating asperity and the bristle.
#pragma once

#include "asperity/law.hpp"

namespace asperity {

/// An elastic asperity behind a Coulomb slider:
///   f in limit Sgn(v - adot),  f = K (a + tau adot) + B adot   <=>   f = sat(limit, K a + G v),  adot = (f - K a)/G,  G = B + tau
///   K
/// [xiong2013 (4.5); kikuuwe_yamamoto (19)]. Holds exactly: while |f| < limit, adot = v.
template <class S, class V>
constexpr Reaction<V, V> asperity_element(const S& limit, const S& K, const S& G, const V& a, const V& v) noexcept {
  const V f = sat(limit, K * a + G * v);
  return {f, (S(1.0) / G) * (f - K * a)};  // the reciprocal: a loop over one law divides once
}

/// The share of an elastic force that its load bears: 1 up to 5/4 of the highest friction under it, 0 without load. A constant load
/// bends no bristle further than to the highest friction; one that falls leaves it bent, and it follows while the slip is fast
/// enough.
template <class S>
constexpr S borne(const S& highest, const S& elastic) noexcept {
  const S most = S(1.25) * highest;
  return ratio(most, max(most, elastic));
}

/// What a bent bristle passes on: its elastic force, how fast slip bends it, and its rate, which is that of the slip less what it
/// loses when the load has fallen.
template <class V>
struct BristleReaction {
  V f, slip, rate;
};

/// A bristle that yields gradually: adot = v - rub K a+/limit, a+ = a + tau adot; rub is |v|, or less where the law says so.
/// [Dahl 1968; xiong2013 (3.3)]. Never holds: it creeps under any load.
/// Deviation, where K |a| > 1.25 highest (the load has fallen; at no load the printed rate is infinite): with the share w that is
/// borne it passes on K w a and yields at w (v - rub K w a/limit); the rest of a is lost in 10 ms. So the force follows a vanishing
/// load to zero, no rate exceeds the slip by more than that of 1.25 highest/limit, and K |a|^2/2 never grows by more than the work
/// of K w a.
template <class S, class V>
constexpr BristleReaction<V> bristle(const S& highest, const S& limit, const S& K, const V& a, const V& v, const S& rub,
                                     const S& tau) noexcept {
  const S w = borne(highest, K * magnitude(a));
  const V carried = w * a;
  const V slip = w * ratio(limit * v - (rub * K) * carried, limit + tau * rub * K);
  return {K * (carried + tau * slip), slip, slip - (a - carried) / (seconds<S>(1e-2) + tau)};
}

/// For set-up, not for a loop: elements of stiffness kappa that yield at their shares of a limit, all displaced by the same d from
/// where they were unloaded, sum sat(lambda limit, kappa d) = |f|.
template <class Deflections, class List, class V>
void hold_by_elements(Deflections& a, const List& kappa, const List& lambda, double highest, double load, const V& f) {
  const auto limit = [&](std::size_t i) { return lambda[i] * highest * load; };
  const auto carried = [&](double d) {
    double total = 0;
    for (std::size_t i = 0; i < kappa.size(); ++i) total += min(limit(i), kappa[i] * d);
    return total;
  };
  const double length = magnitude(f);
  double low = 0, high = 0;
  for (std::size_t i = 0; i < kappa.size(); ++i) high = max(high, limit(i) / kappa[i]);
  for (int round = 0; round < 200; ++round) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (carried(middle) < length ? low : high) = middle;
  }
  for (std::size_t i = 0; i < kappa.size(); ++i) a[i] = ratio(min(high, limit(i) / kappa[i]), length) * f;
}

}  // namespace asperity
