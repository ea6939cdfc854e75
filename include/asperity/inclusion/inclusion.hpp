// Equations of motion as in a textbook, with sgn for dry friction and dio for unilateral contact, and out comes an ODE.
//
//   const Sgn floor{.K = 5e3, .beta = 2e-3};
//   auto model = inclusion(std::array{0.0, 0.0}, [=](auto& in, const auto& t, const auto& x) {
//     const auto& [p, v] = x;
//     return in.rates(v, (force(t) - in.sgn(F, v, floor)) / M);      // p' = v,  M v' in f(t) - F sgn(v)
//   });
//   const auto integrator = make_integrator("rk4", model);
//   integrator->start(0, model.start());
//
// The procedure of xiong2013 3.2.4 (xiong2012 3.3): each dio(psi) becomes the force of a linear compliance with a state e, then
// each chi sgn(theta), chi >= 0, that of a single state with a state a; their rates are appended. Both are the laws of the
// catalogue. dio(psi) pushes (> 0) while psi < 0 and lets go; sgn(theta) has the sign of theta.
#pragma once

#include <array>
#include <cassert>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

#include "asperity/contact/linear_compliance.hpp"
#include "asperity/friction/single_state.hpp"
#include "asperity/scalar/dual.hpp"
#include "asperity/system/pattern.hpp"

namespace asperity {

/// How a dio is relaxed: the parameters of linear_compliance.
struct Dio {
  double K = 1e5;       // N/m, in units of the force over those of psi
  double beta = 4e-3;   // s
  double alpha = 2e-3;  // s
};

/// How a sgn is relaxed: the parameters of single_state.
struct Sgn {
  double K = 1e5;      // N/m
  double beta = 1e-3;  // s
};

/// How many numbers the set-valued terms of an inclusion add to its state.
struct TermNumbers {
  std::size_t dio = 0, sgn = 0;
};

/// The states of the user where they stand: x[i], or const auto& [p, v] = x.
template <class S, std::size_t N>
class OwnStates {
 public:
  explicit OwnStates(const S* first) noexcept : first_(first) {}
  const S& operator[](std::size_t i) const noexcept { return first_[i]; }
  static constexpr std::size_t size() noexcept { return N; }
  template <std::size_t i>
  const S& get() const noexcept {
    return first_[i];
  }

 private:
  const S* first_;
};

/// What an inclusion's equations are written with. Every call has its own state, so that each evaluation has to make the same calls
/// in the same order: no call of dio or sgn under an `if` on the state.
template <class S, std::size_t N>
class Terms {
 public:
  Terms(const S* e, const S* a, S* edot, S* adot, const S& tau) noexcept : e_(e), a_(a), edot_(edot), adot_(adot), tau_(tau) {}

  S dio(const std::type_identity_t<S>& psi, const Dio& by) noexcept {
    const LinearCompliance<S> law{S(by.K), S(by.alpha), S(by.beta)};
    const auto r = law.react({*e_++}, {psi, S(0.0)}, tau_);
    *edot_++ = r.rate.e;
    return r.f;
  }
  /// chi sgn(theta), with chi >= 0, which may contain what dio returned.
  S sgn(const std::type_identity_t<S>& chi, const std::type_identity_t<S>& theta, const Sgn& by) noexcept {
    return friction<1>(chi, theta, by);
  }
  /// The same in the plane and in space: chi theta/|theta|.
  template <int D>
  VecN<S, D> sgn(const std::type_identity_t<S>& chi, const VecN<S, D>& theta, const Sgn& by) noexcept {
    return friction<D>(chi, theta, by);
  }

  /// Whether all rates have been written, up to these.
  bool ended_at(const S* edot, const S* adot) const noexcept { return edot_ == edot && adot_ == adot; }

  /// The rates of all states, in their order.
  template <class... Rates>
  std::array<S, N> rates(const Rates&... each) const noexcept {
    static_assert(sizeof...(each) == N, "one rate for each state");
    return {S(each)...};
  }

