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

/// A bristle that yields gradually: adot = v - rub K a+/limit, a+ = a + tau adot; rub is |v|, or less where the law says so.
/// [Dahl 1968; xiong2013 (3.3)]. Never holds: it creeps under any load.
/// Deviation: a limit below 1e-6 of the bristle's force (the load has just gone) counts as that, so that the rate stays finite.
template <class S, class V>
constexpr V bristle_rate(const S& limit, const S& K, const V& a, const V& v, const S& rub, const S& tau) noexcept {
  const S support = max(limit, S(1e-6) * K * magnitude(a));
  return ratio(support * v - (rub * K) * a, support + tau * rub * K);
}

}  // namespace asperity
