// Inclusions as text: what the algebra finds, what it refuses, and that the numbers are those of the same equations in C++.
#include "asperity/inclusion/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "system/run.hpp"

namespace asperity::text_test {
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
                             // Divisors that are never zero.
                             Found{"-F/(1 + abs(w))*sgn(v)", "F/(1 + abs(w))", "v", "-s1"},
                             Found{"-F*exp(-(v/G)^2)*sgn(v)", "F*exp(-(v/G)^2)", "v", "-s1"},
                             Found{"-(2 + q^2)^-1*sgn(v)", "(2 + q^2)^-1", "v", "-s1"},
                             Found{"-(1 + tan(sin(q)/2))*sgn(v)", "1 + tan(sin(q)/2)", "v", "-s1"},
                             Found{"-log(1 + abs(q))*sgn(v)", "log(1 + abs(q))", "v", "-s1"},
                             // Choices between what is the same where they switch.
                             Found{"-(p < 0 ? 0 : p)*sgn(v)", "p < 0 ? 0 : p", "v", "-s1"},                              //
                             Found{"-(t <= 2 ? 1 + t/2 : 2)*sgn(v)", "t <= 2 ? 1 + t/2 : 2", "v", "-s1"},                //
                             Found{"-(abs(w) > G ? F*G/abs(w) : F)*sgn(v)", "abs(w) > G ? F*G/abs(w) : F", "v", "-s1"},  //
                             Found{"-(0 < q ? q*exp(p) : 0)*sgn(v)", "0 < q ? q*exp(p) : 0", "v", "-s1"},
                             Found{"-(t < 1 ? 1 : t < 2 ? t : 2)*sgn(v)", "t < 1 ? 1 : t < 2 ? t : 2", "v", "-s1"},
                             Found{"-(1 < 2 ? F : p)*sgn(v)", "1 < 2 ? F : p", "v", "-s1"},
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
const std::string continuous =
    " may jump; what multiplies a sgn must be continuous (min and max are, and a choice between what "
    "is the same where it switches)";
const std::string places = "; it may stand in sums, products and numerators only";

INSTANTIATE_TEST_SUITE_P(
    Inclusion, Refuses,
    ::testing::Values(
        Refused{"p - sin(t)*sgn(v)", "position 5: sin(t)*sgn(v): its factor sin(t) may be negative" + assertion},
        Refused{"-v*F*sgn(v)/M", "position 2: v*F*sgn(v): its factor v may be negative" + assertion},
        Refused{"-(1 - dio(p))*sgn(v)", "position 5: (1 - dio(p))*sgn(v): its factor 1 - dio(p) may be negative" + assertion},
        Refused{"floor(t)*sgn(v)", "position 1: floor(t)*sgn(v): its factor floor(t)" + continuous},
        Refused{"(t < 1 ? F : G)*sgn(v)", "position 8: (t < 1 ? F : G)*sgn(v): its factor t < 1 ? F : G" + continuous},
        Refused{"(p < 0 ? 1 : p)*sgn(v)", "position 8: (p < 0 ? 1 : p)*sgn(v): its factor p < 0 ? 1 : p" + continuous},
        Refused{"(p == 0 ? 1 : 2)*sgn(v)", "position 9: (p == 0 ? 1 : 2)*sgn(v): its factor p == 0 ? 1 : 2" + continuous},
        Refused{"(p < 0 ? -p : 2*p - q)*sgn(v)",
                "position 8: (p < 0 ? -p : 2*p - q)*sgn(v): its factor p < 0 ? -p : 2*p - q" + continuous},
        Refused{"(p < 1 ? p : 1)*sgn(v)",
                "position 8: (p < 1 ? p : 1)*sgn(v): its factor p < 1 ? p : 1 may be negative" + assertion},
        Refused{"(4 + atan2(p, q))*sgn(v)", "position 4: (4 + atan2(p, q))*sgn(v): its factor 4 + atan2(p, q)" + continuous},
        // What runs off to infinity and comes back from the other side.
        Refused{"-max(0, q/abs(q))*sgn(v)", "position 2: max(0, q/abs(q))*sgn(v): its factor max(0, q/abs(q))" + continuous},
        Refused{"-(2 + atan(1/q))*sgn(v)", "position 5: (2 + atan(1/q))*sgn(v): its factor 2 + atan(1/q)" + continuous},
        Refused{"-exp(-1/q)*sgn(v)", "position 2: exp(-1/q)*sgn(v): its factor exp(-1/q)" + continuous},
        Refused{"-exp(-q^-1)*sgn(v)", "position 2: exp(-q^-1)*sgn(v): its factor exp(-q^-1)" + continuous},
        Refused{"-(2 + atan(pow(q, p - 1)))*sgn(v)",
                "position 5: (2 + atan(pow(q, p - 1)))*sgn(v): its factor 2 + atan(pow(q, p - 1))" + continuous},
        Refused{"-max(0, tan(q))*sgn(v)", "position 2: max(0, tan(q))*sgn(v): its factor max(0, tan(q))" + continuous},
        Refused{"-max(0, log(q))*sgn(v)", "position 2: max(0, log(q))*sgn(v): its factor max(0, log(q))" + continuous},
        Refused{"-F/abs(q)*sgn(v)", "position 4: F*sgn(v)/abs(q): its factor 1/abs(q)" + continuous},
        Refused{"-(q > 0 ? exp(-1/q) : 0)*sgn(v)",
                "position 9: (q > 0 ? exp(-1/q) : 0)*sgn(v): its factor q > 0 ? exp(-1/q) : 0" + continuous},
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
        Refused{"1 + 1/0", "position 6: 1/0: divides by zero"}, Refused{"p/(M - 2)", "position 2: p/(M - 2): divides by zero"},
        Refused{"F/dio(q)", "position 2: F/dio(q): divides by zero at the start, where dio(q) = 0"},
        Refused{"1 + log(p)", "position 5: log(p): is no finite number at the start"},
        Refused{"-F*sgn(v/p)", "position 9: v/p: divides by zero at the start, where p = 0"},
        Refused{"-F*sgn(vv)", "position 8: unknown name \"vv\"; did you mean v?"},
        Refused{"-F*sgn2(v)", "position 4: sgn2 has 1 argument: must be 2"},
        Refused{"dio(p, q)", "position 1: dio has 2 arguments: must be 1"},
        Refused{"-F*sgn(v", "position 9: a closing parenthesis is missing"}));

std::vector<std::string> terms_of(const TextInclusion& model) {
  std::vector<std::string> list;
  for (const auto& term : model.dios()) list.push_back(term.text);
  for (const auto& term : model.sgns()) list.push_back(term.text);
  return list;
}
using Texts = std::vector<std::string>;

TEST(TextInclusion, SharesTermsThatAreTheSame) {
  InclusionText text = block("(-mu*dio(p)*sgn(v - w) + dio(p))/M");
  text.rate[3].second = "mu*dio(p)*sgn(v - w)/M";  // Newton's third law
  auto model = good(text);
  EXPECT_EQ(terms_of(*model), (Texts{"dio(p)", "mu*dio(p)*sgn(v - w)"}));
  EXPECT_EQ(model->size(), 6u);
  EXPECT_EQ(model->states()[3].rate.text(), "s1/M");

  // Another chi, another element.
  text.rate[3].second = "mu*dio(q)*sgn(v - w)/M";
  EXPECT_EQ(terms_of(*good(text)), (Texts{"dio(p)", "dio(q)", "mu*dio(p)*sgn(v - w)", "mu*dio(q)*sgn(v - w)"}));
  text.rate[3].second = "G*dio(p)*sgn(v - w)/M";
  EXPECT_EQ(terms_of(*good(text)), (Texts{"dio(p)", "mu*dio(p)*sgn(v - w)", "G*dio(p)*sgn(v - w)"}));
  // Another theta too.
  text.rate[3].second = "mu*dio(p)*sgn(v)/M";
  EXPECT_EQ(terms_of(*good(text)), (Texts{"dio(p)", "mu*dio(p)*sgn(v - w)", "mu*dio(p)*sgn(v)"}));
  // Levers on both sides: what they have in common is the force.
  text.rate[2].second = "-R*mu*dio(p)*sgn(v - w)/I";
  text.rate[3].second = "G*mu*dio(p)*sgn(v - w)/I";
  model = good(text);
  EXPECT_EQ(terms_of(*model), (Texts{"dio(p)", "mu*dio(p)*sgn(v - w)"}));
  EXPECT_EQ(model->states()[2].rate.text(), "-R*s1/I");
  // Two forces on one velocity have nothing in common.
  text.rate[2].second = "-F*sgn(v)";
  text.rate[3].second = "-G*sgn(v) - sgn(v)";
  EXPECT_EQ(terms_of(*good(text)), (Texts{"F*sgn(v)", "G*sgn(v)", "sgn(v)"}));
}

// Whatever the order of the text is: what the constants share is the force, and two coefficients without it are two elements.
TEST(TextInclusion, SharesInAnyOrder) {
  Texts terms{" - mu*dio(p)*sgn(v)", " - G*dio(p)*sgn(v)", " - dio(p)*sgn(v)", " - F*R*sgn(w)", " - F*sgn(w)", " - G*F*sgn(w)"};
  std::sort(terms.begin(), terms.end());
  do {
    std::string all = "0";
    for (const std::string& term : terms) all += term;
    Texts found = terms_of(*good(block(all)));
    std::sort(found.begin(), found.end());
    ASSERT_EQ(found, (Texts{"F*sgn(w)", "dio(p)", "dio(p)*sgn(v)"})) << all;
  } while (std::next_permutation(terms.begin(), terms.end()));
}

// What `regularise` calls each term belongs to it alone: a scene that is written with all of them reads back.
TEST(TextInclusion, KeysTellTermsApart) {
  for (const std::string rate :
       {"-F*sgn(v) - G*sgn(v) - sgn(v)", "-sgn(v)", "-mu*dio(p)*sgn(v - w) - dio(q)*sgn(w - v) - sgn(v - w)",
        "-sgn2(v, w) - F*sgn2(v, w)", "-R*mu*dio(p)*sgn(v) - G*mu*dio(p)*sgn(v) - sgn(w)"}) {
    InclusionText text = block(rate);
    const auto model = good(text);
    ASSERT_TRUE(model);
    double K = 1e3;
    for (const auto& term : model->sgns()) text.regularise.push_back({term.key(), {.K = K++, .beta = 1e-3, .name = term.name}});
    const auto again = good(text);
    ASSERT_TRUE(again) << rate;
    K = 1e3;
    for (const auto& term : again->sgns()) EXPECT_EQ(term.by.K, K++) << rate << ": " << term.text;
  }
}

// However their argument is spelled, the two ends of an element pull with one force: momentum stays.
struct Ends {
  std::string here, there;
};
class ThirdLaw : public ::testing::TestWithParam<Ends> {};

TEST_P(ThirdLaw, HoldsInAnySpelling) {
  InclusionText text = block("(sin(9*t) + " + GetParam().here + ")/M");
  text.rate[3].second = "(-sin(9*t) + " + GetParam().there + ")/I";
  text.let.emplace_back("u", 1);
  text.let[5].second = 4;  // the mass of the other body
  const auto model = good(text);
  ASSERT_TRUE(model);
  EXPECT_EQ(model->sgns().size(), 1u);
  EXPECT_LE(model->dios().size(), 1u);
  const std::vector<double> x = run(*model, Method::rk4, .5, 1e-3);
  EXPECT_GT(std::abs(x[2]), 1e-4);
  EXPECT_NEAR(2 * x[2] + 4 * x[3], 0, 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Inclusion, ThirdLaw,
                         ::testing::Values(Ends{"-F*sgn(v - w + u)", "-F*sgn(w - v - u)"}, Ends{"-F*sgn(v + u)", "F*sgn(u + v)"},
                                           Ends{"-F*sgn(2*(v - w)/R)", "-F*sgn((w - v)/R*2)"},
                                           Ends{"-F*sgn(-(w - (v + u)))", "-sgn(-u - v + w)*F"},
                                           Ends{"-(mu*dio(p - 9) + F)*sgn(v - w)", "(F + mu*dio(-9 + p))*sgn(v - w)"},
                                           Ends{"-F*exp(-((v - w)/R)^2)*sgn(v - w)", "-F*exp(-((w - v)/R)^2)*sgn(w - v)"},
                                           Ends{"-(F + max(abs(v - w), p*p))*sgn(v)", "(max(p*p, abs(w - v)) + F)*sgn(v)"},
                                           Ends{"-F*sgn(sin(v - w))", "-F*sgn(sin(w - v))"},
                                           Ends{"-(F + G)*q^2*sgn(v)", "(G + F)*q^2*sgn(v)"}));

// Nor is there too much sharing.
TEST(TextInclusion, TellsArgumentsApart) {
  for (const std::string rate :
       {"-F*sgn(v - w) - F*sgn(v + w)", "-F*sgn(v/w) - F*sgn(w/v)", "-F*sgn(v - w + 1) - F*sgn(w - v + 1)",
        "-F*sgn(2*v + w) - F*sgn(v + w)", "-F*sgn(cos(v)) - F*sgn(sin(v))", "-F*sgn(exp(v - w)) - F*sgn(exp(w - v))",
        "-F*sgn((v + 1)*w) - F*sgn(v + 1*w)", "-F*sgn((v + 1)^3) - F*sgn((v + 1)^2)", "-exp(v - w)*sgn(p) - exp(w - v)*sgn(p)"}) {
    InclusionText text = block(rate);
    text.state[3].second = .5;
    text.state[2].second = .25;
    EXPECT_EQ(good(text)->sgns().size(), 2u) << rate;
  }
  EXPECT_EQ(good(block("dio(p - q) + dio(q - p)"))->dios().size(), 2u);
}

TEST(TextInclusion, VectorsShareOneElement) {
  InclusionText text = block("-F*sgn2(v, w)/M");
  text.rate[3].second = "F*sgn2(-w, v)/M";
  const auto model = good(text);
  ASSERT_EQ(model->sgns().size(), 1u);
  EXPECT_EQ(model->states()[2].rate.text(), "-s1x/M");
  EXPECT_EQ(model->states()[3].rate.text(), "-s1y/M");
  EXPECT_EQ(model->state_names(), (Texts{"p", "q", "v", "w", "s1.a.x", "s1.a.y"}));
}

TEST(TextInclusion, NamesOfTermsStepAside) {
  InclusionText text = block("-F*sgn(s1)");
  text.state.emplace_back("s1", 0);
  text.rate.emplace_back("s1", "0");
  EXPECT_EQ(good(text)->sgns()[0].name, "s1_");
}

TEST(TextInclusion, TakesParametersOfEachTerm) {
  InclusionText text = block("-mu*dio(p)*sgn(v) - F*sgn(v) + dio(p)");
  text.rate[3].second = "dio(q)";
  text.usual = {.K = 1, .beta = 2, .alpha = .5};
  text.regularise = {{"F*sgn(v)", {.K = 4, .name = "slider"}}, {"sgn(v)", {.K = 3}}, {"dio( q )", {.alpha = .25}}};
  const auto model = good(text);
  ASSERT_EQ(terms_of(*model), (Texts{"dio(p)", "dio(q)", "mu*dio(p)*sgn(v)", "F*sgn(v)"}));
  EXPECT_EQ(model->dios()[0].by.alpha, .5);
  EXPECT_EQ(model->dios()[1].by.alpha, .25);
  EXPECT_EQ(model->dios()[1].by.K, 1);
  EXPECT_EQ(model->sgns()[0].by.K, 3);
  EXPECT_EQ(model->sgns()[1].by.K, 4);  // the whole term says more than its argument
  EXPECT_EQ(model->sgns()[1].by.beta, 2);
  EXPECT_EQ(model->sgns()[1].name, "slider");
  EXPECT_TRUE(model->notes().empty());
}

TEST(TextInclusion, RefusesWishesThatFitNothing) {
  InclusionText text = block("-mu*dio(p)*sgn(v) - F*sgn(v)");
  text.regularise = {{"sgn(w)", {.K = 3}},         {"dio(q)", {.K = 3}},       {"F*v", {.K = 3}},
                     {"sgn(v)", {.alpha = 3}},     {"sgn(v", {.K = 3}},        {"dio(p)", {.nonnegative = true}},
                     {"-F*sgn(v)", {.name = "v"}}, {"sgn( v)", {.name = "a"}}, {"mu*dio(p)*sgn(v)", {.name = "1a"}}};
  const std::string known = "there is no such term; there are dio(p), mu*dio(p)*sgn(v), F*sgn(v)";
  EXPECT_EQ(problems_with(text),
            (Texts{"regularise.sgn(w): " + known, "regularise.dio(q): " + known,
                   "regularise.F*v: is neither dio(...) nor a factor times sgn(...)",
                   "regularise.sgn(v): alpha: only a dio has one", "regularise.sgn(v: position 6: a closing parenthesis is missing",
                   "regularise.dio(p): nonnegative: a dio is never negative",
                   "regularise.sgn( v): name = a: 2 terms have this argument; write the whole term"}));
}

TEST(TextInclusion, RefusesBadParameters) {
  InclusionText text = block("-F*sgn(v) + dio(p)");
  text.usual = {.K = -1, .beta = 1e-3, .alpha = 2e-3};
  EXPECT_EQ(problems_with(text),
            (Texts{"regularise.dio(p): K = -1 N/m: must be > 0", "regularise.dio(p): beta = 0.001: must be >= alpha = 0.002",
                   "regularise.F*sgn(v): K = -1 N/m: must be > 0"}));
}

TEST(TextInclusion, SaysAllThatIsWrongAtOnce) {
  InclusionText text;
  text.let = {{"t", 1}, {"a", 2}, {"sin", 3}, {"time", 4}, {"b", std::nan("")}};
  text.state = {{"x", 0}, {"a", 1}, {"y", 0}, {"z", 0}};
  text.rate = {{"x", "sgn(xx)"}, {"a", "1 +"}, {"zz", "0"}, {"x", "1"}};
  EXPECT_EQ(
      problems_with(text),
      (Texts{"let.t: is no name; letters, digits and _ make one, and t, time, pi, e and the functions are taken",
             "let.sin: is no name; letters, digits and _ make one, and t, time, pi, e and the functions are taken",
             "let.time: is no name; letters, digits and _ make one, and t, time, pi, e and the functions are taken",
             "let.b: is not a finite number", "state.a: this name is taken", "rate.zz: no state has this name; did you mean z?",
             "rate.x: is given twice", "rate.x: position 5: unknown name \"xx\"; did you mean x?",
             "rate.a: position 4: unexpected end", "rate.y: is missing", "rate.z: is missing"}));
  EXPECT_EQ(problems_with({}), (Texts{"state: there is none"}));
}

// A factor that the algebra cannot see to be positive is taken on the user's word, and never below zero.
TEST(TextInclusion, TakesTheUsersWord) {
  InclusionText text = block("-(q - 0.5)*sgn(v)");
  text.regularise = {{"sgn(v)", {.nonnegative = true}}};
  const auto model = good(text);
  EXPECT_EQ(model->sgns()[0].chi.text(), "max(0, q - 0.5)");
  EXPECT_TRUE(model->sgns()[0].asserted);
  std::vector<double> x = model->start(), xdot(x.size());
  x[2] = 100;
  model->rate(0, x, 0, xdot);
  EXPECT_EQ(xdot[2], -.5);
  x[1] = 0;
  model->rate(0, x, 0, xdot);
  EXPECT_EQ(xdot[2], 0);
}

TEST(TextInclusion, DoubtsTheUsersWord) {
  InclusionText text = block("-(p - 0.5)*sgn(v) - q*sgn(w)");
  text.regularise = {{"sgn(v)", {.nonnegative = true}}, {"sgn(w)", {.nonnegative = true}}};
  const Texts notes = good(text)->notes();
  const std::string doubt = "s1 = (p - 0.5)*sgn(v): nonnegative = true, but its factor is -0.5 at the start; it counts as 0";
  EXPECT_EQ(std::count(notes.begin(), notes.end(), doubt), 1);
  EXPECT_TRUE(
      std::none_of(notes.begin(), notes.end(), [](const std::string& n) { return n.starts_with("s2 = q*sgn(w): nonneg"); }));
}

// Choices inside the conditions and the branches of choices: each is looked into once.
TEST(TextInclusion, LooksIntoNestedChoicesOnce) {
  std::string condition = "w", branch = "2";
  for (int i = 0; i < 190; ++i) {
    condition = "(w < " + condition + " ? 1 : 2)";
    branch = "(abs(w) < 1 ? " + branch + " : 2)";
  }
  EXPECT_EQ(problems_with(block("-" + condition + "*sgn(v)*sin(t)")).size(), 2u);  // it jumps, and sin(t) may be negative
  EXPECT_EQ(problems_with(block("-" + branch + "*sgn(v)*sin(t)")).size(), 1u);
}

TEST(TextInclusion, NotesFunctionsThatJump) {
  const auto model = good(block("-F*sign(v)"));
  EXPECT_EQ(model->notes(), (Texts{"rate.v: sign(v) is an ordinary function that jumps; dry friction is sgn"}));
}

// Effective masses: of one body, of two, of a sphere that slips (2/7 of its mass); K and the times follow from them and the step.
TEST(TextInclusion, ChoosesWhatIsLeftOut) {
  InclusionText text = block("(dio(p) - F*sgn(v) - mu*dio(p - q)*sgn(v - w))/M");
  text.usual = {};
  text.let.emplace_back("m2", .5);
  text.rate[3].second = "(mu*dio(p - q)*sgn(v - w) - dio(p - q))/m2";
  text.step = 1e-3;
  auto model = good(text);
  EXPECT_DOUBLE_EQ(model->dios()[0].mass, 2);
  EXPECT_DOUBLE_EQ(model->sgns()[0].mass, 2);
  EXPECT_DOUBLE_EQ(model->sgns()[1].mass, .4);  // 2*.5/(2 + .5)
  EXPECT_EQ(model->sgns()[0].by.beta, 2e-3);
  EXPECT_EQ(model->sgns()[0].by.K, 1e6);  // .5 M/T^2
  EXPECT_EQ(model->dios()[0].by.alpha, 1.6e-3);
  EXPECT_EQ(model->dios()[0].by.K, 1.3e5);  // sqrt(K beta/(alpha M)) T = .28
  EXPECT_EQ(model->notes()[0],
            "d1 = dio(p): beta = 0.002, alpha = 0.0016, K = 130000 chosen for a step of 0.001 s and an effective mass of 2");
  // A longer damping time needs a softer asperity.
  text.regularise = {{"sgn(v)", {.beta = 2e-2}}};
  EXPECT_EQ(good(text)->sgns()[0].by.K, 1e5);
  // A dio that pulls, a sgn that drives: nothing to choose from.
  text.regularise.clear();
  text.rate[2].second = "F*sgn(v) - dio(p)";
  text.rate[3].second = "-F*sgn(v)";
  EXPECT_EQ(
      problems_with(text),
      (Texts{"regularise.dio(p): K is missing, and cannot be chosen: at the start the term does not act against its argument",
             "regularise.F*sgn(v): K is missing, and cannot be chosen: at the start the term does not act against its argument"}));
  text.usual = {.K = 1, .beta = 1, .alpha = 1};
  EXPECT_EQ(good(text)->notes()[1], "s1 = F*sgn(v): does not act against its argument at the start; is its sign right?");
}

// sgn(v - w), sgn(w - v) and sgn(-(v - w)) are one element.
TEST(TextInclusion, SeesThroughSigns) {
  const auto model = good(block("-F*sgn(v - w) + F*sgn(w - v) + F*sgn(-(v - w)) - F*sgn(-(w - v))"));
  ASSERT_EQ(model->sgns().size(), 1u);
  EXPECT_EQ(model->states()[2].rate.text(), "-s1 - s1 - s1 - s1");
}

// Terms at rest bear what pulls at them, within their limits: 4 N on a block that 3 N of friction hold at the floor, and 2 N at its
// neighbour.
TEST(TextInclusion, StartsAtRest) {
  InclusionText text = block("(4 - 3*sgn(v) - 2*sgn(v - w))/M");
  text.rate[3].second = "(2*sgn(v - w) - 3*sgn(w))/M";
  text.preload = true;
  auto model = good(text);
  const auto force = [&](std::size_t i) { return 5e3 * model->start()[4 + i]; };
  // Any balance with |f| within the limits is one; what stands still is what counts.
  std::vector<double> x = model->start(), xdot(x.size());
  model->rate(0, x, 0, xdot);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(xdot[i], 0, 1e-12) << model->state_names()[i];
  EXPECT_NEAR(force(0) + force(2), 4, 1e-12);
  EXPECT_LE(std::abs(force(0)), 3);
  EXPECT_LE(std::abs(force(1)), 2);
  // Too much to be held, in the plane: at the limit, along the load.
  text = block("6 - F*sgn2(v, w)");
  text.rate[3].second = "8 - F*sgn2(w, v)";
  text.preload = true;
  model = good(text);
  EXPECT_NEAR(force(0), .5 * .6, 1e-12);
  EXPECT_NEAR(force(1), .5 * .8, 1e-12);
  // What moves is at its limit; a contact has relaxed at its indentation.
  text = block("dio(q - 1.5) - F*sgn(v + 2)");
  text.preload = true;
  model = good(text);
  EXPECT_EQ(model->start()[4], .5);
  EXPECT_DOUBLE_EQ(model->start()[5], .5 / 5e3);
}

// Text of any size ends in an answer.
TEST(TextInclusion, BearsLargeFormulas) {
  std::string sum = "-F*sgn(v)", product = "(1 - F*sgn(v))";
  for (int i = 0; i < 1500; ++i) sum += " - F*sgn(w)";
  EXPECT_EQ(good(block(sum))->sgns().size(), 2u);
  for (int i = 0; i < 190; ++i) product = "(1 + " + product + ")*F";
  EXPECT_EQ(good(block(product))->sgns().size(), 1u);
  std::string wide = "(0";
  for (int i = 0; i < 1000; ++i) wide += " + q*sgn(v)";
  wide += ")*(0";
  for (int i = 0; i < 1000; ++i) wide += " + q";
  // Many terms: nothing grows with their square but what is quick.
  InclusionText many;
  for (int i = 0; i < 1500; ++i) {
    const std::string name = "v" + std::to_string(i);
    many.state.emplace_back(name, 0);
    many.rate.emplace_back(name, "-" + std::to_string(i + 1) + "*sgn(" + name + ")");
  }
  EXPECT_EQ(good(many)->sgns().size(), 1500u);
  EXPECT_EQ(problems_with(block(wide + ")")), (Texts{"rate.v: too many products of sums to be multiplied out"}));
}

}  // namespace
}  // namespace asperity::text_test
