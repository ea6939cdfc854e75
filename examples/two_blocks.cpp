// Two blocks, a wall and a conveyor, written as their differential inclusion, xiong2013 (3.28): M1 is thrown down along a wall and
// held by a spring, M2 rides on a conveyor towards it. Contact is dio, dry friction is sgn.
#include <asperity/inclusion/inclusion.hpp>
#include <asperity/integrate/integrator.hpp>
#include <asperity/laws.hpp>
#include <cstdio>

int main() {
  const double M1 = .5, M2 = 1, Ks = 100, mu = .5, g = 9.8, u = 1;
  const asperity::Dio hard{.K = 5e5, .beta = 2e-3, .alpha = 1.6e-3};
  const asperity::Sgn rough{.K = 5e5, .beta = 2e-3};
  const std::array start{0., .25, .05, 0., 0., 0., 0., 0.};

  auto blocks = asperity::inclusion(start, [=](auto& in, const auto&, const auto& x) {
    const auto& [p1x, p1y, p2x, p2y, v1x, v1y, v2x, v2y] = x;
    const auto wall = in.dio(p1x, hard), touch = in.dio(p2x - p1x, hard), belt = in.dio(p2y, hard);
    const auto on_wall = in.sgn(mu * wall, v1y, rough);
    const auto between = in.sgn(mu * touch, v1y - v2y, rough);
    const auto on_belt = in.sgn(mu * belt, v2x + u, rough);
    return in.rates(v1x, v1y, v2x, v2y,                    //
                    (wall - touch) / M1,                   //
                    (-on_wall - between - Ks * p1y) / M1,  //
                    (-on_belt + touch) / M2,               //
                    (between + belt) / M2 - g);
  });

  const auto rk4 = asperity::make_integrator("rk4", blocks, {.step = 2e-5});
  rk4->start(0, blocks.start());
  for (const double t : {.14, .4}) {
    rk4->advance(t);
    const auto x = rk4->state();
    std::printf("t %.2f s  p1 %8.5f %8.5f m  p2 %8.5f %8.5f m\n", t, x[0], x[1], x[2], x[3]);
  }
}
