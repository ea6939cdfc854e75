// The examples of the papers as inclusions in C++.
#pragma once

#include "asperity/inclusion/inclusion.hpp"

namespace asperity::testing {

template <class T>
T push_of_fig_3_4(const T& t) {
  using std::cos;
  return t < T(2.0) ? min(T(.55), .5 * t) : .35 + .15 * cos(100.0 * t);
}

/// M v' in f(t) - F sgn(v)                                                                          [xiong2013 (3.10), (3.11)]
inline auto held() {
  return inclusion(std::array{0.0, 0.0}, [](auto& in, const auto& t, const auto& x) {
    const auto& [p, v] = x;
    return in.rates(v, push_of_fig_3_4(t) - in.sgn(.5, v, Sgn{5e3, 2e-3}));
  });
}

/// M v' in dio(p) - M g                                                                                  [xiong2013 (3.16)]
inline auto bounce(double alpha) {
  return inclusion(std::array{1.0, 0.0}, [=](auto& in, const auto&, const auto& x) {
    const auto& [p, v] = x;
    return in.rates(v, in.dio(p, Dio{1e5, .01, alpha}) - 9.8);
  });
}

/// A point thrown on a rough plane                                                                     [xiong2012 (19)-(22)]
inline auto point_on_a_plane() {
  constexpr double M = 1, mu = .3;
  return inclusion(std::array{0., 0., 0., 2., 1., 0.}, [=](auto& in, const auto&, const auto& x) {
    const auto& [px, py, pz, vx, vy, vz] = x;
    const auto N = in.dio(pz, Dio{1e5, 4e-3, 3e-3});
    using S = std::remove_const_t<decltype(N)>;
    const auto f = in.sgn(mu * N, VecN<S, 2>{{vx, vy}}, Sgn{1e5, 4e-3});
    return in.rates(vx, vy, vz, -f[0] / M, -f[1] / M, N / M - 9.8);
  });
}

/// Example I: a sphere that bounces, slides and rolls                                              [xiong2013 (3.21)-(3.27)]
inline auto sphere() {
  constexpr double M = 1, R = .5, mu = .1, I = .4 * M * R * R;
  return inclusion(std::array{0., 0., 2 * R, 5.5, 0., 0., 0., 0.}, [=](auto& in, const auto&, const auto& x) {
    const auto& [px, py, pz, vx, vy, vz, wx, wy] = x;
    const auto N = in.dio(pz - R, Dio{1e5, 4e-3, 2.8e-3});
    using S = std::remove_const_t<decltype(N)>;
    const auto f = in.sgn(mu * N, VecN<S, 2>{{vx - R * wy, vy + R * wx}}, Sgn{1e5, 4e-3});
    return in.rates(vx, vy, vz, -f[0] / M, -f[1] / M, N / M - 9.8, -R * f[1] / I, R * f[0] / I);
  });
}

/// Example II: two blocks, a wall, a conveyor                                                            [xiong2013 (3.28)]
inline auto two_blocks() {
  constexpr double M1 = .5, M2 = 1, Ks = 100, mu = .5, g = 9.8, u = 1;
  constexpr Dio hard{5e5, 2e-3, 1.6e-3};
  constexpr Sgn rough{5e5, 2e-3};
  return inclusion(std::array{0., .25, .05, 0., 0., 0., 0., 0.}, [=](auto& in, const auto&, const auto& x) {
    const auto& [p1x, p1y, p2x, p2y, v1x, v1y, v2x, v2y] = x;
    const auto wall = in.dio(p1x, hard), touch = in.dio(p2x - p1x, hard), belt = in.dio(p2y, hard);
    const auto on_wall = in.sgn(mu * wall, v1y, rough);
    const auto between = in.sgn(mu * touch, v1y - v2y, rough);
    const auto on_belt = in.sgn(mu * belt, v2x + u, rough);
    return in.rates(v1x, v1y, v2x, v2y, (wall - touch) / M1, (-on_wall - between - Ks * p1y) / M1, (-on_belt + touch) / M2,
                    (between + belt) / M2 - g);
  });
}

/// Example III: a block on a belt, held by a Duffing spring; friction falls with the speed                [xiong2013 (3.38)]
inline auto belt_and_spring(double F) {
  return inclusion(std::array{1.19149, 1.0}, [=](auto& in, const auto&, const auto& x) {
    const auto& [p, v] = x;
    const auto w = v - 1.0;  // over the belt
    return in.rates(v, p - p * p * p - in.sgn(F / (1.0 + abs(w)), w, Sgn{1e5, .5}));
  });
}

}  // namespace asperity::testing
