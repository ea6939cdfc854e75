// Impacts as a program asks for them: typed answers, progress, stop.
#include "asperity/design/impacts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "asperity/design/tell.hpp"

namespace asperity::design::impacts_test {
namespace {

ImpactRequest request_of(const char* law) {
  ImpactRequest request;
  request.law = make_law(law);
  return request;
}

TEST(Impacts, AreThoseOfEachSpeed) {
  ImpactRequest request = request_of("hunt_crossley");
  request.speeds = {0.1, 1, 10};
  ASSERT_TRUE(problems_of(request).empty());
  const ImpactAnswer answer = impacts(request);
  ASSERT_EQ(answer.rebounds.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(answer.rebounds[i].restitution, rebound(*request.law, 1, request.speeds[i]).restitution);
    EXPECT_EQ(answer.restitutions[i], answer.rebounds[i].restitution);
  }
  EXPECT_EQ(impacts(request_of("hunt_crossley")).speeds, usual_speeds());
}

// Parts between which hooks are called do not change a bit.
TEST(Impacts, AMapIsTheSameWithHooksAndCanBeStopped) {
  ImpactRequest request = request_of("nonlinear_compliance");
  request.sweeps = {{"beta1", 0, 6e-3, 61}, {"v0", 0.1, 10, 700, true}};
  request.threads = 1;
  const ImpactAnswer whole = impacts(request);
  EXPECT_EQ(whole.restitutions, restitutions(*request.law, 1, 1, request.sweeps, {.tolerance = 1e-6, .threads = 2}));
  int told = 0, asked = 0;
  request.hooks.progress = [&](const Progress& now) {
    EXPECT_EQ(now.all, 61 * 700);
    ++told;
  };
  request.hooks.stop = [&] { return ++asked > 1; };
  const ImpactAnswer part = impacts(request);
  EXPECT_GT(told, 0);
  EXPECT_TRUE(part.stopped);
  EXPECT_GT(part.failed, 0U);
  EXPECT_LT(part.failed, part.restitutions.size());
  for (std::size_t i = 0; i < part.restitutions.size(); ++i)
    EXPECT_TRUE(std::isnan(part.restitutions[i]) || part.restitutions[i] == whole.restitutions[i]) << i;
}

TEST(Impacts, AllThatIsWrongIsSaid) {
  EXPECT_EQ(problems_of(ImpactRequest{}).size(), 1U);
  EXPECT_EQ(problems_of(request_of("lugre")).size(), 1U);  // no contact law
  ImpactRequest request = request_of("nonlinear_compliance");
  request.mass = -1, request.tolerance = 1, request.threads = -3;
  request.sweeps = {{"beta3", 0, 1, 5}, {"v0", 2, 1, 5}};
  EXPECT_EQ(problems_of(request).size(), 5U);
  request = request_of("nonlinear_compliance");
  request.sweeps = {{"beta1", 0, 1e-3, 5}};
  EXPECT_EQ(problems_of(request), std::vector<std::string>{"no speed given: of the impact, in m/s; or sweep v0"});
}

TEST(Friction, AWishOutOfRangeIsRefused) {
  FrictionWish wish;
  EXPECT_TRUE(problems_of(wish).empty());
  EXPECT_TRUE(hold(wish).delivers());
  wish.mass = 0, wish.step = NAN;
  EXPECT_EQ(problems_of(wish).size(), 2U);
  wish = {};
  wish.displacement = 1e-12;  // stiffer than the step allows
  const HeldFriction held = hold(wish);
  EXPECT_FALSE(held.delivers());
  ASSERT_EQ(shortfalls(wish, held.design).size(), 1U);
  EXPECT_TRUE(shortfalls(wish, held.design)[0].starts_with("hold-displacement = "));
}

// Three runs: a disturbance that decays, a load that grows to the limit, an oscillation.
TEST(Friction, ItsRunsReportProgressAndStopWhenAsked) {
  const FrictionWish wish{.limit = 5, .mass = 1, .step = 1e-4, .shake = Shake{2, 50, 1}};
  const HeldFriction alone = hold(wish);
  ASSERT_TRUE(alone.delivers());
  long asked = 0;
  double reached = 0;
  std::string first;
  const HeldFriction watched = hold(wish, {.progress =
                                               [&](const Progress& now) {
                                                 EXPECT_GE(now.done, reached);
                                                 EXPECT_LE(now.done, now.all);
                                                 EXPECT_EQ(now.all, 3);
                                                 if (first.empty()) first = now.what;
                                                 reached = now.done;
                                               },
                                           .stop = [&] { return ++asked < 0; }});
  EXPECT_EQ(first, "settling");
  // Steps of the decay, of the load, and of twenty cycles.
  EXPECT_GT(asked, std::max(200L, std::lround(40 * alone.run.settling / 1e-4)) + 20 * std::lround(2 * std::acos(-1) / (50 * 1e-4)));
  EXPECT_FALSE(watched.stopped());
  EXPECT_EQ(watched.run.settling, alone.run.settling);
  EXPECT_EQ(watched.run.displacement, alone.run.displacement);
  EXPECT_EQ(watched.run.shaken->force, alone.run.shaken->force);

  for (const long last : {1L, asked / 2, asked}) {
    long count = 0;
    const HeldFriction part = hold(wish, {.progress = {}, .stop = [&] { return ++count == last; }});
    EXPECT_EQ(count, last);
    EXPECT_TRUE(part.stopped());
    EXPECT_FALSE(part.delivers());
    EXPECT_FALSE(part.run.shaken);
    EXPECT_EQ(part.design.K, alone.design.K);
    EXPECT_EQ(part.run.settling, last == 1 ? 0 : alone.run.settling);
  }
}

}  // namespace
}  // namespace asperity::design::impacts_test
