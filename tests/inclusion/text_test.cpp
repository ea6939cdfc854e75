// Inclusions as text: what the algebra finds, what it refuses, and that the numbers are those of the same equations in C++.
#include "asperity/inclusion/text.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "system/run.hpp"

namespace asperity {
namespace {

using testing::run;

std::shared_ptr<const TextInclusion> good(const InclusionText& text) {
  std::vector<InclusionProblem> problems;
  auto model = TextInclusion::read(text, problems);
  for (const InclusionProblem& problem : problems) ADD_FAILURE() << to_text(problem);
  return model;
}

/// One velocity and one position; K and beta given.
InclusionText block(const std::string& rate) {
  InclusionText text;
  text.let = {{"M", 2}, {"F", .5}, {"G", .25}, {"mu", .3}, {"R", .1}, {"I", .004}, {"m", -3}};
  text.state = {{"p", 0}, {"q", 1}, {"v", 0}, {"w", 0}};
  text.rate = {{"p", "v"}, {"q", "w"}, {"v", rate}, {"w", "0"}};
  text.usual = {5e3, 2e-3, 1e-3};
  return text;
}

struct Found {
  std::string rate, chi, theta, outside;
};

class FindsChi : public ::testing::TestWithParam<Found> {};

TEST_P(FindsChi, ByAlgebra) {
  const auto model = good(block(GetParam().rate));
  ASSERT_TRUE(model);
  ASSERT_EQ(model->sgns().size(), 1u);
  EXPECT_EQ(model->sgns()[0].chi.text(), GetParam().chi);
  EXPECT_EQ(model->sgns()[0].theta[0].text(), GetParam().theta);
  EXPECT_EQ(model->states()[2].rate.text(), GetParam().outside);
}

INSTANTIATE_TEST_SUITE_P(Inclusion, FindsChi,
                         ::testing::Values(
                             // As in the papers: chi is a force, masses stay outside.
                             Found{"(sin(t) - F*sgn(v))/M", "F", "v", "(sin(t) - s1)/M"},  //
                             Found{"-mu*dio(p)*sgn(v)/M", "mu*d1", "v", "-s1/M"},          //
                             Found{"-F/(1 + abs(v))*sgn(v - 1)/M", "F/(1 + abs(v))", "v - 1", "-s1/M"},
                             // However it is written.
                             Found{"-F/M*sgn(v)", "F", "v", "-s1/M"},                       //
                             Found{"-(F/M)*sgn(v)", "F", "v", "-s1/M"},                     //
                             Found{"1/M*(p - F*sgn(v))", "F", "v", "(p - s1)/M"},           //
                             Found{"sgn(v)*(-mu)*dio(p)", "mu*d1", "v", "-s1"},             //
                             Found{"-mu*(p + dio(p)*sgn(v))", "mu*d1", "v", "-mu*p - s1"},  //
                             Found{"p - -F*-sgn(v)", "F", "v", "p - s1"},                   //
                             Found{"m*sgn(v)", "-m", "v", "-s1"},                           //
                             Found{"-(-2 - p^2)*sgn(-v)", "2 + p^2", "-v", "s1"},
                             // Signs that the algebra sees.
                             Found{"-(2 + sin(t))*sgn(v)", "2 + sin(t)", "v", "-s1"},  //
                             Found{"-p*p*sgn(v)", "p*p", "v", "-s1"},                  //
                             Found{"-v^2*sgn(v)", "v^2", "v", "-s1"},                  //
                             Found{"-max(0, p)*sgn(v)", "max(0, p)", "v", "-s1"},      //
                             Found{"-t*sgn(v)", "t", "v", "-s1"},                      //
                             Found{"-sgn(v)", "1", "v", "-s1"},
                             // The same element from both sides, and with a lever.
                             Found{"-F*sgn(v - w)/M + G*F*sgn(w - v)", "F", "v - w", "-s1/M - G*s1"},
                             Found{"R*mu*dio(p)*sgn(v)/I - mu*dio(p)*sgn(v)/M", "mu*d1", "v", "R*s1/I - s1/M"}));

std::vector<std::string> problems_with(const InclusionText& text) {
  std::vector<InclusionProblem> problems;
  EXPECT_EQ(TextInclusion::read(text, problems), nullptr);
  std::vector<std::string> lines;
  for (const InclusionProblem& problem : problems) lines.push_back(to_text(problem));
  return lines;
}

struct Refused {
  std::string rate, why;
};

class Refuses : public ::testing::TestWithParam<Refused> {};

TEST_P(Refuses, WithThePlace) { EXPECT_EQ(problems_with(block(GetParam().rate)), std::vector{"rate.v: " + GetParam().why}); }

const std::string assertion = R"--(; if it never is, say [inclusion.regularise] "sgn(v)" = { nonnegative = true })--";
const std::string continuous = " may jump; what multiplies a sgn must be continuous (min and max are)";
const std::string places = "; it may stand in sums, products and numerators only";

INSTANTIATE_TEST_SUITE_P(
    Inclusion, Refuses,
    ::testing::Values(
        Refused{"p - sin(t)*sgn(v)", "position 5: sin(t)*sgn(v): its factor sin(t) may be negative" + assertion},
        Refused{"-v*F*sgn(v)/M", "position 2: v*F*sgn(v): its factor v may be negative" + assertion},
        Refused{"-(1 - dio(p))*sgn(v)", "position 5: (1 - dio(p))*sgn(v): its factor 1 - dio(p) may be negative" + assertion},
        Refused{"floor(t)*sgn(v)", "position 1: floor(t)*sgn(v): its factor floor(t)" + continuous},
        Refused{"(t < 1 ? F : G)*sgn(v)", "position 8: (t < 1 ? F : G)*sgn(v): its factor t < 1 ? F : G" + continuous},
        Refused{"-F*sgn(v)*sgn(w)",
                "position 10: -F*sgn(v)*sgn(w): a product of two sgn; what multiplies a sgn must be continuous"},
        Refused{"-F*sgn(v - sgn(w))", "position 12: sgn(v - sgn(w)): sgn inside the argument of sgn"},
        Refused{"dio(p + dio(q))", "position 9: dio(p + dio(q)): dio inside the argument of dio"},
        Refused{"dio(p - F*sgn(v))", "position 11: dio(p - F*sgn(v)): sgn inside the argument of dio"},
        Refused{"-F*abs(sgn(v))", "position 8: abs(sgn(v)): sgn inside abs" + places},
        Refused{"-F/(2 + sgn(v))", "position 9: -F/(2 + sgn(v)): sgn in a divisor" + places},
        Refused{"v > 0 ? sgn(v) : 0", "position 9: v > 0 ? sgn(v) : 0: sgn inside a choice" + places},
        Refused{"-F*sgn(v)^3", "position 4: sgn(v)^3: sgn inside a power" + places},
        Refused{"2 + p/(q - 1)", "position 6: p/(q - 1): divides by zero at the start, where q - 1 = 0"},
        Refused{"F/dio(q)", "position 2: F/dio(q): divides by zero at the start, where dio(q) = 0"},
        Refused{"1 + log(p)", "position 5: log(p): is no finite number at the start"},
        Refused{"-F*sgn(v/p)", "position 9: v/p: divides by zero at the start, where p = 0"},
        Refused{"-F*sgn(vv)", "position 8: unknown name \"vv\"; did you mean v?"},
        Refused{"-F*sgn2(v)", "position 4: sgn2 has 1 argument: must be 2"},
        Refused{"dio(p, q)", "position 1: dio has 2 arguments: must be 1"},
        Refused{"-F*sgn(v", "position 9: a closing parenthesis is missing"}));

}  // namespace
}  // namespace asperity
