#include "asperity/identify/stick_slip.hpp"

#include <cmath>
#include <numbers>

#include "asperity/run/table.hpp"
#include "data_folder.hpp"

namespace asperity::identify {
namespace {

/// The spring force of a mass pulled at v, exact: it sticks while f rises at k v; it slips along f = F_k + D cos wt + (k v/w) sin
/// wt, D = F_s - F_k, until it is at rest again after (2/w)(pi - atan(D/(v sqrt(k m)))).
void pull(double k, std::vector<double>& t, std::vector<double>& f) {
  const double m = 1, v = 1e-3, F_s = 1.5, F_k = 1, D = F_s - F_k, w = std::sqrt(k / m);
  const double stick = 2 * D / (k * v), slip = 2 / w * (std::numbers::pi - std::atan(D / (v * std::sqrt(k * m))));
  for (int i = 0; i < 40000; ++i) {
    t.push_back(0.005 * i);
    const double phase = std::fmod(t.back(), stick + slip);
    const double in_slip = phase - stick;
    f.push_back(in_slip < 0 ? 2 * F_k - F_s + k * v * phase : F_k + D * std::cos(w * in_slip) + k * v / w * std::sin(w * in_slip));
    if (i % 1000 == 17) f.back() += 3;  // an impulse of noise
  }
}

TEST(StickSlip, FrictionIsReadOffTheSawToothAndPredictsAnotherSpring) {
  std::vector<double> t, f;
  pull(100, t, f);
  const SawTooth stiff = saw_tooth(t, f, 0.2);
  const StaticAndKinetic friction = friction_of(stiff);
  EXPECT_NEAR(friction.F_s, 1.5, 0.003);
  EXPECT_NEAR(friction.F_k, 1.0, 0.003);
  EXPECT_NEAR(stiff.rise, 0.1, 0.002);
  EXPECT_NEAR(stiff.spread, 0, 0.003);

  std::vector<double> t_soft, f_soft;
  pull(25, t_soft, f_soft);
  const SawTooth soft = saw_tooth(t_soft, f_soft, 0.2), predicted = with_rise(friction, stiff.rise * 25 / 100);
  EXPECT_NEAR(predicted.drop, soft.drop, 0.01);
  EXPECT_NEAR(predicted.period, soft.period, 0.03 * soft.period);
}

/// Paper on paper (the data are cited in docs/guides/identify.md): friction read off at k = 1002 N/m predicts slips at k = 168 N/m
/// that are twice as large and as rare as the measured ones. Kinetic friction is the same with both springs; the static one is
/// lower with the soft spring, although it sticks twice as long there. Ageing says the opposite, so that it cannot explain it
/// either.
TEST(PaperStickSlip, NoLawOfStaticAndKineticFrictionExplainsBothSprings) {
  const std::string stiff_file = "paper_stick_slip/k1002Nm_v42_200-260s.csv",
                    soft_file = "paper_stick_slip/k168Nm_v42_200-260s.csv";
  NEEDS(stiff_file);
  const auto tooth = [](const std::string& file) {
    std::vector<std::string> problems;
    const auto table = read_table(data_folder() + "/" + file, problems);
    return saw_tooth(table->columns[0].values, table->columns[1].values, 0.015);
  };
  const SawTooth stiff = tooth(stiff_file), soft = tooth(soft_file);
  const StaticAndKinetic at_stiff = friction_of(stiff), at_soft = friction_of(soft);
  // While it sticks the force rises with the stiffness: the springs are what the names of the files say.
  EXPECT_NEAR(soft.rise / stiff.rise, 168.0 / 1002, 0.02);
  const SawTooth predicted = with_rise(at_stiff, soft.rise);
  EXPECT_NEAR(at_stiff.F_s, 0.328, 0.005);
  EXPECT_NEAR(at_stiff.F_k, 0.279, 0.005);
  EXPECT_NEAR(predicted.drop / soft.drop, 2.1, 0.3);
  EXPECT_NEAR(predicted.period / soft.period, 2.2, 0.3);
  EXPECT_NEAR(at_soft.F_k / at_stiff.F_k, 1, 0.02);
  EXPECT_LT(at_soft.F_s, 0.95 * at_stiff.F_s);
  EXPECT_GT(soft.period, 2 * stiff.period);
}

}  // namespace
}  // namespace asperity::identify
