// Curves over the speed whose Stribeck velocity is near the top speed of the data, or beyond it.
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/identify/identify.hpp"
#include "plant.hpp"

namespace asperity::identify {
namespace {

/// Top speed 0.18 m/s. The optimum is compared with that of a fit that knows the truth. The numbers that are reported have been
/// corrected for noise of the motion, by no more than makes the residual a fifth larger.
TEST(StribeckVelocity, IsFoundNearTheTopSpeedAndBeyond) {
  for (const double v_s : {0.1, 0.2, 0.4})
    for (const std::uint64_t seed : {1U, 2U}) {
      Plant plant;
      plant.F_c = 7.52, plant.rise = 0.8, plant.v_s = v_s, plant.force_noise = 0.075, plant.noise = 1e-7, plant.seed = seed;
      const Plant::Record record = plant.run();
      Request request;
      request.laws = {"lugre"};
      asperity::Table table;
      table.columns = {{{"t", "s"}, record.t}, {{"x", "m"}, record.x}, {{"F", "N"}, record.f}};
      request.data = {"axis.csv", std::move(table)};
      std::vector<std::string> problems;
      request.map = read_map("time=t, position=x, force=F", problems);
      request.settings.mass.reset(), request.settings.viscous = request.settings.offset = true;
      const Outcome found = run(request);
      ASSERT_TRUE(found.ok()) << found.problems[0];
      Request known = request;
      known.settings.fixed = {{"v_s", v_s}, {"F_c", 7.52}};
      const Outcome truth = run(known);
      ASSERT_TRUE(truth.ok()) << truth.problems[0];
      const Judged &free = found.study->laws[0], &best = truth.study->laws[0];
      EXPECT_LT(free.fit.cost, 1.02 * best.fit.cost) << v_s << " " << seed;
      EXPECT_LT(free.rms, 1.2 * best.rms) << v_s << " " << seed;
      EXPECT_LT(free.unseen_rms, 1.25 * best.unseen_rms) << v_s << " " << seed;
      // What is said to be known, is.
      for (const Finding& f : free.uncertainty.findings)
        if (f.name == "F_c" && std::isfinite(f.low)) {
          EXPECT_LT(std::abs(f.value - 7.52), 4 * f.error) << v_s << " " << seed;
        }
    }
}

}  // namespace
}  // namespace asperity::identify
