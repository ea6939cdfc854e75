// Synthetic twins of the measured data: the same machine with the published numbers, made by a plant that shares nothing with the
// library, so that someone who has only the repository tests as much.
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/identify/identify.hpp"
#include "asperity/identify/stick_slip.hpp"
#include "plant.hpp"
#include "synthetic.hpp"

namespace asperity::identify::twin_test {
namespace {

/// EMPS as it was published: M 95.1089 kg, Fv 203.5034 N s/m, Fc 20.3935 N, offset -3.1648 N; 1 kHz, and an encoder of 1 um, whose
/// noise the filter has to find for itself.
TEST(Twin, Emps) {
  Plant plant;
  plant.M = 95.1089, plant.Fv = 203.5034, plant.F_c = 20.3935, plant.offset = -3.1648, plant.K = 2e6;
  plant.size = 0.03, plant.encoder = 1e-6, plant.force_noise = 2, plant.duration = 12;
  const auto record = plant.run();
  Request request;
  request.laws = {"single_state"};
  request.data.name = "twin.csv";
  request.data.table.columns = {{{"t", "s"}, record.t}, {{"x", "m"}, record.x}, {{"F", "N"}, record.f}};
  std::vector<std::string> problems;
  request.map = read_map("time=t, position=x, force=F", problems);
  request.settings.mass.reset();
  request.settings.viscous = request.settings.offset = true;
  const Outcome found = run(request);
  ASSERT_TRUE(found.ok()) << found.problems.front();
  const Fit& fit = found.study->laws[0].fit;
  EXPECT_NEAR(fit.mass, 95.1089, 0.01 * 95.1089);
  EXPECT_NEAR(fit.viscous, 203.5034, 0.01 * 203.5034);
  EXPECT_NEAR(fit.q[0], 20.3935, 0.01 * 20.3935);
  EXPECT_NEAR(fit.offset, -3.1648, 0.05 * 3.1648);
}

/// A saw-tooth as that of paper on paper: pulled at 42 um/s through 1002 N/m under 0.3 N, it rises by 0.140 per s up to 0.328 and
/// falls by 0.0977 within 12 ms. Noise and a quantised force are no slips, and the load is read off the rise.
class PaperTwin : public testing::TestWithParam<std::pair<double, double>> {};
TEST_P(PaperTwin, NoiseIsNoSlip) {
  const auto [noise, quantum] = GetParam();
  Noise dice(5);
  constexpr double load = 0.3, rate = 2000, peak = 0.328, drop = 0.0977, rise = 1002 * 42e-6 / load, fall = 0.012;
  std::vector<double> t, f;
  double force = peak - drop, left = 0;
  for (int k = 0; k < 60 * 2000; ++k) {
    if (left > 0) force -= drop / (fall * rate), left -= 1;
    else force += rise / rate;
    if (left <= 0 && force >= peak) left = fall * rate;
    const double seen = force + noise * dice.normal();
    t.push_back(k / rate), f.push_back(quantum > 0 ? quantum * std::round(seen / quantum) : seen);
  }
  SlipRequest request;
  request.laws = {"single_state_stribeck"};
  request.data.name = "twin.csv";
  request.data.table.columns = {{{"t", "s"}, t}, {{"F", "1"}, f}};
  std::vector<std::string> problems;
  request.map = read_map("time=t, force=F", problems);
  request.map[1].unit = "";
  request.data.table.columns[1].quantity.unit = "";
  request.spring = 1002, request.pull = 42e-6, request.load_is_free = true;
  request.hooks.stop = [] { return true; };  // what is read off is enough
  const SlipStudy study = run(request);
  const SawTooth& tooth = study.own.tooth;
  EXPECT_NEAR(double(tooth.cycles), 60 / (drop / rise + fall), 4);
  EXPECT_NEAR(tooth.drop.mean, drop, 0.1 * drop + noise);
  EXPECT_NEAR(study.pulled.load, load, 0.07 * load);  // a tenth of the drop is one step of the coarsest force
}
INSTANTIATE_TEST_SUITE_P(Noises, PaperTwin,
                         testing::Values(std::pair(0.0, 0.0), std::pair(0.002, 0.0), std::pair(0.01, 0.0), std::pair(0.02, 0.0),
                                         std::pair(0.005, 0.01), std::pair(0.0, 0.005)));

}  // namespace
}  // namespace asperity::identify::twin_test
