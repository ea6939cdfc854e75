// Contacts that were asked for, against what they then do: closed forms, published numbers, and the steps of a world.
#include "asperity/design/contact.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "asperity/design/impact.hpp"
#include "asperity/integrate/integrator.hpp"
#include "asperity/laws.hpp"
#include "asperity/system/world.hpp"
#include "design/dice.hpp"

namespace asperity::design::contact_test {
namespace {

using testing::Dice;

using Nonlinear = NonlinearCompliance<>;

ContactDesign designed(const ContactWish& wish) {
  std::vector<std::string> problems;
  auto design = design_contact(wish, problems);
  EXPECT_TRUE(design) << (problems.empty() ? "" : problems.front());
  return design.value_or(ContactDesign{});
}
std::string refusal(const ContactWish& wish) {
  std::vector<std::string> problems;
  EXPECT_FALSE(design_contact(wish, problems)) << wish.law;
  return problems.size() == 1 ? problems.front() : std::to_string(problems.size()) + " problems";
}

;

ContactWish random_wish(Dice& random, const std::string& law) {
  ContactWish wish{.law = law, .mass = random.log_uniform(1e-3, 1e3)};
  wish.bounces = {{random.log_uniform(1e-3, 100), random.uniform(.05, .98)}};
  wish.size = random.log_uniform(1e-6, .1);
  return wish;
}

// Digits of an independent implementation.
TEST(DesignContact, KnownNumbers) {
  const auto linear = std::get<LinearCompliance<>>(designed({.ratio = .1}).law);
  EXPECT_NEAR(linear.K, 499937, .5);
  EXPECT_NEAR(linear.beta, 8.35558e-4, 5e-10);
  EXPECT_NEAR(linear.alpha, 8.35558e-5, 5e-11);

  ContactWish wish{
      .law = "nonlinear_compliance", .bounces = {{1, .8}, {5, .6}}, .scale = Scale::stiffness, .size = 1e4, .gamma = 2e3};
  for (int order = 0; order < 2; ++order) {
    const ContactDesign design = designed(wish);
    EXPECT_NEAR(std::get<Nonlinear>(design.law).beta1, 2.89057e-3, 5e-9);
    EXPECT_NEAR(std::get<Nonlinear>(design.law).beta2, .284635, 5e-7);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(design.restitutions[i], wish.bounces[i].restitution, 1e-6);
    std::swap(wish.bounces[0], wish.bounces[1]);
  }
  // e(1 m/s) = .8 allows e(5 m/s) in [.314, .740].
  wish.bounces[1].restitution = .75;
  EXPECT_EQ(refusal(wish), "restitution = 0.75 at 5 m/s: must be between 0.3145 and 0.7395 if it is 0.8 at 1 m/s");
  wish.bounces[1].restitution = .31;
  EXPECT_EQ(refusal(wish), "restitution = 0.31 at 5 m/s: must be between 0.3145 and 0.7395 if it is 0.8 at 1 m/s");
  for (const double e : {.3145, .7395}) {
    wish.bounces[1].restitution = e;
    EXPECT_NEAR(designed(wish).restitutions[1], e, 1e-6);
  }
}

/// What is asked for is what comes out, within 1e-3 at the recommended step, wherever on the grid the impact begins.
void deliver(const std::string& law, int wishes) {
  Dice random(7);
  double worst = 0;
  for (int i = 0; i < wishes; ++i) {
    ContactWish wish = random_wish(random, law);
    const Bounce bounce = wish.bounces.front();
    // Any of the three sizes: the time and the stiffness of an impact that is so deep.
    wish.scale = Scale(i % 3);
    if (wish.scale == Scale::contact_time) wish.size *= random.uniform(2, 5) / bounce.speed;
    const double lambda = law == "linear_compliance" || law == "kelvin_voigt_clamped" ? 1 : wish.lambda;
    if (wish.scale == Scale::stiffness) wish.size = wish.mass * bounce.speed * bounce.speed / std::pow(wish.size, lambda + 1);
    const ContactDesign design = designed(wish);
    EXPECT_NEAR(design.predicted.restitution, bounce.restitution, 1e-6);
    if (wish.scale != Scale::stiffness) {
      const Rebound& found = design.predicted;
      EXPECT_NEAR((wish.scale == Scale::penetration ? found.deepest : found.contact_time) / wish.size, 1, 1e-6);
    }
    EXPECT_LT(design.recommended_step, design.largest_step);
    for (int k = 0; k < 2; ++k) {
      const double phase = random.uniform(0, 1);
      const Rebound seen = stepped_rebound(design.law, wish.mass, bounce.speed, design.recommended_step, phase);
      worst = std::max(worst, std::abs(seen.restitution - bounce.restitution));
      EXPECT_NEAR(seen.restitution, bounce.restitution, 1e-3) << law << " " << phase;
      if (wish.scale == Scale::penetration) {
        EXPECT_NEAR(seen.deepest / wish.size, 1, .02) << law << " " << phase;
      } else if (wish.scale == Scale::contact_time) {
        EXPECT_NEAR(seen.contact_time / wish.size, 1, .02) << law << " " << phase;
      }
    }
  }
  ::testing::Test::RecordProperty("worst", std::to_string(worst));
}
// A thousand together.
TEST(DesignContact, DeliversLinearCompliance) { deliver("linear_compliance", 350); }
TEST(DesignContact, DeliversHuntCrossley) { deliver("hunt_crossley", 500); }
TEST(DesignContact, DeliversKelvinVoigt) { deliver("kelvin_voigt_clamped", 75); }
TEST(DesignContact, DeliversNonlinearCompliance) { deliver("nonlinear_compliance", 75); }

// A thousand that cannot be had.
TEST(DesignContact, RefusesWhatCannotBeHad) {
  Dice random(7);
  const auto laws = contact_design_laws();
  for (int i = 0; i < 960; ++i) {
    ContactWish wish = random_wish(random, laws[std::size_t(i / 6) % laws.size()]);
    double& e = wish.bounces.front().restitution;
    switch (i % 6) {
      case 0:
        e = random.uniform(1, 3);
        break;
      case 1:
        e = -random.uniform(0, 1);
        break;
      case 2:
        (i % 4 ? wish.mass : wish.size) *= -1;
        break;
      case 3:  // a step as long as the impact
        wish.law = "hunt_crossley";
        wish.scale = Scale::contact_time;
        wish.step = random.uniform(1, 9) * wish.size;
        break;
      default:  // a ratio whose least restitution is above the wish
        wish.law = "linear_compliance";
        wish.ratio = random.uniform(.02, .98);
        e = least_linear_restitution(*wish.ratio).restitution * random.uniform(.02, .999);
    }
    std::vector<std::string> problems;
    EXPECT_FALSE(design_contact(wish, problems)) << i << " " << e;
    EXPECT_FALSE(problems.empty());
  }
  // Pairs of bounces on the wrong side of beta2 = 0, and of beta1 = 0.
  for (int i = 0; i < 40; ++i) {
    const double t = .0251188643;  // of 1 kg at 1 m/s on 1e4 N/m^1.5
    const double growth = i % 2 ? random.uniform(.2, 3) * t / std::pow(t, 1.5) : 0;
    const auto law = make_law("nonlinear_compliance");
    law->set("K", {1e4});
    law->set("beta1", {i % 2 ? 0 : random.uniform(.1, 1) * t});
    law->set("beta2", {growth});
    const double speed = random.log_uniform(1.5, 6), first = rebound(*law, 1, 1).restitution,
                 second = rebound(*law, 1, speed).restitution;
    ContactWish wish{.law = "nonlinear_compliance", .scale = Scale::stiffness, .size = 1e4, .gamma = 2e3};
    wish.bounces = {{1, first}, {speed, i % 2 ? .98 * second : second + .02 * (1 - second)}};
    EXPECT_NE(refusal(wish).find("must be between"), std::string::npos);
  }
}

// What a refusal says can be had can be had.
TEST(DesignContact, RefusalsSayWhatCan) {
  ContactWish wish{.bounces = {{1, .3}}, .ratio = .3};
  EXPECT_EQ(refusal(wish), "restitution = 0.3 at 1 m/s: must be between 0.4901 and 1 with ratio = 0.3; it takes a ratio <= 0.146");
  wish.bounces.front().restitution = .4901;
  designed(wish);
  wish = {.bounces = {{1, .3}}, .ratio = .146};
  designed(wish);

  for (const std::string& law : contact_design_laws()) {
    wish = {.law = law, .step = 1e-3};
    const std::string text = refusal(wish);
    double step = 0, penetration = 0;
    ASSERT_EQ(std::sscanf(text.c_str(), "step = 0.001 s: must be <= %lf s, or penetration >= %lf m", &step, &penetration), 2)
        << text;
    wish.step = .99 * step;
    const ContactDesign design = designed(wish);
    EXPECT_EQ(design.step, *wish.step);
    EXPECT_NEAR(design.simulated.restitution, .5, 1e-3) << law;
    wish.step = 1e-3;
    wish.size = 1.01 * penetration;
    designed(wish);
  }
  // The step is kept by a larger ratio: longer than that of the default one.
  EXPECT_GT(*(wish = {.step = 1.5 * designed({}).recommended_step}).step, designed({}).recommended_step);
  const auto law = std::get<LinearCompliance<>>(designed(wish).law);
  EXPECT_GT(law.alpha / law.beta, .1001);
}

TEST(DesignContact, AllThatIsWrong) {
  const ContactWish wish{.law = "hunt_crosley", .mass = -1, .bounces = {{0, 1.2}}, .size = -1, .step = 0, .ratio = 1};
  EXPECT_EQ(
      problems_of(wish),
      (std::vector<std::string>{"law \"hunt_crosley\" cannot be designed; did you mean hunt_crossley?", "mass = -1 kg: must be > 0",
                                "speed = 0 m/s: must be > 0", "restitution = 1.2: must be > 0 and < 1",
                                "penetration = -1 m: must be > 0", "step = 0 s: must be > 0", "ratio = 1: must be > 0 and < 1"}));
  EXPECT_EQ(refusal({.law = "hertz"}).substr(0, 38), "law \"hertz\" cannot be designed; known:");
  EXPECT_EQ(refusal({.law = "hunt_crossley", .gamma = 1}), "gamma = 1 1/s: hunt_crossley has none");
  EXPECT_EQ(refusal({.bounces = {{1, .5}, {2, .4}}}),
            "2 bounces: linear_compliance takes one; several speeds take nonlinear_compliance");
}

// With lambda = 1 and beta2 = 0 the nonlinear law is the linear one, alpha = 1/gamma, beta = 1/gamma + beta1.
TEST(DesignContact, FlatNonlinearLawIsTheLinearOne) {
  for (const double e : {.2, .5, .9}) {
    const auto linear = std::get<LinearCompliance<>>(designed({.mass = 2, .bounces = {{3, e}}}).law);
    const auto flat = std::get<Nonlinear>(
        designed({.law = "nonlinear_compliance", .mass = 2, .bounces = {{3, e}}, .gamma = 1 / linear.alpha, .lambda = 1}).law);
    EXPECT_NEAR(flat.K / linear.K, 1, 1e-6);
    EXPECT_NEAR((flat.beta1 + linear.alpha) / linear.beta, 1, 1e-6);
    EXPECT_EQ(flat.beta2, 0);
  }
}

// Restitutions that a law has give that law back, two of them or more, penetration asked for.
TEST(DesignContact, TheSizeFollowsFromTheStep) {
  for (const std::string& law : contact_design_laws())
    for (const double step : {1e-5, 5e-4, 1e-2}) {
      std::vector<std::string> problems;
      const auto wish = sized_by_step({.law = law, .mass = .057, .bounces = {{5, .75}}, .step = step}, problems);
      ASSERT_TRUE(wish) << law << ": " << (problems.empty() ? "" : problems.front());
      const ContactDesign design = designed(*wish);
      EXPECT_NEAR(design.predicted.restitution, .75, 1e-6) << law;
      EXPECT_LE(step, design.recommended_step) << law;
      EXPECT_GT(step, .98 * design.recommended_step) << law;
    }
  std::vector<std::string> problems;
  EXPECT_FALSE(sized_by_step({.mass = 1}, problems));
  EXPECT_EQ(problems.size(), 1U);
}

TEST(DesignContact, SeveralBounces) {
  const auto law = make_law("nonlinear_compliance");
  const auto wish_at = [&](std::initializer_list<double> speeds) {
    ContactWish wish{.law = "nonlinear_compliance", .mass = .3, .bounces = {}, .gamma = 2e3};
    for (const double speed : speeds) wish.bounces.push_back({speed, rebound(*law, .3, speed).restitution});
    wish.size = rebound(*law, .3, wish.bounces.front().speed).deepest;
    return wish;
  };
  for (const ContactWish& wish : {wish_at({4, .5}), wish_at({1, 2, 3, 8})}) {
    const auto found = std::get<Nonlinear>(designed(wish).law);
    EXPECT_NEAR(found.K, 1e4, 2);
    EXPECT_NEAR(found.beta1, 3e-3, 1e-6);
    EXPECT_NEAR(found.beta2, .1, 1e-4);
  }
  // What no law meets: the sum of squares is the least around, and at the bound where it is there.
  ContactWish wish{.law = "nonlinear_compliance", .bounces = {{1, .8}, {5, .6}, {10, .5}}, .scale = Scale::stiffness, .size = 1e4};
  wish.gamma = 2e3;
  const auto squares = [&](Nonlinear one) {
    const auto named = make_law("nonlinear_compliance");
    for (const Parameter& p : parameters_of(one)) named->set(p.name, p.values);
    double sum = 0;
    for (const Bounce& bounce : wish.bounces) sum += std::pow(rebound(*named, 1, bounce.speed).restitution - bounce.restitution, 2);
    return sum;
  };
  auto found = std::get<Nonlinear>(designed(wish).law);
  EXPECT_GT(squares(found), 1e-4);
  for (const double change : {.99, 1.01}) {
    auto beside = found;
    beside.beta1 *= change;
    EXPECT_GT(squares(beside), squares(found));
    beside = found;
    beside.beta2 *= change;
    EXPECT_GT(squares(beside), squares(found));
  }
  wish.bounces = {{1, .7}, {2, .72}, {3, .74}};  // rises with the speed: as little growth as there is
  found = std::get<Nonlinear>(designed(wish).law);
  EXPECT_EQ(found.beta2, 0);
  for (const double change : {.99, 1.01}) {
    auto beside = found;
    beside.beta1 *= change;
    EXPECT_GT(squares(beside), squares(found));
  }
}

// A world with a ball that hits the floor sees what the check run of a design sees: the same method, another program.
TEST(DesignContact, AWorldDoesTheSame) {
  const ContactDesign design = designed({.mass = .2, .bounces = {{3, .6}}});
  for (const double phase : {0., .3, .7}) {
    World world;
    const auto ball = world.add("ball", PointMass<double>{.mass = .2}, {phase * design.step * 3, -3});
    world.add("floor", std::get<LinearCompliance<>>(design.law), between(ball, ground));
    const auto integrator = make_integrator("rk4", world, {.step = design.step});
    integrator->start(0, world.start());
    integrator->advance(2 * design.predicted.contact_time);
    const double seen = integrator->state()[1] / 3;
    EXPECT_NEAR(seen, stepped_rebound(design.law, .2, 3, design.step, phase).restitution, 1e-12);
    EXPECT_NEAR(seen, .6, 1e-3);
  }
}

// Weak damping, gamma large: the loss of energy along the lossless motion, in closed form for every lambda with p the deepest,
//   1 - e = c1 B1 + c2 B2,  c1 = 2 lambda p^lambda B(lambda/(lambda + 1), 3/2)/(lambda + 1),  c2 the same with 2 lambda in p and B.
// For spheres 1.730173 = 3/2 1.15344: the series for viscoelastic spheres [ramirez1999].
TEST(DesignContact, WeakDampingOfViscoelasticSpheres) {
  const auto coefficient = [](double lambda, double power) {
    const double n = lambda + 1;
    return 2 * lambda / n * std::pow(hertz_deepest(lambda), power) * std::beta(power / n, 1.5);
  };
  EXPECT_NEAR(coefficient(1.5, 1.5), 1.5 * 1.15344, 1.5e-5);
  EXPECT_NEAR(coefficient(1.5, 1.5), 1.730173, 5e-7);
  EXPECT_NEAR(coefficient(1.5, 3), .826229, 1e-6);
  for (const double lambda : {1.5, 2.}) {
    const double loss = 1e-3, mass = 2, speed = 3, K = 1e5;
    ContactWish wish{
        .law = "nonlinear_compliance", .mass = mass, .bounces = {{speed, 1 - loss}}, .scale = Scale::stiffness, .size = K};
    wish.lambda = lambda;
    const double L = std::pow(mass * speed * speed / K, 1 / (lambda + 1)), t = L / speed;
    wish.gamma = 1e4 / t;
    EXPECT_NEAR(coefficient(lambda, lambda) * std::get<Nonlinear>(designed(wish).law).beta1 / t / loss, 1, 2e-3) << lambda;
    const auto law = make_law("nonlinear_compliance");
    const double B2 = loss / coefficient(lambda, 2 * lambda);
    for (const auto& [name, value] :
         {std::pair{"K", K}, {"lambda", lambda}, {"beta1", 0.}, {"beta2", B2 * t / std::pow(L, lambda)}, {"gamma", 1e4 / t}})
      law->set(name, {value});
    EXPECT_NEAR((1 - rebound(*law, mass, speed).restitution) / loss, 1, 2e-3) << lambda;
  }
}

// Hooks change no number; whenever the stop is asked for, the call ends there.
TEST(DesignContact, ReportsProgressAndStopsWhenAsked) {
  for (const std::string& law : contact_design_laws()) {
    ContactWish wish;
    wish.law = law;
    const ContactDesign alone = designed(wish);
    long asked = 0, reports = 0;
    double reached = 0;
    const Hooks counting{.progress =
                             [&](const Progress& now) {
                               EXPECT_GE(now.done, reached);
                               EXPECT_LE(now.done, now.all);
                               EXPECT_FALSE(now.what.empty());
                               reached = now.done, ++reports;
                             },
                         .stop = [&] { return ++asked < 0; }};
    std::vector<std::string> problems;
    const auto watched = design_contact(wish, problems, counting);
    ASSERT_TRUE(watched) << law;
    EXPECT_EQ(watched->recommended_step, alone.recommended_step);
    EXPECT_EQ(watched->simulated.restitution, alone.simulated.restitution);
    EXPECT_GT(reports, 0);
    ASSERT_GT(asked, 8);  // the places of a grid, at least

    for (const long last : {1L, asked / 2, asked}) {
      long count = 0;
      problems.clear();
      EXPECT_FALSE(design_contact(wish, problems, {.progress = {}, .stop = [&] { return ++count == last; }})) << law;
      EXPECT_EQ(count, last) << law;
      EXPECT_EQ(problems, std::vector<std::string>{"stopped"}) << law;
    }
  }
}

TEST(DesignContact, ASizeThatFollowsFromTheStepStopsWhenAsked) {
  const ContactWish wish{.mass = .057, .bounces = {{5, .75}}, .step = 1e-4};
  std::vector<std::string> problems;
  long asked = 0;
  double all = 0;
  const auto sized =
      sized_by_step(wish, problems, {.progress = [&](const Progress& now) { all = now.all; }, .stop = [&] { return ++asked < 0; }});
  ASSERT_TRUE(sized);
  EXPECT_EQ(sized->size, sized_by_step(wish, problems)->size);
  EXPECT_GT(all, 0);
  long count = 0;
  EXPECT_FALSE(sized_by_step(wish, problems, {.progress = {}, .stop = [&] { return ++count == asked / 2; }}));
  EXPECT_EQ(count, asked / 2);
  EXPECT_EQ(problems, std::vector<std::string>{"stopped"});
}

TEST(DesignContact, WhatAHookThrowsEndsIt) {
  std::vector<std::string> problems;
  const Hooks hooks{.progress = [](const Progress&) { throw std::runtime_error("enough"); }, .stop = {}};
  EXPECT_THROW(design_contact({}, problems, hooks), std::runtime_error);
}

}  // namespace
}  // namespace asperity::design::contact_test
