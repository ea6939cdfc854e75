// What follows from a law that nobody has written a rule for, against what its equations say on paper.
#include "asperity/statics.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "add_a_law/grease.hpp"
#include "asperity/laws.hpp"
#include "asperity/setup/rigid_limit.hpp"
#include "foreign/bliman_sorine.hpp"

namespace asperity {
namespace {

// Dragged by s it has f_1 (1 - exp(-s/(eta eps))) - f_2 (1 - exp(-s/eps)); the slope is zero where
// f_1/eta exp(-s/(eta eps)) = f_2 exp(-s/eps), and the force there is what it holds at most.
TEST(ForeignStatics, BlimanAndSorine) {
  const BlimanSorine<> law;
  const double eps = law.eps_f, eta = law.eta, peak = eps * std::log(law.f_1 / (eta * law.f_2)) / (1 / eta - 1);
  const double highest = law.f_1 * (1 - std::exp(-peak / (eta * eps))) - law.f_2 * (1 - std::exp(-peak / eps));
  for (const double load : {1.0, 2.5}) {
    const Stiffness part = statics::stiffness(law, load);
    EXPECT_EQ(part.kind, Stiffness::Kind::bristle);
    EXPECT_NEAR(part.K, law.f_1 / (eta * eps) - law.f_2 / eps, 1e-6 * part.K);
    EXPECT_EQ(part.B, 0);
    EXPECT_NEAR(part.hold, highest * load, 1e-3 * highest * load);
    EXPECT_NEAR(part.slide, (law.f_1 - law.f_2) * load, 1e-9);
    EXPECT_TRUE(part.keeps);
    EXPECT_EQ(part.memory, std::numeric_limits<double>::infinity());
  }
  // The state under a load is one of the way there: it has that force, and the two bristles have been dragged by the same way.
  const auto z = statics::holding(law, 0.9, 1.0);
  EXPECT_NEAR(law.react(z, {0.0, 1.0}, 0.0).f, 0.9, 1e-9);
  const double way_1 = -eta * eps * std::log(1 - z.a_1 / (eta * eps)), way_2 = -eps * std::log(1 - z.a_2 / eps);
  EXPECT_NEAR(way_1, way_2, 0.01 * way_2);
}

// Grease: K at once; at rest it relaxes at the rate V K/F, dragged at v it has F v/(v + V).
TEST(ForeignStatics, Grease) {
  const Grease<> law;
  const Stiffness part = statics::at_speed(law, 1.0, 2e-3);
  EXPECT_EQ(part.kind, Stiffness::Kind::bristle);
  EXPECT_EQ(part.K, law.K);
  EXPECT_NEAR(part.memory, law.F / (law.V * law.K), 1e-5 * part.memory);
  EXPECT_NEAR(part.sliding, law.F * 2e-3 / (2e-3 + law.V), 1e-9);
  EXPECT_FALSE(part.keeps);
  EXPECT_EQ(statics::holding(law, 0.3, 1.0).a, 0.3 / law.K);
}

// The laws of the catalogue offer closed forms; what follows from react() alone is the same.
TEST(ForeignStatics, ClosedFormsAreTheOnesThatFollow) {
  const SingleState<double, 1, Stribeck> single;
  EXPECT_NEAR(statics::breakaway(single, 2.0), 2 * single.F_s, 1e-3 * single.F_s);
  const Dahl<> dahl;
  EXPECT_NEAR(statics::breakaway(dahl, 1.0), dahl.F, 1e-3);
  const LuGre<> lugre;
  EXPECT_NEAR(statics::steady_force(lugre, 1.0, 1.0), lugre.F_c, 1e-9);
  const LinearCompliance<> soft;
  const Stiffness solid = statics::stiffness(soft, 1e-3);
  EXPECT_NEAR(solid.K, soft.K, 1e-9 * soft.K);
  EXPECT_NEAR(solid.alpha, soft.alpha, 1e-12);
  EXPECT_NEAR(solid.beta, soft.beta, 1e-12);
}

// The rigid limit of a law that has a length instead of a stiffness: the load that it is made for moves it no further than
// promised.
TEST(ForeignStatics, RigidLimit) {
  const double load = 0.8;
  const auto law = rigid(BlimanSorine<>{}, load, 1, 1e-3);
  EXPECT_LT(law.eps_f, 1e-6 * BlimanSorine<>{}.eps_f * 100);
  const auto elastic = statics::stiffness(law, 1.0);
  EXPECT_LE(load * bristle_share / elastic.K, rigid_displacement);
  EXPECT_EQ(law.f_1, BlimanSorine<>{}.f_1);
  EXPECT_EQ(law.eta, BlimanSorine<>{}.eta);
  EXPECT_FALSE(why_not_rigid(BlimanSorine<>::about, parameters_of(law)));
  EXPECT_NE(why_not_rigid(Grease<>::about, parameters_of(Grease<>{}))->find("grease creeps under a load, whatever its stiffness"),
            std::string::npos);
}

}  // namespace
}  // namespace asperity
