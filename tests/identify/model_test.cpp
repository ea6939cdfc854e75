// A law driven by samples: against the law in continuous time, and its slopes against differences.
#include "asperity/identify/model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "asperity/friction/dahl.hpp"
#include "asperity/friction/lugre.hpp"
#include "asperity/friction/single_state.hpp"
#include "asperity/identify/uncertainty.hpp"
#include "synthetic.hpp"

namespace asperity::identify::model_test {
namespace {

double to_and_fro(double t) { return 1e-2 * std::cos(3 * t) + 4e-3 * std::sin(8 * t); }

double largest_of(const std::vector<double>& f) {
  double most = 0;
  for (const double x : f) most = std::max(most, std::abs(x));
  return most;
}

/// The largest difference between the law in continuous time and the one that is fitted, at the same parameters, over the force.
template <class Law>
double error_of(const Law& law, const std::vector<double>& q, double step_length) {
  const Samples s = samples_of(law, to_and_fro, static_cast<std::size_t>(1 / step_length), step_length, 500);
  std::vector<double> f(s.size()), off;
  make_model(Law::about.name)->force(s, s.size(), q, f);
  for (std::size_t k = 0; k < f.size(); ++k) off.push_back(f[k] - s.force[k]);
  return largest_of(off) / largest_of(f);
}

/// Second order: with samples twice as far apart the error is four times as large.
template <class Law>
void expect_second_order(const Law& law, const std::vector<double>& q) {
  const double fine = error_of(law, q, 2e-3), coarse = error_of(law, q, 4e-3);
  EXPECT_NEAR(coarse / fine, 4, 0.4) << Law::about.name << ": " << fine << " and " << coarse;
  EXPECT_LT(fine, 5e-4) << Law::about.name;
}

TEST(Samples, DriveALawToSecondOrder) {
  Dahl<> dahl;
  dahl.F = 2, dahl.K = 1e4;
  expect_second_order(dahl, {2, 1e4});
  LuGre<> lugre;
  lugre.F_c = 1, lugre.F_s = 1.5, lugre.v_s = 2e-3, lugre.K = 1e4, lugre.B = 30, lugre.D = 8;
  expect_second_order(lugre, {1, 0.5, 2e-3, 2, 1e4, 30, 8});
}

/// Where a law has corners, the order is lost in the samples beside them only.
TEST(Samples, DriveALawWithCornersClosely) {
  SingleState<> law;
  law.F = 2, law.K = 1e4, law.beta = 0.02;
  EXPECT_LT(error_of(law, {2, 1e4, 0.02}, 2e-3), 2e-4);
  law.beta = 2e-5;  // much faster than a sample
  EXPECT_LT(error_of(law, {2, 1e4, 2e-5}, 2e-3), 2e-3);
}

/// What the asperity travels while it sticks is what was measured, whatever the velocity looks like.
TEST(Samples, DisplaceAStickingAsperityAsMeasured) {
  Samples s = samples_of(SingleState<>{}, to_and_fro, 100, 1e-3);
  Noise noise(1);
  for (double& v : s.velocity) v += 1e-3 * noise.normal();
  std::vector<double> f(s.size());
  make_model("single_state")->force(s, s.size(), std::vector<double>{1e9, 3e4, 1e-12}, f);
  for (std::size_t k = 1; k < s.size(); ++k) ASSERT_NEAR(f[k], 3e4 * (s.position[k] - s.position[0]), 1e-6) << k;
}

/// Intervals hold for a law in continuous time, sampled at 1 kHz: of 72, 4 miss on average.
TEST(Samples, OfAContinuousLawLieInTheIntervals) {
  LuGre<> law;
  law.F_c = 1, law.F_s = 1.5, law.v_s = 2e-3, law.K = 2e4, law.B = 30, law.D = 8;
  const Samples clean = samples_of(
      law, [](double t) { return 0.01 * std::cos(6.2832 * t) + 0.004 * std::cos(9 * t); }, 2500, 1e-3, 100);
  const std::map<std::string, double> truth{{"F_c", 1}, {"F_s", 1.5}, {"v_s", 2e-3}, {"K", 2e4}, {"B", 30}, {"D", 8}};
  const auto model = make_model("lugre");
  const Rows rows = rows_between(clean, 0, 1e9);
  FitSettings settings;
  settings.viscous = true;
  settings.starts = 1;
  int missed = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Samples s = clean;
    Noise noise(seed);
    for (double& f : s.force) f += 0.02 * noise.normal();
    for (const Finding& f : uncertainty(*model, fit(*model, s, rows, settings), s, rows).findings)
      if (const auto known = truth.find(f.name); known != truth.end()) missed += known->second < f.low || known->second > f.high;
  }
  EXPECT_GE(missed, 1);
  EXPECT_LE(missed, 9);
}

std::vector<double> middle(const std::vector<Coordinate>& coordinates) {
  std::vector<double> q;
  for (const Coordinate& c : coordinates) q.push_back(c.is_free ? std::sqrt(c.from * c.to) : c.fixed);
  return q;
}

class DrivenModel : public testing::TestWithParam<std::string> {
 protected:
  DrivenModel() {
    for (std::size_t k = 0; k < samples_.size(); ++k) samples_.load[k] = 2 + std::sin(0.03 * static_cast<double>(k));
  }
  std::unique_ptr<Model> model_ = make_model(GetParam());
  Samples samples_ = samples_of(SingleState<>{}, three_tones, 400, 5e-3);
  std::vector<Coordinate> coordinates_ = model_->coordinates(scales_of(samples_, rows_between(samples_, 0, 1e9)), 3);
};

/// Slopes by dual numbers against differences of the force itself. GMS switches: a few of its samples may differ.
TEST_P(DrivenModel, SlopesAreThoseOfTheForce) {
  const auto q = middle(coordinates_);
  std::vector<Direction> directions;
  for (std::size_t i = 0; i < q.size(); ++i) directions.push_back({i});
  const std::size_t n = samples_.size();
  std::vector<double> f(n), slopes(n * q.size()), above(n), below(n);
  model_->slopes(samples_, n, q, directions, f, slopes);
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double h = 1e-6;
    auto more = q, less = q;
    more[i] *= std::exp(h), less[i] *= std::exp(-h);
    model_->force(samples_, n, more, above);
    model_->force(samples_, n, less, below);
    std::size_t wrong = 0;
    for (std::size_t k = 0; k < n; ++k)
      wrong += !(std::abs((above[k] - below[k]) / (2 * h) - slopes[i * n + k]) < 1e-6 * largest_of(f));
    EXPECT_LE(wrong, GetParam() == "gms" ? n / 50 : 0) << coordinates_[i].name;
  }
}

