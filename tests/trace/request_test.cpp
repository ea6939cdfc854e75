// Traces as users ask for them: what is read, what is answered, and what is refused.
#include "asperity/trace/request.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

namespace asperity {
namespace {

using Json = nlohmann::ordered_json;

PreparedTrace prepared(const TraceRequest& request) {
  Problems problems;
  auto found = prepare_trace(request, problems);
  EXPECT_TRUE(found) << (problems.empty() ? "" : problems.front());
  return found.value_or(PreparedTrace{});
}

Problems refused(const TraceRequest& request, std::string_view dash = "") {
  Problems problems;
  EXPECT_FALSE(prepare_trace(request, problems, dash));
  return problems;
}

const TraceRequest sliding{.law = "single_state", .set = {"F=2", "K=1e5"}, .velocity = "1e-3", .duration = "0.1", .step = "1e-3"};

// Sliding with F over the distance d takes the work F d, less F^2/(2 K) for the deflection at the start; its damping adds F beta v.
TEST(TraceRequest, IsAnsweredWithForceWorkAndVerdict) {
  const TraceAnswer answer = carry_out(prepared(sliding));
  EXPECT_EQ(answer.trace.rows(), 101U);
  EXPECT_EQ(answer.verdict(), Verdict::fine);
  EXPECT_FALSE(answer.stopped);
  EXPECT_NEAR(answer.checked_until, 0.1, 1e-12);
  EXPECT_NEAR(answer.trace.find("force")->values.back(), 2, 1e-12);
  EXPECT_NEAR(answer.trace.find("work_in")->values.back(), 2 * 1e-4 - 2 * 2 / (2 * 1e5), 4e-6);

  const Json json = Json::parse(to_json(answer));
  EXPECT_EQ(json.at("law"), "single_state");
  EXPECT_EQ(json.at("method"), "step");
  EXPECT_EQ(json.at("rows"), 101);
  EXPECT_EQ(json.at("verdict"), "fine");
  EXPECT_TRUE(json.at("failure").is_null());
  EXPECT_EQ(json.at("columns").at("force").at("unit"), "N");
  EXPECT_EQ(json.at("columns").at("force").at("last"), answer.trace.find("force")->values.back());
  EXPECT_TRUE(to_text(answer).starts_with("single_state: 101 rows, t = 0 .. 0.1 s, step 0.001 s, method step\n"));
  const plot::Figure figure = figure_of(answer);
  EXPECT_EQ(figure.panels.size(), 4U);
  EXPECT_EQ(figure.subtitle, "velocity 1e-3   with F=2, K=1e5");
}

// A course remembers where it was: each trace of what is prepared begins at the start.
TEST(TraceRequest, IsTheSameEachTime) {
  for (const TraceRequest& request :
       {sliding, TraceRequest{.law = "lugre", .position = "1e-4*sin(20*t)", .load = "1 + t", .duration = "0.5", .step = "1e-3"},
        TraceRequest{.law = "lugre", .waypoints = "0,1e-4,-1e-4", .speed = "1e-3", .step = "1e-3", .method = "rk4"},
        TraceRequest{.law = "hertz", .position = "1e-4*cos(20*t)", .duration = "0.5", .step = "1e-3"},
        TraceRequest{.law = "frictional_contact", .velocity = "0.01", .duration = "0.1", .step = "1e-4"}}) {
    const PreparedTrace one = prepared(request);
    const TraceAnswer first = carry_out(one), second = carry_out(one);
    ASSERT_GT(first.trace.rows(), 100U) << request.law;
    for (std::size_t c = 0; c < first.trace.columns.size(); ++c)
      EXPECT_EQ(first.trace.columns[c].values, second.trace.columns[c].values) << request.law;
  }
}

// A file is read once: it may be gone when the trace is compared with shorter steps.
TEST(TraceRequest, ReadsItsFileOnce) {
  const std::string path = ::testing::TempDir() + "asperity_motion.csv";
  std::ofstream(path) << "t,position,load\n0,0,1\n0.1,1e-4,1\n0.2,3e-4,2\n0.3,1e-4,2\n";
  const PreparedTrace one = prepared({.law = "lugre", .input = path, .step = "1e-3"});
  std::remove(path.c_str());
  const TraceAnswer answer = carry_out(one);
  ASSERT_EQ(answer.trace.rows(), 301U);
  EXPECT_NEAR(answer.trace.find("position")->values[200], 3e-4, 1e-12);
  EXPECT_NEAR(answer.trace.find("load")->values[200], 2, 1e-9);
  EXPECT_NEAR(answer.checked_until, 0.3, 1e-9);
}

TEST(TraceRequest, AllThatIsWrongIsSaid) {
  EXPECT_EQ(refused({.law = "lugr"}).front(), "unknown law \"lugr\"; did you mean lugre?");
  EXPECT_EQ(refused({.law = "lugre"}), Problems{"no motion given: use velocity, position, waypoints with speed, or input"});
  EXPECT_EQ(refused({.law = "lugre", .velocity = "1", .method = "rk5"}, "--"),
            (Problems{"--method rk5: must be step, rk4, euler, implicit or implicit2",
                      "no --step given: the time between rows, in s", "no --duration given: how long to trace, in s"}));
  EXPECT_EQ(refused({.law = "hertz", .velocity = "1", .load = "2", .gap = "3", .duration = "1", .step = "1"}),
            (Problems{"load 2: hertz takes no load", "gap 3: hertz takes its gap from position, velocity, waypoints or input"}));
  EXPECT_EQ(refused({.law = "lugre", .velocity = "1", .duration = "1", .step = "1e-9"}).size(), 1U);
}

TEST(TraceRequest, ALawThatFailsIsSaidWithWhatToDo) {
  TraceRequest request{.law = "dahl", .velocity = "1e6", .duration = "100", .step = "1", .method = "euler"};
  const TraceAnswer answer = carry_out(prepared(request));
  ASSERT_TRUE(answer.trace.stop);
  EXPECT_EQ(answer.trace.stop->cause, TraceStop::Cause::law);
  EXPECT_FALSE(answer.stopped);
  EXPECT_EQ(answer.verdict(), Verdict::failed);
  EXPECT_TRUE(stop_text(answer, "--").ends_with("try a smaller --step, or --method step")) << stop_text(answer, "--");
  EXPECT_EQ(Json::parse(to_json(answer)).at("verdict"), "failed");
  request.velocity = "1/t";
  EXPECT_EQ(stop_text(carry_out(prepared(request))), "at t = 0 s: velocity = inf m/s: must be a finite number");
}

// The trace itself is a 17th of the work, the shorter steps that it is compared with are the rest.
TEST(TraceRequest, ReportsProgressAndStopsWhenAsked) {
  const PreparedTrace one = prepared(sliding);
  double reached = 0;
  long asked = 0;
  const Hooks counting{.progress =
                           [&](const Progress& now) {
                             EXPECT_GE(now.done, reached);
                             EXPECT_EQ(now.all, 100 + 1600);
                             reached = now.done;
                           },
                       .stop = [&] { return ++asked < 0; }};
  EXPECT_FALSE(carry_out(one, counting).stopped);
  EXPECT_EQ(asked, 101 + 1601);
  for (const long last : {51L, 101L + 800L}) {
    long count = 0;
    const TraceAnswer part = carry_out(one, {.progress = {}, .stop = [&] { return ++count == last; }});
    EXPECT_EQ(count, last);
    EXPECT_TRUE(part.stopped);
    EXPECT_EQ(part.trace.rows(), last == 51 ? 50U : 101U);
    EXPECT_EQ(part.checked_until, 0);
    EXPECT_TRUE(part.findings.empty());
  }
}

}  // namespace
}  // namespace asperity
