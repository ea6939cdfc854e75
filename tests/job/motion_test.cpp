// The verdict on a motion: what a body does at the end of a run, held against closed forms; and events that repeat, folded.
#include "asperity/facts/motion.hpp"

#include <cmath>
#include <numbers>

#include "asperity/quantity_text.hpp"
#include "scenes.hpp"

namespace asperity {
namespace {

using Kind = BodyMotion::Kind;
using testing::scene_named;

Facts facts_of_text(const std::string& text) {
  std::vector<SceneProblem> problems;
  const auto scene = read_scene(text, "test.toml", {}, problems);
  for (const SceneProblem& problem : problems) ADD_FAILURE() << to_text(problem);
  JobOutcome done = run_job(*scene);
  EXPECT_TRUE(done.facts);
  return std::move(*done.facts);
}

/// A block with friction of 10 N at most, under a force.
std::string block(const std::string& law, const std::string& force, const std::string& run = "duration = 4\nstep = 1e-3",
                  const std::string& mass = "1") {
  return "[run]\n" + run + "\n[[body]]\nname = \"block\"\nkind = \"mass\"\nmass = " + mass +
         "\n[[element]]\nname = \"floor\"\nbetween = [\"block\", \"ground\"]\n" + law + "\n[[input]]\non = \"block\"\nforce = \"" +
         force + "\"\n";
}
const std::string holding = "law = \"single_state\"\nF = 10\nK = 1e5\nbeta = 2e-3";
const std::string bristle = "law = \"lugre\"\nF_c = 10\nF_s = 10\nK = 1e5\nB = 200\nD = 0";

BodyMotion only_motion(const Facts& facts) {
  EXPECT_EQ(facts.motions.size(), 1U);
  return facts.motions.empty() ? BodyMotion{} : facts.motions.front();
}

// A load of 95 % of the limit does not move it.
TEST(Motion, FrictionHoldsBelowItsLimit) {
  const BodyMotion motion = only_motion(facts_of_text(block(holding, "min(9.5, 9.5*t)")));
  EXPECT_EQ(motion.kind, Kind::held);
  EXPECT_NEAR(motion.load, 0.95, 1e-6);
  EXPECT_LT(motion.moved, 1e-15);
  EXPECT_DOUBLE_EQ(motion.until - motion.since, 2);
  const std::string text = to_text(motion);
  EXPECT_TRUE(text.starts_with("block: held by floor: moved ")) << text;
  EXPECT_TRUE(text.ends_with(" in 2 s while loaded to 95 % of its limit")) << text;
}

// Above it: v = (f - F)/m t.
TEST(Motion, ItSlidesAboveTheLimit) {
  const BodyMotion motion = only_motion(facts_of_text(block(holding, "11")));
  EXPECT_EQ(motion.kind, Kind::slides);
  EXPECT_NEAR(motion.speed, 4.0, 0.03);
}

// Held at last, and how far it slid before: f = 12 N for 1 s, then none: v^2/2 (1/2 + 1/10) = 1.2 m with v = 2 m/s, and 0.02 m by
// friction that has to build up first.
TEST(Motion, HeldAfterItSlid) {
  const BodyMotion motion = only_motion(facts_of_text(block(holding, "t < 1 ? 12 : 5*min(1, max(0, t - 1.5))")));
  EXPECT_EQ(motion.kind, Kind::held);
  EXPECT_NEAR(motion.before, 1.2, 0.03);
  EXPECT_NE(to_text(motion).find(", after it had moved 1.2"), std::string::npos) << to_text(motion);
}

// Without a load it rests.
TEST(Motion, NothingPullsAtWhatRests) {
  EXPECT_EQ(only_motion(facts_of_text(block(holding, "0"))).kind, Kind::rests);
  EXPECT_EQ(only_motion(facts_of_text(block(bristle, "0"))).kind, Kind::rests);
}

// A threshold law is viscous below its limit: v = V f/F.
TEST(Motion, AViscousThresholdCreeps) {
  const BodyMotion motion =
      only_motion(facts_of_text(block("law = \"threshold\"\nF = 10\nV = 2e-3", "7", "duration = 2\nstep = 1e-4")));
  EXPECT_EQ(motion.kind, Kind::creeps);
  EXPECT_NEAR(motion.speed, 1.4e-3, 1e-6);
  EXPECT_EQ(to_text(motion), "block: creeps at 1.4 mm/s on floor, loaded to 70 % of its limit");
  EXPECT_EQ(only_motion(facts_of_text(block("law = \"threshold\"\nF = 10\nV = 2e-3", "11", "duration = 2\nstep = 1e-4"))).kind,
            Kind::slides);
}

// A bristle follows dz/dx = 1 - z/d sgn(v) with d = F/K. Over a slow cycle of the load between r1 F and r2 F that adds up to
// d ln((1 - r1^2)/(1 - r2^2)), whatever the way between them.
TEST(Motion, ABristleCreepsUnderALoadThatGoesBackAndForth) {
  const std::string light = "law = \"lugre\"\nF_c = 10\nF_s = 10\nK = 1e5\nB = 2\nD = 0";  // slow for a block of 10 g
  const BodyMotion motion =
      only_motion(facts_of_text(block(light, "min(1, t)*(6 + 3*sin(2*pi*5*t))", "duration = 12\nstep = 1e-4", "0.01")));
  const double per_cycle = 1e-4 * std::log((1 - 0.3 * 0.3) / (1 - 0.9 * 0.9));
  EXPECT_EQ(motion.kind, Kind::creeps);
  EXPECT_NEAR(motion.speed, 5 * per_cycle, 0.03 * 5 * per_cycle);
  EXPECT_NEAR(motion.load, 0.9, 0.01);
}

// The same load on a law that holds: back and forth with the spring of the asperities, and nowhere else.
TEST(Motion, TheSameLoadIsHeldByALawThatHolds) {
  const BodyMotion motion =
      only_motion(facts_of_text(block(holding, "min(1, t)*(6 + 3*sin(2*pi*5*t))", "duration = 12\nstep = 2e-4")));
  EXPECT_EQ(motion.kind, Kind::held);
  EXPECT_LT(motion.moved, 1e-12);
  EXPECT_NEAR(motion.range, 2 * 3 / 1e5, 0.02 * 6e-5);
}

// A bristle that a load takes back and forth beyond the limit goes nowhere on average; that is not holding.
TEST(Motion, SlidingBackAndForthIsNotHeld) {
  const BodyMotion motion = only_motion(facts_of_text(block(bristle, "20*cos(2*pi*5*t)", "duration = 4\nstep = 2e-4")));
  EXPECT_NE(motion.kind, Kind::held);
  EXPECT_NE(motion.kind, Kind::rests);
}

// Also where the rows are too few to see more than that it moved.
TEST(Motion, FewRowsDoNotMakeItHeld) {
  const BodyMotion motion =
      only_motion(facts_of_text(block(bristle, "20*cos(2*pi*5*t)", "duration = 4\nstep = 2e-4") + "[record]\nevery = 0.05\n"));
  EXPECT_NE(motion.kind, Kind::held);
  EXPECT_NE(motion.kind, Kind::rests);
}

std::string ball(const std::string& law, const std::string& run, double gravity) {
  return "[world]\ngravity = " + std::to_string(gravity) + "\n[run]\n" + run +
         "\n[[body]]\nname = \"ball\"\nkind = \"mass\"\nmass = 1\nposition = 0.1\nvelocity = -1\n"
         "[[element]]\nname = \"floor\"\nbetween = [\"ball\", \"ground\"]\n" +
         law + "\n";
}

// A spring and a damper: restitution exp(-pi z/sqrt(1 - z^2)) with z = B/(2 sqrt(K m)), released where the gap opens.
TEST(Motion, ABallBouncesWithTheRestitutionOfTheory) {
  const BodyMotion lossless =
      only_motion(facts_of_text(ball("law = \"hertz\"\nK = 1e6\nlambda = 1.5", "duration = 3\nstep = 1e-5\n", -9.81)));
  EXPECT_EQ(lossless.kind, Kind::bounces);
  EXPECT_GT(lossless.impacts, 2U);
  EXPECT_NEAR(lossless.least_restitution, 1, 1e-4);
  EXPECT_NEAR(lossless.most_restitution, 1, 1e-4);
  const double z = 100 / (2 * std::sqrt(1e5));
  const BodyMotion damped =
      only_motion(facts_of_text(ball("law = \"kelvin_voigt\"\nK = 1e5\nB = 100", "duration = 0.3\nstep = 1e-5\n", 0)));
  EXPECT_EQ(damped.kind, Kind::bounces);
  EXPECT_EQ(damped.impacts, 1U);
  EXPECT_NEAR(damped.restitution, std::exp(-std::numbers::pi * z / std::sqrt(1 - z * z)), 5e-4);
  EXPECT_TRUE(to_text(damped).starts_with("ball: bounced off floor once, with restitution 0.6")) << to_text(damped);
}

Facts facts_of_scene(const std::string& name, const std::vector<std::string>& settings = {}) {
  const auto scene = scene_named(name, settings);
  JobOutcome done = run_job(*scene);
  EXPECT_TRUE(done.facts) << name;
  return std::move(*done.facts);
}

// A box on an incline of 17 degrees with mu = 0.5: each corner carries tan(17 deg)/0.5 of its limit.
TEST(Motion, ABoxOnAnIncline) {
  const BodyMotion held = only_motion(facts_of_scene("incline_box", {"run.duration=1"}));
  EXPECT_EQ(held.kind, Kind::held);
  EXPECT_NEAR(held.load, std::tan(17 * std::numbers::pi / 180) / 0.5, 1e-3);
  EXPECT_LT(held.moved, 1e-15);
  EXPECT_EQ(only_motion(facts_of_scene("incline_box", {"run.duration=1", "let.theta=0"})).kind, Kind::rests);
  // g (sin - mu cos) t
  const BodyMotion slides = only_motion(facts_of_scene("incline_box", {"run.duration=1", "let.mu=0.2"}));
  EXPECT_EQ(slides.kind, Kind::slides);
  EXPECT_NEAR(slides.speed, 9.8 * (std::sin(17 * std::numbers::pi / 180) - 0.2 * std::cos(17 * std::numbers::pi / 180)), 0.02);
}

// Its contact is held, and the ball moves.
TEST(Motion, ABallThatRollsIsNotHeld) {
  const BodyMotion motion = only_motion(facts_of_scene("rolling_sphere"));
  EXPECT_EQ(motion.kind, Kind::rolls);
  EXPECT_NEAR(motion.speed, 2, 0.05);
}

// The pads have a prescribed motion and are not judged, whether their position is recorded or not.
TEST(Motion, PrescribedMotionsAreNotJudged) {
  const Facts facts = facts_of_scene("two_grasps", {"run.duration=3"});
  ASSERT_EQ(facts.motions.size(), 2U);
  EXPECT_EQ(facts.motions[0].body, "holds");
  EXPECT_EQ(facts.motions[0].against, "holds_pads");
  EXPECT_EQ(facts.motions[0].kind, Kind::held);
  EXPECT_EQ(facts.motions[1].body, "creeps");
  EXPECT_EQ(facts.motions[1].kind, Kind::creeps);
  const Facts pinch = facts_of_scene("pinch", {"run.duration=0.5"});  // two fingers
  ASSERT_EQ(pinch.motions.size(), 2U);
  for (const BodyMotion& motion : pinch.motions) {
    EXPECT_EQ(motion.body, "capsule");
    EXPECT_EQ(motion.kind, Kind::held);
  }
}

// On a belt at 0.1 m/s friction sticks and slips with one period: that of the events.
TEST(Motion, StickSlipHasAPeriod) {
  const Facts facts = facts_of_scene("conveyor_stick_slip");
  const BodyMotion motion = only_motion(facts);
  EXPECT_EQ(motion.kind, Kind::sticks_slips);
  std::vector<double> slips;
  for (const Event& event : facts.events)
    if (event.kind == Event::Kind::slip) slips.push_back(event.time);
  ASSERT_GT(slips.size(), 2U);
  EXPECT_NEAR(motion.period, (slips.back() - slips.front()) / double(slips.size() - 1), 1e-9);
}

// A body without friction or contact has no verdict.
TEST(Motion, WhatIsFreeIsNotJudged) { EXPECT_TRUE(facts_of_scene("tumbling", {"run.duration=1"}).motions.empty()); }

TEST(Motion, StandsInTheSummaryAndInTheJson) {
  const Facts facts = facts_of_scene("incline_box", {"run.duration=1"});
  const std::string line = to_text(facts.motions.at(0));
  EXPECT_TRUE(summary_of(facts).starts_with("Box on an incline\n" + line + "\n")) << summary_of(facts);
  EXPECT_NE(to_json(facts).find("\"text\": \"" + line + "\""), std::string::npos);
  std::string why;
  const auto again = facts_from_json(to_json(facts), why);
  ASSERT_TRUE(again) << why;
  EXPECT_EQ(to_text(again->motions.at(0)), line);
}

// Seconds have no larger prefix.
TEST(Motion, ALongTimeIsInSeconds) {
  EXPECT_EQ(quantity_text(3000, "s"), "3000 s");
  EXPECT_EQ(quantity_text(0.003, "s"), "3 ms");
  EXPECT_EQ(quantity_text(3000, "N"), "3 kN");
}

// --- events that repeat

Facts with_events(std::vector<Event> events) {
  Facts facts;
  facts.run.duration = 10;
  facts.event_count = events.size();
  facts.events = std::move(events);
  return facts;
}

TEST(Folding, ManyCyclesAreOneLine) {
  std::vector<Event> events{{1.0, Event::Kind::slip, "floor.3", 0}, {1.5, Event::Kind::stick, "floor.3", 0}};
  for (int i = 0; i < 1982; ++i) {
    events.push_back({2.1 + 0.3 * i / 1982, Event::Kind::slip, "floor.3", 0});
    events.push_back({2.1 + 0.3 * (i + 0.5) / 1982, Event::Kind::stick, "floor.3", 0});
  }
  events.push_back({8.0, Event::Kind::slip, "floor.3", 0});
  const Facts facts = with_events(events);
  const auto groups = folded_events(facts, 10);
  ASSERT_EQ(groups.size(), 4U);
  EXPECT_EQ(to_text(groups[0], 10), "slips");
  EXPECT_EQ(to_text(groups[2], 10), "sticks and slips 1982 times between 2.100 and 2.400 s");
  EXPECT_EQ(groups[3].from, 8.0);
  std::uint64_t all = 0;
  for (const EventGroup& group : groups) all += group.count();
  EXPECT_EQ(all, facts.event_count);
  EXPECT_EQ(folded_events(facts, 100000).size(), facts.events.size());  // few enough: each by itself
}

TEST(Folding, ThePointsOfAContactAreOneLineIfThereAreMany) {
  std::vector<Event> events;
  for (int i = 0; i < 40; ++i) {
    const std::string name = "floor." + std::to_string(i % 8 + 1);
    events.push_back({0.1 + 0.01 * i, Event::Kind::touch, name, 1});
    events.push_back({0.105 + 0.01 * i, Event::Kind::release, name, 0.5});
  }
  Facts facts = with_events(events);
  facts.impacts.push_back({"floor.1", 0.1, 0.105, 1, 0.5});
  const auto groups = folded_events(facts, 5);
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].element, "floor");
  EXPECT_EQ(groups[0].elements, 8U);
  EXPECT_EQ(to_text(groups[0], 10), "touches and releases 40 times between 0.100 and 0.495 s, restitution 0.500");
}

TEST(Folding, NoEventIsLost) {
  const Facts facts = facts_of_scene("box_on_floor", {"run.duration=0.5"});
  for (const std::size_t most : {0, 3, 10, 1000}) {
    std::array<std::uint64_t, 4> counts{}, expected{};
    for (const EventGroup& group : folded_events(facts, most))
      for (std::size_t k = 0; k < counts.size(); ++k) counts[k] += group.counts[k];
    for (const Event& event : facts.events) ++expected[std::size_t(event.kind)];
    EXPECT_EQ(counts, expected) << most;
  }
}

}  // namespace
}  // namespace asperity
