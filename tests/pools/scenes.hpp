// Worlds in which every kind with a kernel is at work, with parameters, orders and neighbours that differ from item to item.
#pragma once

#include <cmath>

#include "asperity/laws.hpp"
#include "asperity/pools/kernels.hpp"

namespace asperity::pools_test {

/// Between 1 - 0.2 and 1 + 0.2, another for every i and c.
inline double spread(std::size_t i, int c) { return 1 + .2 * std::sin(1.7 * double(i) + 2.3 * c); }

inline FrictionalContact<LinearCompliance<double>, SingleState<double, 3>> dry_contact(std::size_t i, double K, double mu) {
  FrictionalContact<LinearCompliance<double>, SingleState<double, 3>> law;
  law.normal = {K * spread(i, 1), 5e-4, 1e-3};
  law.tangential.F = mu * spread(i, 2);
  law.tangential.K = K;
  law.tangential.beta = 4e-4;
  return law;
}
inline RigidBody<double> ball(double mass, double radius, double g) {
  RigidBody<double> body = RigidBody<double>::of(mass, inertia::sphere(mass, radius));
  body.gravity[2] = -g;
  return body;
}

/// A heap: balls in rows that lean on each other and on the floor; the floor's elements come in another order than the balls.
/// Every ball carries a knob, a second ball off its centre, that hits the floor when it comes round.
inline void build_heap(auto& world, std::size_t n) {
  const double R = .1;
  std::vector<BodyId> balls;
  for (std::size_t i = 0; i < n; ++i) {
    Frame<double> start;
    start.p = {{.195 * double(i % 7), .195 * double(i / 7), R + .01 * spread(i, 3)}};
    start.v = {{.5 * spread(i, 4), -.4 * spread(i, 5), 0}};
    start.w = {{3 * spread(i, 6), 1, -2 * spread(i, 7)}};
    auto body = ball(.3 * spread(i, 8), R, 9.8);
    body.inertia[3] = .1 * body.inertia[0];  // not quite a ball inside
    body = RigidBody<double>::of(body.mass, body.inertia);
    body.gravity[2] = -9.8;
    balls.push_back(world.add("ball", body, start));
  }
  BallPlane<double, true> floor;
  floor.radius = R;
  for (std::size_t i = 0; i < n; ++i) world.add("floor", dry_contact(i, 2e4, .4), floor, balls[(i * 5 + 3) % n], ground);
  for (std::size_t i = 0; i < n; ++i) {
    BallPlane<double> knob;
    knob.radius = .02;
    knob.centre = {{0, .01, R}};
    world.add("knob", dry_contact(i, 1e4, .3), knob, balls[i], ground);
  }
  for (std::size_t i = 0; i + 1 < n; ++i)
    world.add("touch", dry_contact(i, 2e4, .4), BallBall<double>{R, R}, balls[i], balls[i + 1]);
  for (std::size_t i = 0; i + 7 < n; ++i)
    world.add("touch", dry_contact(i, 2e4, .4), BallBall<double>{R, R}, balls[i + 7], balls[i]);
}

/// Independent balls on a floor, half of them alike.
inline void build_balls(auto& world, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    Frame<double> start;
    start.p[2] = .2;
    start.v[0] = spread(i, 1);
    start.w[1] = spread(i, 2);
    const auto one = world.add("ball", ball(.3, .2, 9.8), start);
    BallPlane<double, true> floor;
    floor.radius = .2;
    world.add("floor", dry_contact(i < n / 2 ? 0 : i, 2e4, .2), floor, one, ground);
  }
}

/// Boxes that lie on five points each: lanes with points of one box beside lanes with points of two.
inline void build_boxes(auto& world, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    RigidBody<double> body = RigidBody<double>::of(spread(i, 1), inertia::box(spread(i, 1), .2, .3, .1));
    body.gravity[2] = -9.8;
    Frame<double> start;
    start.p = {{.5 * double(i), 0, .05}};
    start.v = {{.5 * spread(i, 2), .1, 0}};
    start.w = {{.3, -.2, spread(i, 3)}};
    const auto box = world.add("box", body, start);
    for (std::size_t k = 0; k < 5; ++k) {
      BallPlane<double, false> point;
      point.centre = {{k == 4 ? 0 : k % 2 ? .1 : -.1, k == 4 ? 0 : k / 2 ? .15 : -.15, -.05}};
      world.add("point", dry_contact(5 * i + k, 2e4, .3), point, box, ground);
    }
  }
}

/// Blocks in a row on rough ground with springs and buffers between them, pushed at one end; a shaken plate under lumps in space.
inline void build_row(auto& world, std::size_t n) {
  std::vector<BodyId> blocks, lumps;
  for (std::size_t i = 0; i < n; ++i)
    blocks.push_back(world.add("block", PointMass<double>{spread(i, 1)}, {.1 * double(i), .2 * spread(i, 2)}));
  SingleState<> rub;
  LinearCompliance<> buffer;
  Spring<> spring;
  for (std::size_t i = 0; i < n; ++i) {
    rub.F = .5 * spread(i, 3);
    rub.K = 5e3;
    world.add("rub", rub, Line<double>{}, blocks[i], ground);
    if (i == 0) continue;
    buffer.K = 1e4 * spread(i, 4);
    world.add("buffer", buffer, Line<double>{.08}, blocks[i], blocks[i - 1]);
    spring.K = 50 * spread(i, 5);
    spring.K3 = 7;
    spring.B = .1;
    world.add("spring", spring, Line<double>{.1}, blocks[i], blocks[i - 1]);
  }
  world.push(blocks[0], 0, [](double t) { return 2 * t; });
  const auto plate = world.template add_given<3>("plate", [](double t) {
    return Port<double, 3>{{{.01 * t, 0, .001 * t * t}}, {{.01, 0, .002 * t}}};
  });
  for (std::size_t i = 0; i < n; ++i) {
    PointMass<double, 3> lump{spread(i, 6), {{0, 0, -9.8}}};
    lumps.push_back(world.add("lump", lump, {{{0, 0, .001}}, {{.1 * spread(i, 7), .2, 0}}}));
    world.add("plate", dry_contact(i, 1e4, .3), PointPlane<double, 3>{}, lumps.back(), plate);
  }
  for (std::size_t i = 0; i < n; ++i) world.add("disc", PointMass<double, 2>{2.0, {{0, -1}}}, {{{0, 0}}, {{spread(i, 8), 0}}});
}

/// Blocks, each on a rough surface of ten asperities.
inline void build_presliding(auto& world, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const auto block = world.add("block", PointMass<double>{1.0}, {0, 1e-4 * spread(i, 1)});
    Multistate<double, 10> law;
    law.F_s = 2.5 * spread(i, 2);
    world.add("rub", law, Line<double>{}, block, ground);
  }
}

}  // namespace asperity::pools_test
