// The silent row of the law suite: in a control loop a law allocates nothing and throws nothing.
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/catalogue.hpp"
#include "asperity/step.hpp"
#include "counted_allocations.hpp"

namespace asperity {
namespace {

template <class V>
V along(double speed) {
  if constexpr (requires(V v) { v.x; }) {
    V v{};
    for (double& x : v.x) x = speed;
    return v;
  } else {
    return speed;
  }
}

template <class Law>
typename Law::Input input(double t) {
  const double speed = 0.01 * std::sin(t), gap = 1e-4 * std::sin(3 * t);
  if constexpr (Law::about.kind == Kind::friction) return {along<typename Law::Force>(speed), 1 + std::sin(7 * t)};
  else if constexpr (Law::about.kind == Kind::contact) return {gap, speed};
  else return {gap, speed, along<decltype(typename Law::Input{}.v)>(speed)};
}

double sum_of(double force) { return force; }
template <int D>
double sum_of(const VecN<double, D>& force) {
  return magnitude(force);
}
template <int D>
double sum_of(const TouchForce<double, D>& force) {
  return force.normal + sum_of(force.tangential);
}

template <class Law>
void run_silently() {
  using Z = typename Law::State;
  using In = typename Law::Input;
  static_assert(noexcept(std::declval<const Law&>().react(std::declval<const Z&>(), std::declval<const In&>(), 1e-3)));
  static_assert(noexcept(step(std::declval<const Law&>(), std::declval<Z&>(), std::declval<const In&>(), 1e-3)));
  static_assert(noexcept(std::declval<const Law&>().start()));
  static_assert(noexcept(std::declval<const Law&>().energy(std::declval<const Z&>(), std::declval<const In&>())));
  if constexpr (Hybrid<Law>)
    static_assert(noexcept(std::declval<const Law&>().transit(std::declval<Z&>(), std::declval<const In&>())));

  SCOPED_TRACE(Law::about.name);
  const long before = allocations;
  const Law law;
  double sum = 0;
  for (int restart = 0; restart < 10; ++restart) {
    Z z = law.start();
    for (int k = 0; k < 1000; ++k) {
      const In in = input<Law>(1e-3 * k);
      sum += sum_of(law.react(z, in, 1e-3).f);
      sum += sum_of(step(law, z, in, 1e-3));
      if constexpr (Hybrid<Law>) law.transit(z, in);
      sum += law.energy(z, in);
    }
  }
  const long after = allocations;
  EXPECT_EQ(after - before, 0);
  EXPECT_TRUE(std::isfinite(sum));
}

template <int D>
void run_all_silently() {
  Catalogue<double, D>::each([]<class Law>() {
    if constexpr (Law::dimension == D) run_silently<Law>();
  });
}

TEST(ControlPath, AllocationsAreCounted) {
  const long before = allocations;
  // called as functions: a compiler may leave out a new-expression that is deleted at once
  ::operator delete(::operator new(8));
  ::operator delete[](::operator new[](8));
  EXPECT_EQ(allocations - before, 2);
}
TEST(ControlPath, IsSilentInOneDimension) { run_all_silently<1>(); }
TEST(ControlPath, IsSilentInThePlane) { run_all_silently<2>(); }
TEST(ControlPath, IsSilentInSpace) { run_all_silently<3>(); }

}  // namespace
}  // namespace asperity
