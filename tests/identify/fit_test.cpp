#include "asperity/identify/fit.hpp"

#include <gtest/gtest.h>

#include "asperity/friction/lugre.hpp"
#include "asperity/friction/multistate.hpp"
#include "asperity/friction/single_state.hpp"
#include "synthetic.hpp"

namespace asperity::identify {
namespace {

Rows all_of(const Samples& s) { return rows_between(s, -1e9, 1e9); }

std::vector<double> middle(const std::vector<Coordinate>& coordinates) {
  std::vector<double> q;
  for (const Coordinate& c : coordinates) q.push_back(c.is_free ? std::sqrt(c.from * c.to) : c.fixed);
  return q;
}

class EveryModel : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Model> model_ = make_model(GetParam());
  Samples samples_ = samples_of(SingleState<>{}, three_tones, 400, 5e-3);
  Scales scales_ = scales_of(samples_, all_of(samples_));
  std::vector<Coordinate> coordinates_ = model_->coordinates(scales_, 3);
};

/// From data it made itself, every law is found again: the residual is no more than the noise, and mass and offset are told.
TEST_P(EveryModel, FindsItselfAgain) {
  auto q = middle(coordinates_);
  std::vector<double> f(samples_.size());
  model_->force(samples_, samples_.size(), q, f);
  Noise noise(11);
  double largest = 0, square = 0;
  for (const double x : f) largest = std::max(largest, std::abs(x));
  for (std::size_t k = 0; k < f.size(); ++k) {
    const double e = 0.005 * largest * noise.normal();
    samples_.force[k] = f[k] + 0.7 * samples_.acceleration[k] * largest / 1e-4 + 0.3 * largest + e;
    square += e * e;
  }
  FitSettings settings;
  settings.elements = 3;
  settings.mass.reset();
  settings.offset = true;
  settings.viscous = model_->has_own_viscosity();
  const Fit found = fit(*model_, samples_, all_of(samples_), settings);
  // gms switches between samples: what lies between two of them is not seen by the fit.
  EXPECT_LT(std::sqrt(found.cost / square), GetParam() == "gms" ? 1.3 : 1.03);
  EXPECT_NEAR(found.offset, 0.3 * largest, 0.03 * largest);
  EXPECT_NEAR(found.mass, 0.7 * largest / 1e-4, 0.1 * largest / 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, testing::ValuesIn(model_names()), [](const auto& test) { return test.param; });

TEST(Fit, SpikesCountLittleWhenRobust) {
  SingleState<> law;
  law.F = 2, law.K = 4e6, law.beta = 2e-3;
  Samples s = samples_of(law, three_tones, 1500, 2e-3);
  Noise noise(3);
  for (std::size_t k = 0; k < s.size(); ++k) {
    s.force[k] += 0.01 * noise.normal();
    if (k % 10 == 0) s.force[k] += 20;  // one-sided
  }
  FitSettings settings;
  const auto model = make_model("single_state");
  EXPECT_GT(std::abs(fit(*model, s, all_of(s), settings).q[1] / 4e6 - 1), 0.02);
  settings.robust = true;
  const Fit found = fit(*model, s, all_of(s), settings);
  EXPECT_NEAR(found.q[0], 2, 0.01);
  EXPECT_NEAR(found.q[1], 4e6, 0.01 * 4e6);
}

TEST(Fit, HonoursWhatIsFixedAndBounded) {
  LuGre<> law;
  law.F_c = 1, law.F_s = 1.5, law.v_s = 2e-6, law.K = 5e6, law.B = 0, law.D = 0;
  const Samples s = samples_of(law, three_tones, 1000, 4e-3);
  FitSettings settings;
  settings.fixed = {{"v_s", 4e-6}, {"F_c", 0.8}};
  settings.bounds = {{"K", 1e6, 3e6}};
  const auto model = make_model("lugre");
  const Fit found = fit(*model, s, all_of(s), settings);
  EXPECT_EQ(found.q[0], 0.8);
  EXPECT_EQ(found.q[2], 4e-6);
  EXPECT_LE(found.q[4], 3e6);
  EXPECT_GE(found.q[4], 1e6);
  std::vector<std::string> problems;
  settings.fixed = {{"vs", 1}};
  coordinates_for(*model, {}, settings, problems);
  EXPECT_EQ(problems, std::vector<std::string>{"lugre has no coordinate \"vs\"; did you mean v_s?"});
}

Multistate<double, 3> three_elements() {
  Multistate<double, 3> law;
  law.F_c = law.F_s = 1;
  law.lambda = {0.5, 0.3, 0.2}, law.kappa = {2e7, 5e6, 1e6};
  for (std::size_t i = 0; i < 3; ++i) law.sigma[i] = 2e-3 * law.kappa[i];
  return law;
}

/// What is known of single elements is kept where it was said, and the others explain the rest.
TEST(Fit, HonoursWhatIsFixedAndBoundedOfElements) {
  const Samples s = samples_of(three_elements(), three_tones, 1000, 4e-3, 4);
  const auto model = make_model("multistate");
  FitSettings settings;
  settings.elements = 3;
  settings.starts = 2;
  settings.fixed = {{"F_s/F_c - 1", 0}, {"v_s", 1e-6}, {"tau_d", 0.02}, {"F[2]", 0.5}, {"kappa[2]", 2e7}};
  settings.bounds = {{"kappa[3]", 3e6, 4e6}};
  const Fit found = fit(*model, s, all_of(s), settings);
  const std::size_t F = 5, kappa = 8;
  EXPECT_EQ(found.q[F + 1], 0.5);
  EXPECT_EQ(found.q[kappa + 1], 2e7);
  EXPECT_GE(found.q[kappa + 2], 3e6);
  EXPECT_LE(found.q[kappa + 2], 4e6);
  // One element is left to be placed, and without the bound so is the next: they are those of the law.
  settings.bounds.clear();
  const Fit free = fit(*model, s, all_of(s), settings);
  EXPECT_EQ(free.q[F + 1], 0.5);
  EXPECT_EQ(free.q[kappa + 1], 2e7);
  const bool swapped = free.q[kappa] < free.q[kappa + 2];
  EXPECT_NEAR(free.q[swapped ? F + 2 : F], 0.3, 0.01);
  EXPECT_NEAR(free.q[swapped ? F : F + 2], 0.2, 0.01);
  EXPECT_NEAR(free.q[swapped ? kappa + 2 : kappa], 5e6, 2e5);
  EXPECT_NEAR(free.q[swapped ? kappa : kappa + 2], 1e6, 4e4);
  // All of them known: only the rest is searched for.
  settings.fixed.insert(settings.fixed.end(), {{"F[1]", 0.3}, {"kappa[1]", 5e6}, {"F[3]", 0.2}, {"kappa[3]", 1e6}});
  EXPECT_NEAR(fit(*model, s, all_of(s), settings).q[3], 2e-3, 1e-4);
}

/// The last descent is to gain next to nothing three times in a row: it cannot in two steps.
TEST(Fit, SaysWhetherItHasConverged) {
  Samples s = samples_of(three_elements(), three_tones, 1000, 4e-3, 4);
  Noise noise(4);
  for (double& f : s.force) f += 0.01 * noise.normal();
  const auto model = make_model("multistate");
  FitSettings settings;
  settings.elements = 3;
  settings.starts = 1;
  EXPECT_TRUE(fit(*model, s, all_of(s), settings).converged);
  settings.steps = 2;
  EXPECT_FALSE(fit(*model, s, all_of(s), settings).converged);
}

TEST(Fit, RefusesNamesThatTheLawDoesNotHave) {
  const Samples s = samples_of(SingleState<>{}, three_tones, 100, 5e-3, 4);
  const auto model = make_model("single_state");
  FitSettings settings;
  settings.guess = {{"betta", 1e-3}};
  EXPECT_THROW(fit(*model, s, all_of(s), settings), std::invalid_argument);
}

}  // namespace
}  // namespace asperity::identify
