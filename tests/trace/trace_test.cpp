// Traces as a program asks for them: progress and stop.
#include "asperity/trace.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace asperity {
namespace {

constexpr TraceMethod methods[] = {TraceMethod::step, TraceMethod::euler, TraceMethod::rk4, TraceMethod::implicit,
                                   TraceMethod::implicit2};

Trace swept(const AnyLaw& law, TraceSettings settings, Hooks hooks = {}) {
  settings.hooks = std::move(hooks);
  Drive drive;
  drive.slip = course_of_velocity([](double t) { return 1e-2 * std::sin(10 * t); }, 0);
  return run_trace(law, drive, settings);
}

// A stop leaves the rows before it, which are those of the whole trace.
TEST(RunTrace, ReportsProgressAndStopsWhenAsked) {
  const auto law = make_law("lugre");
  for (const TraceMethod method : methods) {
    const TraceSettings settings{.step = 1e-4, .steps = 500, .method = method};
    const Trace whole = swept(*law, settings);
    ASSERT_EQ(whole.rows(), 501U);
    ASSERT_FALSE(whole.stop);
    for (const long rows : {0L, 7L, 500L}) {
      long asked = 0, reports = 0;
      const Trace part = swept(*law, settings,
                               {.progress =
                                    [&](const Progress& now) {
                                      EXPECT_EQ(now.all, 500);
                                      EXPECT_LE(now.done, now.all);
                                      ++reports;
                                    },
                                .stop = [&] { return asked++ == rows; }});
      EXPECT_GT(reports, 0);
      ASSERT_TRUE(part.stop);
      EXPECT_EQ(part.stop->cause, TraceStop::Cause::asked);
      EXPECT_EQ(part.stop->time, static_cast<double>(rows) * 1e-4);
      ASSERT_EQ(part.rows(), static_cast<std::size_t>(rows));
      for (std::size_t c = 0; c < whole.columns.size(); ++c)
        for (std::size_t i = 0; i < part.rows(); ++i) EXPECT_EQ(part.columns[c].values[i], whole.columns[c].values[i]);
    }
  }
}

}  // namespace
}  // namespace asperity