 private:
  template <int D>
  Vec<S, D> friction(const S& chi, const Vec<S, D>& theta, const Sgn& by) noexcept {
    SingleState<S, D> law;
    law.F = S(1.0);
    law.K = S(by.K);
    law.beta = S(by.beta);
    typename SingleState<S, D>::State z{};
    each_number([&](S& number) { number = *a_++; }, z.a);
    const auto r = law.react(z, {theta, chi}, tau_);
    each_number([&](const S& number) { *adot_++ = number; }, r.rate.a);
    return r.f;
  }

  const S* e_;
  const S* a_;
  S* edot_;
  S* adot_;
  S tau_;
};

/// Counts the calls: nothing is indented, nothing is deflected.
template <std::size_t N>
class TermCounter {
 public:
  double dio(double, const Dio&) noexcept {
    ++numbers.dio;
    return 0;
  }
  double sgn(double, double, const Sgn&) noexcept {
    ++numbers.sgn;
    return 0;
  }
  template <int D>
  VecN<double, D> sgn(double, const VecN<double, D>&, const Sgn&) noexcept {
    numbers.sgn += D;
    return {};
  }
  template <class... Rates>
  std::array<double, N> rates(const Rates&... each) const noexcept {
    return {double(each)...};
  }

  TermNumbers numbers;
};

/// x' in Phi(t, x). The flat state: the N of the user, an e for each dio, D numbers of a for each sgn, in the order of the calls.
template <std::size_t N, class Phi>
class Inclusion {
 public:
  Inclusion(const std::array<double, N>& start, Phi phi, std::vector<double> loaded = {})
      : start_(start), phi_(std::move(phi)), loaded_(std::move(loaded)) {
    TermCounter<N> counter;
    phi_(counter, 0.0, start_);
    terms_ = counter.numbers;
  }

  const TermNumbers& terms() const noexcept { return terms_; }
  std::size_t size() const noexcept { return N + terms_.dio + terms_.sgn; }
  /// The user's states as given, and those of the terms: nothing indented, nothing deflected, unless it is said otherwise.
  std::vector<double> start() const {
    std::vector<double> x(start_.begin(), start_.end());
    x.insert(x.end(), loaded_.begin(), loaded_.end());
    x.resize(size());
    return x;
  }

  template <class S>
  void rate(double t, std::span<const S> x, double tau, std::span<S> xdot) const noexcept {
    // Apart, so that the compiler knows the look-ahead of an ODE and divides less.
    if (tau == 0) evaluate(t, x, S(0.0), xdot);
    else evaluate(t, x, S(tau), xdot);
  }
  void between_steps(double, std::span<double>) const noexcept {}
  bool has_derivatives() const noexcept { return true; }
  Pattern coupling() const { return Pattern::full(size()); }

 private:
  template <class S>
  void evaluate(double t, std::span<const S> x, const S& tau, std::span<S> xdot) const noexcept {
    const S* z = x.data() + N;
    S* zdot = xdot.data() + N;
    Terms<S, N> terms(z, z + terms_.dio, zdot, zdot + terms_.dio, tau);
    const std::array<S, N> rates = phi_(terms, S(t), OwnStates<S, N>(x.data()));
    assert(terms.ended_at(zdot + terms_.dio, zdot + terms_.dio + terms_.sgn) && "as many calls of dio and sgn as at the start");
    std::copy(rates.begin(), rates.end(), xdot.begin());
  }

  std::array<double, N> start_;
  Phi phi_;
  std::vector<double> loaded_;
  TermNumbers terms_;
};

/// `loaded`: the states of the terms at the start, in the order of the flat state.
template <std::size_t N, class Phi>
Inclusion<N, Phi> inclusion(const std::array<double, N>& start, Phi phi, std::vector<double> loaded = {}) {
  return {start, std::move(phi), std::move(loaded)};
}

}  // namespace asperity

// For const auto& [p, v] = x.
template <class S, std::size_t N>
struct std::tuple_size<asperity::OwnStates<S, N>> : std::integral_constant<std::size_t, N> {};
template <std::size_t i, class S, std::size_t N>
struct std::tuple_element<i, asperity::OwnStates<S, N>> {
  using type = const S;
};
