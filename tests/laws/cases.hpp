// The cases of the law suite: every law of the catalogue in every dimension it has, and random draws of its parameters, motions and
// reachable states. Seeds are fixed: the same draws on every run.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "asperity/catalogue.hpp"
#include "asperity/parameters.hpp"

namespace asperity::testing {

/// The I-th law of the catalogue in D dimensions, over any scalar.
template <std::size_t I, int D>
struct Case {
  static constexpr int N = 4;  // elements
  template <class S>
  using Law = typename Catalogue<S, D, N>::template at<I>;
};

template <class... Cases>
struct CaseList {
  using Types = ::testing::Types<Cases...>;
};
template <class A, class B>
struct Joined;
template <class... A, class... B>
struct Joined<CaseList<A...>, CaseList<B...>> {
  using type = CaseList<A..., B...>;
};

/// Laws that do not come in D dimensions stand in the catalogue in one, and are left out.
template <int D, std::size_t I = 0>
constexpr auto cases_from() {
  if constexpr (I == Catalogue<double, D>::size) {
    return CaseList<>{};
  } else {
    using Rest = decltype(cases_from<D, I + 1>());
    if constexpr (Catalogue<double, D>::template at<I>::dimension == D) return typename Joined<CaseList<Case<I, D>>, Rest>::type{};
    else return Rest{};
  }
}
using AllCases = typename Joined<decltype(cases_from<1>()),
                                 typename Joined<decltype(cases_from<2>()), decltype(cases_from<3>())>::type>::type::Types;

struct CaseName {
  template <class C>
  static std::string GetName(int) {
    using Law = typename C::template Law<double>;
    return std::string(Law::about.name) + "_" + std::to_string(Law::dimension) + "d";
  }
};

/// Random numbers that cover decades.
class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  double decades(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }
  bool chance(double p) { return uniform(0, 1) < p; }
  double sign() { return chance(0.5) ? 1 : -1; }
  /// A number of either sign, over decades, sometimes exactly zero.
  double signed_decades(double low, double high) { return chance(0.1) ? 0 : sign() * decades(low, high); }

  /// Parameters within a factor of two of the defaults that pass the law's own checks.
  template <class Law>
  Law law() {
    for (;;) {
      Law law{};
      law.describe([&](std::string_view, auto& value, std::string_view, const Range& range, std::string_view) {
        each_number([&](double& x) { x = std::clamp(x * decades(0.5, 2.0), range.low, range.high); }, value);
        if constexpr (requires { value.size(); }) {
          double sum = 0;
          for (const double x : value) sum += x;
          if (range.role == Role::weight)
            for (double& x : value) x /= sum;
        }
      });
      if (problems_of(law).empty()) return law;
    }
  }

  template <class Law>
  typename Law::Input input() {
    typename Law::Input in{};
    if constexpr (requires { in.gap; }) {
      in.gap = signed_decades(1e-6, 1e-2);
      in.rate = signed_decades(1e-4, 10);
    }
    if constexpr (requires { in.v; }) each_number([&](double& x) { x = signed_decades(1e-8, 1); }, in.v);
    if constexpr (requires { in.load; }) in.load = chance(0.1) ? 0 : decades(0.1, 10);
    return in;
  }

  double step() { return decades(1e-5, 1e-2); }

  /// A state the law can get into: some random steps from the start.
  template <class Law>
  typename Law::State state(const Law& law) {
    auto z = law.start();
    for (int k = static_cast<int>(uniform(0, 20)); k > 0; --k) asperity::step(law, z, input<Law>(), step());
    return z;
  }

 private:
  std::mt19937_64 engine_;
};

/// Every number of a force, a state, an input.
template <class F, class Force>
void each_force(F&& f, Force& force) {
  if constexpr (requires { force.normal; }) {
    f(force.normal);
    each_number(f, force.tangential);
  } else {
    each_number(f, force);
  }
}
template <class F, class Input>
void each_motion(F&& f, Input& in) {
  if constexpr (requires { in.gap; }) {
    f(in.gap);
    f(in.rate);
  }
  if constexpr (requires { in.v; }) each_number(f, in.v);
}

template <class Force>
std::vector<double> flat_force(const Force& force) {
  std::vector<double> all;
  each_force([&](const double& x) { all.push_back(x); }, force);
  return all;
}
template <class Law>
std::vector<double> flat_state(const typename Law::State& z) {
  std::vector<double> all;
  each_state<Law>([&](const double& x) { all.push_back(x); }, z);
  return all;
}

/// Power that flows into a law.
template <class Force, class Input>
auto power(const Force& f, const Input& in) {
  if constexpr (requires { f.normal; }) return dot(f.tangential, in.v) - f.normal * in.rate;
  else if constexpr (requires { in.gap; }) return -f * in.rate;
  else return dot(f, in.v);
}

}  // namespace asperity::testing
