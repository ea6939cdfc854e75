// Where shapes meet: closed forms, an independent search of the separating axis, ODE, and what must hold for every pair.
#include "asperity/shapes/meet.hpp"

#include <gtest/gtest.h>

#include <map>

#include "asperity/bodies/bodies.hpp"
#include "asperity/scalar/dual.hpp"
#include "asperity/shapes/moving.hpp"
#include "poses.hpp"
#include "sanitized.hpp"
#ifdef ASPERITY_HAS_ODE
#include <ode/ode.h>
#endif

namespace asperity::meet_test {
namespace {

using Kind = Shape::Kind;

std::array<Point, 3> axes_of(const Pose<double>& at) { return meeting::axes(at.q); }

/// Corners of a box, one by one: nothing of the code under test.
std::vector<Point> corners(const Shape& box, const Pose<double>& at) {
  std::vector<Point> list;
  for (const double x : {-1., 1.})
    for (const double y : {-1., 1.})
      for (const double z : {-1., 1.})
        list.push_back(at.p + rotate(at.q, Point{{x * box.half[0], y * box.half[1], z * box.half[2]}}));
  return list;
}
struct Separation {
  double gap = -1e300;
  Point normal{};
  bool by_edges = false;
};
/// By projecting all corners on 15 axes.
Separation separation(const Shape& a, const Pose<double>& at_a, const Shape& b, const Pose<double>& at_b) {
  std::vector<Point> list;
  const auto of_a = axes_of(at_a), of_b = axes_of(at_b);
  list.insert(list.end(), of_a.begin(), of_a.end());
  list.insert(list.end(), of_b.begin(), of_b.end());
  for (const Point& u : of_a)
    for (const Point& v : of_b)
      if (magnitude(cross(u, v)) > 1e-6) list.push_back(cross(u, v) / magnitude(cross(u, v)));
  Separation best;
  for (std::size_t i = 0; i < list.size(); ++i)
    for (const double sign : {-1., 1.}) {
      const Point n = sign * list[i];
      double low = 1e300, high = -1e300;
      for (const Point& p : corners(a, at_a)) low = std::min(low, dot(n, p));
      for (const Point& p : corners(b, at_b)) high = std::max(high, dot(n, p));
      if (low - high > best.gap) best = {low - high, n, i >= 6};
    }
  return best;
}

TEST(Meet, SpheresAreApartByTheirCentres) {
  Chance chance(1);
  for (int i = 0; i < 100; ++i) {
    const Shape a = any_shape(Kind::sphere, chance), b = any_shape(Kind::sphere, chance);
    const Pose<double> at_a = chance.pose(0.3), at_b = chance.pose(0.3);
    const auto m = meet(a, at_a, b, at_b);
    ASSERT_EQ(m.count, 1);
    const Point d = at_a.p - at_b.p;
    EXPECT_NEAR(m.points[0].gap, magnitude(d) - a.radius - b.radius, 1e-15);
    EXPECT_NEAR(dot(m.points[0].normal, d), magnitude(d), 1e-14);
    // Halfway between the surfaces.
    EXPECT_NEAR(magnitude(m.points[0].at - at_a.p) - a.radius, m.points[0].gap / 2, 1e-14);
    EXPECT_NEAR(magnitude(m.points[0].at - at_b.p) - b.radius, m.points[0].gap / 2, 1e-14);
  }
}

TEST(Meet, ABoxOnAPlaneHasItsLowestCorner) {
  Chance chance(2);
  for (int i = 0; i < 100; ++i) {
    const Shape box = any_shape(Kind::box, chance);
    const Pose<double> at = chance.pose(0.1), plane = chance.pose(0.1);
    double lowest = 1e300;
    for (const Point& p : corners(box, at)) lowest = std::min(lowest, dot(axes_of(plane)[2], p - plane.p));
    const auto m = meet(box, at, Shape::plane(), plane);
    ASSERT_EQ(m.count, 8);
    EXPECT_NEAR(deepest(m)->gap, lowest, 1e-15);
  }
}

/// A ball and a box: the distance of the centre from the box, by a search over its surface from the closed form of the three cases.
TEST(Meet, ABallOnABoxTouchesFaceEdgeOrCorner) {
  const Shape box = Shape::box(0.2, 0.4, 0.6), ball = Shape::sphere(0.05);
  Chance chance(3);
  for (int i = 0; i < 200; ++i) {
    const Pose<double> at = chance.pose(1);
    const Point c = chance.point(0.4);
    const Point beyond{
        {std::max(0.0, std::abs(c[0]) - 0.1), std::max(0.0, std::abs(c[1]) - 0.2), std::max(0.0, std::abs(c[2]) - 0.3)}};
    const double outside = magnitude(beyond);
    const double inside = std::min({0.1 - std::abs(c[0]), 0.2 - std::abs(c[1]), 0.3 - std::abs(c[2])});
    const auto m = meet(ball, Pose<double>{at.p + rotate(at.q, c), chance.rotation()}, box, at);
    ASSERT_EQ(m.count, 1);
    EXPECT_NEAR(m.points[0].gap, (outside > 0 ? outside : -inside) - 0.05, 1e-14);
    EXPECT_NEAR(magnitude(m.points[0].normal), 1, 1e-14);
  }
}

TEST(Meet, CapsulesThatCrossOrLieSideBySide) {
  const Shape a = Shape::capsule(0.05, 0.4), b = Shape::capsule(0.03, 0.4);
  // Crossed at a right angle, one 0.09 above the other: 0.09 - 0.08.
  const Pose<double> up{{{0.02, 0.03, 0.09}}, Chance::turned({{0, 1, 0}}, M_PI / 2)},
      down{{}, Chance::turned({{1, 0, 0}}, M_PI / 2)};
  auto m = meet(a, up, b, down);
  EXPECT_NEAR(deepest(m)->gap, 0.01, 1e-15);
  EXPECT_NEAR(deepest(m)->weight, 1, 1e-12);
  // Side by side, displaced by 0.1 along their axes: they share a stretch of 0.3, at whose ends each has half.
  const Pose<double> beside{{{0.079, 0, 0.1}}, {}};
  m = meet(a, beside, b, Pose<double>{});
  double sum = 0;
  Point middle{};
  for (int i = 0; i < m.count; ++i) {
    const auto& one = m.points[std::size_t(i)];
    if (one.weight == 0) continue;
    sum += one.weight;
    middle = middle + one.weight * one.at;
    EXPECT_NEAR(one.gap, -0.001, 1e-15);
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_NEAR(middle[2], 0.05, 1e-12);
}

/// A rod across the edge of a table rests on the edge and on its end.
TEST(Meet, ACapsuleAcrossAnEdge) {
  const Shape rod = Shape::capsule(0.02, 0.5), table = Shape::box(1, 1, 0.1);
  const Pose<double> on{{{0.4, 0.1, 0.05 + 0.02 - 1e-6}}, Chance::turned({{0, 1, 0}}, M_PI / 2)};
  const auto m = meet(rod, on, table, Pose<double>{});
  const Wrench<double> w = pressed(m);
  EXPECT_GT(w.f[2], 0.9e-6);
  EXPECT_NEAR(w.f[0], 0, 1e-15);
  bool at_edge = false, at_end = false;
  for (int i = 0; i < m.count; ++i) {
    const auto& one = m.points[std::size_t(i)];
    if (one.gap < 0) at_edge |= std::abs(one.at[0] - 0.5) < 1e-6, at_end |= std::abs(one.at[0] - 0.15) < 1e-12;
  }
  EXPECT_TRUE(at_edge && at_end);
}

/// Boxes of any size, turned anyhow, pushed together until they overlap by a depth along the axis that separates them last.
class BoxesByDepth : public testing::TestWithParam<double> {};
TEST_P(BoxesByDepth, AreAsDeepAsTheSeparatingAxisSays) {
  Chance chance(4);
  const double depth = GetParam();
  constexpr int boxes = sanitized ? 400 : 4000;
  int edges = 0, found = 0;
  for (int i = 0; i < boxes; ++i) {
    const Shape a = any_shape(Kind::box, chance), b = any_shape(Kind::box, chance);
    Pose<double> at_a = chance.pose(0.5);
    const Pose<double> at_b = chance.pose(0.1);
    for (int round = 0; round < 100; ++round) {
      const Separation now = separation(a, at_a, b, at_b);
      if (std::abs(now.gap + depth) < 1e-15) break;
      at_a.p = at_a.p - (now.gap + depth) * now.normal;
    }
    const Separation truth = separation(a, at_a, b, at_b);
    if (std::abs(truth.gap + depth) > 1e-13) continue;
    const auto m = meet(a, at_a, b, at_b);
    const auto* one = deepest(m);
    // What overlaps by so little can do so where no corner of the two faces is above the other.
    ASSERT_NE(one, nullptr) << i;
    ++found;
    edges += truth.by_edges;
    EXPECT_NEAR(one->gap, -depth, 1e-12 + (one->id <= 64 * 36 ? 0.03 : 0) * depth) << i << " " << truth.by_edges << " " << one->id;
#ifdef ASPERITY_HAS_ODE
    const auto matrix = [](const Pose<double>& at, dReal* R) {
      const auto axis = axes_of(at);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) R[4 * r + c] = axis[std::size_t(c)][r];
    };
    dMatrix3 Ra{}, Rb{};
    matrix(at_a, Ra), matrix(at_b, Rb);
    dVector3 pa{at_a.p[0], at_a.p[1], at_a.p[2]}, pb{at_b.p[0], at_b.p[1], at_b.p[2]}, normal{};
    dVector3 sa{2 * a.half[0], 2 * a.half[1], 2 * a.half[2]}, sb{2 * b.half[0], 2 * b.half[1], 2 * b.half[2]};
    dReal theirs = 0;
    int code = 0;
    dContactGeom geoms[8];
    const int n = dBoxBox(pa, Ra, sa, pb, Rb, sb, normal, &theirs, &code, 8, geoms, sizeof(dContactGeom));
    ASSERT_GT(n, 0);
    EXPECT_NEAR(one->gap, -theirs, 1e-12 + 0.06 * depth) << i;
#endif
  }
  EXPECT_GT(found, boxes / 40 * 39);
  EXPECT_GT(edges, boxes / 40);
}
INSTANTIATE_TEST_SUITE_P(Depths, BoxesByDepth, testing::Values(1e-8, 1e-6, 1e-4));

class AllPairs : public testing::TestWithParam<std::pair<Kind, Kind>> {
 protected:
  /// Calls f(a, pose of a, b, pose of b) with many that are near each other or overlap.
  template <class F>
  void each(unsigned seed, F&& f) {
    Chance chance(seed);
    const auto [one, other] = GetParam();
    for (int i = 0; i < 300; ++i) {
      const Shape a = any_shape(one, chance), b = any_shape(other, chance);
      const Pose<double> at_a = chance.pose(0.15), at_b = chance.pose(0.15);
      f(a, at_a, b, at_b, chance);
    }
  }
};

TEST_P(AllPairs, SwappedAreTheSameTheOtherWay) {
  each(5, [](const Shape& a, const Pose<double>& at_a, const Shape& b, const Pose<double>& at_b, Chance&) {
    const auto one = meet(a, at_a, b, at_b), other = meet(b, at_b, a, at_a);
    ASSERT_EQ(one.count, other.count);
    const Wrench<double> w = pressed(one), back = pressed(other);
    EXPECT_LT(magnitude(w.f + back.f), 1e-13);
    EXPECT_LT(magnitude(w.m + back.m), 1e-13);
  });
}

TEST_P(AllPairs, MovedTogetherAreTheSameThere) {
  each(6, [](const Shape& a, const Pose<double>& at_a, const Shape& b, const Pose<double>& at_b, Chance& chance) {
    const Pose<double> by = chance.pose(2);
    const auto here = meet(a, at_a, b, at_b), there = meet(a, by * at_a, b, by * at_b);
    ASSERT_EQ(here.count, there.count);
    for (int i = 0; i < here.count; ++i) {
      const auto &p = here.points[std::size_t(i)], &q = there.points[std::size_t(i)];
      EXPECT_EQ(p.id, q.id);
      EXPECT_NEAR(p.gap, q.gap, 1e-13);
      EXPECT_NEAR(p.weight, q.weight, 1e-9);
      EXPECT_LT(magnitude(by.p + rotate(by.q, p.at) - q.at), 1e-10);
      EXPECT_LT(magnitude(rotate(by.q, p.normal) - q.normal), 1e-10);
    }
  });
}

/// Every number by central differences along a motion of both bodies: by dual numbers, and by rates.
TEST_P(AllPairs, DerivativesAreThoseOfDifferences) {
  int compared = 0;
  each(7, [&](const Shape& a, const Pose<double>& at_a, const Shape& b, const Pose<double>& at_b, Chance& chance) {
    const auto motion = [&](const Pose<double>& at) { return Frame<double>{at.p, at.q, chance.point(1), chance.point(3)}; };
    const Frame<double> z_a = motion(at_a), z_b = motion(at_b);
    const auto rate_of = [](const Frame<double>& z) { return RigidBody<double>::turning(z); };
    const auto placed = [&](const Frame<double>& z, double t) {
      const Quaternion<double> r = rate_of(z);
      return Pose<double>{z.p + t * z.v, {z.q.w + t * r.w, z.q.u + t * r.u}};
    };
    const double h = 1e-6;
    const auto before = meet(a, placed(z_a, -h), b, placed(z_b, -h)), after = meet(a, placed(z_a, h), b, placed(z_b, h));
    const auto now = meet(a, moving(z_a, rate_of(z_a)), b, moving(z_b, rate_of(z_b)));
    const auto dual = [&](const Frame<double>& z) {
      const auto number = [](double x, double rate) {
        Dual<8> d(x);
        d.v[3] = rate;
        return d;
      };
      const Quaternion<double> r = rate_of(z);
      Pose<Dual<8>> at;
      for (int i = 0; i < 3; ++i) at.p[i] = number(z.p[i], z.v[i]), at.q.u[i] = number(z.q.u[i], r.u[i]);
      at.q.w = number(z.q.w, r.w);
      return at;
    };
    const auto by_dual = meet(a, dual(z_a), b, dual(z_b));
    ASSERT_EQ(now.count, by_dual.count);
    if (before.count != now.count || after.count != now.count) return;  // a corner appears just here
    for (int i = 0; i < now.count; ++i) {
      const auto &p = before.points[std::size_t(i)], &q = after.points[std::size_t(i)];
      const auto& m = now.points[std::size_t(i)];
      const auto& d = by_dual.points[std::size_t(i)];
      if (p.id != q.id || p.id != m.id) return;
      const auto close = [&](double low, double high, const Moving<double>& by_rate, const Dual<8>& by_dual_number, double size) {
        EXPECT_NEAR((high - low) / (2 * h), by_rate.rate, 3e-3 * size + 1e-3 * std::abs(by_rate.rate));
        EXPECT_NEAR(by_rate.rate, by_dual_number.v[3], 1e-9 * (size + std::abs(by_rate.rate)));
        EXPECT_NEAR(by_rate.a, by_dual_number.a, 1e-12);
      };
      close(p.gap, q.gap, m.gap, d.gap, 1);
      close(p.weight, q.weight, m.weight, d.weight, 1);
      for (int k = 0; k < 3; ++k) {
        close(p.normal[k], q.normal[k], m.normal[k], d.normal[k], 1);
        close(p.at[k], q.at[k], m.at[k], d.at[k], 1);
      }
      ++compared;
    }
  });
  EXPECT_GT(compared, 200);
}

TEST_P(AllPairs, NoMorePointsThanSaid) {
  const auto [one, other] = GetParam();
  each(8,
       [&, one = one, other = other](const Shape& a, const Pose<double>& at_a, const Shape& b, const Pose<double>& at_b, Chance&) {
         const auto m = meet(a, at_a, b, at_b);
         EXPECT_LE(m.count, most_points(one, other));
         std::map<int, int> ids;
         for (int i = 0; i < m.count; ++i) EXPECT_EQ(++ids[m.points[std::size_t(i)].id], 1);
       });
}

INSTANTIATE_TEST_SUITE_P(Kinds, AllPairs,
                         testing::Values(std::pair{Kind::sphere, Kind::sphere}, std::pair{Kind::sphere, Kind::capsule},
                                         std::pair{Kind::sphere, Kind::box}, std::pair{Kind::sphere, Kind::plane},
                                         std::pair{Kind::capsule, Kind::capsule}, std::pair{Kind::capsule, Kind::box},
                                         std::pair{Kind::capsule, Kind::plane}, std::pair{Kind::box, Kind::box},
                                         std::pair{Kind::box, Kind::plane}));

/// The trap of clipped corners: equal boxes, aligned or at 45 degrees, under noise of a nanometre have 4, 6 or 8 of them.
class Noise : public testing::TestWithParam<double> {};
TEST_P(Noise, KeepsForceAndMoment) {
  Chance chance(9);
  const Shape box = Shape::box(0.1, 0.1, 0.1);
  const Quaternion<double> yaw = Chance::turned({{0, 0, 1}}, GetParam());
  const double depth = 1e-6;
  std::map<int, int> counts;
  for (int i = 0; i < 5000; ++i) {
    const auto shaken = [&](const Point& p, const Quaternion<double>& q) {
      return Pose<double>{p + chance.point(1e-9), Chance::turned(chance.direction(), 1e-8) * q};
    };
    const auto m = meet(box, shaken({{0, 0, 0.1 - depth}}, yaw), box, shaken({}, {}));
    ++counts[m.count];
    const Wrench<double> w = pressed(m);
    EXPECT_NEAR(w.f[2], depth, 0.01 * depth);
    EXPECT_LT(std::hypot(w.m[0], w.m[1]), 0.02 * depth * 0.05);
    double sum = 0;
    for (int k = 0; k < m.count; ++k) sum += m.points[std::size_t(k)].weight;
    EXPECT_NEAR(sum, 1, 1e-12);
  }
  if (GetParam() == 0) {
    EXPECT_GT(counts.size(), 1U) << "the noise is to change the number of corners";
  }
}
INSTANTIATE_TEST_SUITE_P(Turned, Noise, testing::Values(0.0, 0.3, M_PI / 4, M_PI / 2));

/// A box that slides over the edge of another, and one that turns on it: force and moment change a little with every little step.
TEST(Meet, ForcesAreContinuousWhereCornersComeAndGo) {
  const Shape box = Shape::box(0.1, 0.12, 0.08), table = Shape::box(0.2, 0.2, 0.1);
  const double depth = 1e-6;
  Wrench<double> last{};
  for (int i = 0; i <= 20000; ++i) {
    const double s = i / 20000.0;
    const Pose<double> at{{{-0.02 + 0.15 * s, 0.07 * s, 0.05 + 0.04 - depth}}, Chance::turned({{0, 0, 1}}, 3 * s)};
    const auto m = meet(box, at, table, Pose<double>{});
    if (m.count == 0) break;
    const Wrench<double> w = pressed(m);
    if (i > 0) {
      EXPECT_LT(magnitude(w.f - last.f), 1e-3 * depth) << i;
      EXPECT_LT(magnitude(w.m - last.m), 1e-3 * depth * 0.1) << i;
    }
    last = w;
  }
}

/// The pressed corners of a face that lies flat press at the middle of the area they share.
TEST(Meet, AFlatFacePressesAtTheMiddleOfWhatItShares) {
  const Shape box = Shape::box(0.2, 0.2, 0.2);
  // Overhanging in x by 0.05 and in y by 0.02: shared are 0.15 x 0.18, from (-0.05, -0.08) to (0.1, 0.1) of the upper one at (0.05,
  // 0.02).
  const auto m = meet(box, Pose<double>{{{0.05, 0.02, 0.2 - 1e-5}}, {}}, box, Pose<double>{});
  const Wrench<double> w = pressed(m);
  EXPECT_NEAR(w.f[2], 1e-5, 1e-15);
  EXPECT_NEAR(-w.m[1] / w.f[2], 0.025, 1e-12);
  EXPECT_NEAR(w.m[0] / w.f[2], 0.01, 1e-12);
}

}  // namespace
}  // namespace asperity::meet_test