/// Euler's theorem: the groups together are the force, and a group scaled is its part scaled.
TEST_P(DrivenModel, ForceIsLinearInTheScaleOfGroups) {
  auto q = middle(coordinates_);
  int most = 0;
  for (const Coordinate& c : coordinates_) most = std::max(most, c.group);
  std::vector<Direction> groups(static_cast<std::size_t>(most) + 1);
  for (std::size_t i = 0; i < q.size(); ++i)
    if (coordinates_[i].group >= 0) groups[static_cast<std::size_t>(coordinates_[i].group)].push_back(i);
  const std::size_t n = samples_.size();
  std::vector<double> f(n), parts(n * groups.size()), scaled(n);
  model_->slopes(samples_, n, q, groups, f, parts);
  const double largest = largest_of(f);
  for (const std::size_t i : groups[0]) q[i] *= 1.7;
  model_->force(samples_, n, q, scaled);
  for (std::size_t k = 0; k < n; ++k) {
    double sum = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) sum += parts[g * n + k];
    ASSERT_NEAR(sum, f[k], 1e-9 * largest) << k;
    ASSERT_NEAR(scaled[k], f[k] + 0.7 * parts[k], 1e-9 * largest) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Every, DrivenModel, testing::ValuesIn(model_names()), [](const auto& test) { return test.param; });

/// The same slopes whether an element is driven alone or the whole law is, by forces and by stiffnesses, under a load that varies.
TEST(Slopes, OfAnElementAloneAreThoseOfTheWholeLaw) {
  Samples s = samples_of(SingleState<>{}, three_tones, 500, 2e-3);
  for (std::size_t k = 0; k < s.size(); ++k) s.load[k] = 1.5 + std::sin(0.02 * static_cast<double>(k));
  const std::size_t n = s.size(), shared = 5, elements = 4;
  for (const char* name : {"multistate", "gms"}) {
    const auto model = make_model(name);
    const auto q = middle(model->coordinates(scales_of(s, rows_between(s, 0, 1e9)), static_cast<int>(elements)));
    std::vector<double> f(n), both(n), alone(2 * n);
    for (const std::size_t first : {shared, shared + elements}) {
      // Two elements in one direction need the whole law.
      model->slopes(s, n, q, std::vector<Direction>{{first, first + 1}}, f, both);
      model->slopes(s, n, q, std::vector<Direction>{{first}, {first + 1}}, f, alone);
      EXPECT_GT(largest_of(both), 1e-3 * largest_of(f)) << name;
      for (std::size_t k = 0; k < n; ++k)
        ASSERT_NEAR(both[k], alone[k] + alone[n + k], 1e-9 * largest_of(f)) << name << " " << first << " " << k;
    }
  }
}

}  // namespace
}  // namespace asperity::identify::model_test
