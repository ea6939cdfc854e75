// The numbers of a trace against closed forms.
#include "asperity/trace.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace {

class TraceCommand : public ProgramTest {
 protected:
  Table trace(const std::string& words) const {
    const Answer answer = run("trace " + words);
    EXPECT_EQ(answer.exit_code, 0) << words << "\n" << answer.err;
    return table_of(answer.out);
  }
};

/// Without the first row: there sampled time knows no velocity yet of a motion given by positions.
double largest_difference(const std::vector<double>& a, const std::vector<double>& b, std::size_t stride_b) {
  double most = 0;
  for (std::size_t i = 1; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b.at(i * stride_b)));
  return most;
}

TEST_F(TraceCommand, RecordsEverything) {
  const Answer answer = run("trace lugre --velocity t --duration 0.01 --step 1e-3");
  EXPECT_EQ(answer.out.substr(0, answer.out.find('\n')), "t,position,velocity,force,a,energy_stored,work_in,energy_dissipated");
  EXPECT_EQ(answer.err, "");
  EXPECT_EQ(table_of(answer.out).at("t").size(), 11U);
  const auto header = [&](const std::string& words) {
    const std::string out = run("trace " + words).out;
    return out.substr(0, out.find('\n'));
  };
  EXPECT_EQ(header("specker --velocity t --load 2 --duration 1 --step 0.1"),
            "t,position,velocity,load,force,f,work_in,energy_dissipated");
  EXPECT_EQ(header("kelvin_voigt --position t --duration 1 --step 0.1"),
            "t,gap,gap_rate,force,energy_stored,work_in,energy_dissipated");
  EXPECT_EQ(header("frictional_contact --velocity t --duration 1 --step 0.1"),
            "t,position,velocity,gap,gap_rate,normal_force,tangential_force,e,a,energy_stored,work_in,energy_dissipated");
  EXPECT_EQ(header("multistate --elements 2 --velocity t --duration 1 --step 0.1"),
            "t,position,velocity,force,a[1],a[2],gamma,energy_stored,work_in,energy_dissipated");
}

TEST_F(TraceCommand, TimeDoesNotDrift) {
  const auto t = trace("threshold --velocity 1 --duration 100 --step 0.1").at("t");
  ASSERT_EQ(t.size(), 1001U);
  for (std::size_t k = 0; k < t.size(); ++k) EXPECT_EQ(t[k], static_cast<double>(k) * 0.1);
}

TEST_F(TraceCommand, SingleStateSlidesWithItsFrictionForce) {
  for (const char* method : {"step", "rk4", "euler"}) {
    const Table table = trace(std::string("single_state --set F=2 --velocity 1e-3 --duration 0.2 --step 1e-4 --method ") + method);
    EXPECT_NEAR(table.at("force").back(), 2, 1e-12) << method;
    EXPECT_NEAR(table.at("a").back(), 2e-5, 1e-12) << method;
    EXPECT_NEAR(table.at("position").back(), 2e-4, 1e-15) << method;
    // work in, stored in the asperity, the rest lost
    EXPECT_NEAR(table.at("energy_stored").back(), 0.5 * 1e5 * 2e-5 * 2e-5, 1e-15) << method;
    EXPECT_NEAR(table.at("work_in").back(), table.at("energy_stored").back() + table.at("energy_dissipated").back(), 1e-15)
        << method;
  }
}

// A slow loop of amplitude A encloses 4 F (A - F/K).
TEST_F(TraceCommand, QuasiStaticLoopHasItsArea) {
  const Table table = trace("single_state --waypoints 0,5e-5,-5e-5,5e-5 --speed 1e-6 --step 1e-2 --set beta=1e-5");
  const auto &x = table.at("position"), &f = table.at("force");
  ASSERT_EQ(x.size(), 25001U);
  const double loop = 4 * (5e-5 - 1e-5);
  EXPECT_NEAR(area(x, f, 5000, 25000), loop, 1e-3 * loop);
  EXPECT_NEAR(table.at("energy_dissipated")[25000] - table.at("energy_dissipated")[5000], area(x, f, 5000, 25000), 1e-12 * loop);
}

TEST_F(TraceCommand, MultistateLoopsHaveTheAreaOfTheThesis) {
  // N um of xiong2013 Fig. 4.8: amplitude 0.4 um at 0.05 um/s
  const Table table = trace("multistate --waypoints 0,4e-7,-4e-7,4e-7,-4e-7 --speed 5e-8 --step 1e-3");
  const std::size_t n = table.at("t").size();
  EXPECT_NEAR(area(table.at("position"), table.at("force"), n - 1 - 32000, n - 1) * 1e6, 1.41073, 2e-3);
}

TEST_F(TraceCommand, MethodsAgreeAsTheStepShrinks) {
  for (const char* motion :
       {"multistate --position '6e-7*sin(t)'", "lugre --velocity '2e-3*sin(3*t)'",
        "linear_compliance --position '2e-4+1e-3*cos(9*t)'", "dahl --waypoints 0,3e-5,-3e-5,3e-5 --speed 6e-5"}) {
    const std::string words = std::string(motion) + " --duration 2";
    const auto reference = trace(words + " --step 1e-4 --method rk4").at("force");
    double force = 0;
    for (const double f : reference) force = std::max(force, std::abs(f));
    for (const char* method : {"step", "euler"}) {
      const double coarse = largest_difference(trace(words + " --step 4e-4 --method " + method).at("force"), reference, 4);
      const double fine = largest_difference(trace(words + " --step 1e-4 --method " + method).at("force"), reference, 1);
      EXPECT_LT(fine, 0.03 * force) << words << " " << method;
      EXPECT_LT(fine, 0.5 * coarse + 1e-12) << words << " " << method;
    }
  }
}

TEST_F(TraceCommand, Rk4IsOfFourthOrderOnASmoothTrace) {
  const std::string words = "dahl --set K=1e3 --velocity '1e-3*(2+sin(3*t))' --duration 2 --method rk4";
  const double exact = trace(words + " --step 1e-3").at("force").back();
  const double coarse = std::abs(trace(words + " --step 0.2").at("force").back() - exact);
  const double fine = std::abs(trace(words + " --step 0.1").at("force").back() - exact);
  EXPECT_GT(coarse / fine, 10);
}

TEST_F(TraceCommand, Rk4SeesNoKinkInsideAStep) {
  // Straight lines with corners on the grid: LuGre has a closed form on each, which rk4 follows to its own order.
  const std::string path = "lugre --set B=0 --set F_s=1 --waypoints 0,1e-5,-1e-5 --speed 1e-5 --method rk4";
  const auto coarse = trace(path + " --step 0.05"), fine = trace(path + " --step 0.005");
  EXPECT_NEAR(coarse.at("force")[20], 1 - std::exp(-1.0), 1e-6);
  const double at_corner = 1 - std::exp(-1.0);
  EXPECT_NEAR(coarse.at("force").back(), -1 + (1 + at_corner) * std::exp(-2.0), 1e-6);
  EXPECT_NEAR(fine.at("force").back(), -1 + (1 + at_corner) * std::exp(-2.0), 1e-10);
}

TEST_F(TraceCommand, SampledTimeDifferencesPositions) {
  const Table table = trace("threshold --position 't^2' --duration 1 --step 0.25");
  EXPECT_EQ(table.at("velocity")[0], 0);
  for (std::size_t k = 1; k < 5; ++k) EXPECT_NEAR(table.at("velocity")[k], (2.0 * static_cast<double>(k) - 1) * 0.25, 1e-15);
  const Table ode = trace("threshold --position 't^2' --duration 1 --step 0.25 --method rk4");
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(ode.at("velocity")[k], 0.5 * static_cast<double>(k), 1e-9);
}

TEST_F(TraceCommand, FollowsFormulas) {
  const Table table = trace("threshold --velocity 't < 0.5 ? max(t, 0.1) : 2*pi' --from 3 --load '1+t' --duration 1 --step 0.25");
  EXPECT_EQ(table.at("velocity"), (std::vector<double>{0.1, 0.25, 2 * M_PI, 2 * M_PI, 2 * M_PI}));
  EXPECT_EQ(table.at("position")[0], 3);
  EXPECT_EQ(table.at("load"), (std::vector<double>{1, 1.25, 1.5, 1.75, 2}));
  EXPECT_EQ(table.at("force"), table.at("load"));
}

TEST_F(TraceCommand, ContactReadsTheGap) {
  const Table table = trace("hertz --position '1e-3 - t*1e-3' --duration 2 --step 0.5");
  EXPECT_EQ(table.at("force")[1], 0);
  EXPECT_NEAR(table.at("force")[4], 1e6 * std::pow(1e-3, 1.5), 1e-9);
  // lossless: what went in is stored, to the accuracy of the quadrature
  const Table fine = trace("hertz --position '-1e-3*sin(t)' --duration 1.5 --step 1e-4");
  EXPECT_NEAR(fine.at("work_in").back(), fine.at("energy_stored").back(), 1e-7 * fine.at("energy_stored").back());
}

TEST_F(TraceCommand, KelvinVoigtIsSticky) {
  const auto force = trace("kelvin_voigt --position '2e-4+1e-3*cos(200*pi*t)' --duration 0.01 --step 1e-5").at("force");
  EXPECT_LT(*std::min_element(force.begin(), force.end()), -50);
  const auto clamped = trace("kelvin_voigt_clamped --position '2e-4+1e-3*cos(200*pi*t)' --duration 0.01 --step 1e-5").at("force");
  EXPECT_EQ(*std::min_element(clamped.begin(), clamped.end()), 0);
}

TEST_F(TraceCommand, FrictionalContactSlidesWithMuTimesNormalForce) {
  const Table table = trace("frictional_contact --velocity 1e-2 --gap -2e-4 --duration 1 --step 1e-3");
  EXPECT_NEAR(table.at("normal_force").back(), 20, 1e-9);
  EXPECT_NEAR(table.at("tangential_force").back(), 10, 1e-9);
  EXPECT_NEAR(trace("frictional_contact --velocity 1e-2 --duration 1 --step 1e-3").at("normal_force").back(), 10, 1e-9);
}

TEST_F(TraceCommand, ReadsBackWhatItWrote) {
  ASSERT_EQ(run("trace lugre --position '3e-5*sin(2*pi*t)' --load '2+t' --duration 1 --step 1e-3 -o a.csv").exit_code, 0);
  ASSERT_EQ(run("trace lugre --input a.csv -o b.csv").exit_code, 0);
  EXPECT_EQ(read("a.csv"), read("b.csv"));
  ASSERT_EQ(run("trace linear_compliance --position '1e-3*cos(2*pi*t)' --duration 1 --step 1e-3 -o a.csv").exit_code, 0);
  ASSERT_EQ(run("trace linear_compliance --input a.csv -o b.csv").exit_code, 0);
  EXPECT_EQ(read("a.csv"), read("b.csv"));
}

TEST_F(TraceCommand, CompletesMeasuredMotions) {
  write("p.csv", "\xEF\xBB\xBFt, position\r\n# a comment\r\n2, 0\r\n3, 1\r\n\r\n5, 2\r\n");
  Table table = trace("threshold --input p.csv --step 0.5");
  EXPECT_EQ(table.at("t"), (std::vector<double>{2, 2.5, 3, 3.5, 4, 4.5, 5}));
  EXPECT_EQ(table.at("position"), (std::vector<double>{0, 0.5, 1, 1.25, 1.5, 1.75, 2}));
  EXPECT_EQ(table.at("velocity"), (std::vector<double>{0, 1, 1, 0.5, 0.5, 0.5, 0.5}));
  write("v.csv", "other,velocity,t\nx,0,0\ny,2,1\nz,2,2\n");
  table = trace("threshold --input v.csv --step 0.5 --from 1");
  EXPECT_EQ(table.at("velocity"), (std::vector<double>{0, 1, 2, 2, 2}));
  EXPECT_EQ(table.at("position"), (std::vector<double>{1, 1.25, 2, 3, 4}));
  EXPECT_EQ(trace("threshold --input v.csv").at("t").size(), 3U) << "even rows have a step of their own";
  EXPECT_EQ(trace("threshold --input v.csv --duration 1").at("t").size(), 2U);
}

TEST_F(TraceCommand, NumbersReadBackToThemselves) {
  const auto t = trace("threshold --velocity 'sin(t)' --duration 1 --step 0.1").at("velocity");
  for (std::size_t k = 0; k < t.size(); ++k) EXPECT_EQ(t[k], std::sin(static_cast<double>(k) * 0.1));
}

TEST_F(TraceCommand, SaysWhatItDidOnlyWhenItWroteFiles) {
  const Answer answer = run("trace dahl --waypoints 0,1e-4,-1e-4 --speed 1e-4 --step 1e-3 -o x.csv --plot x.svg");
  EXPECT_EQ(answer.out, "");
  EXPECT_NE(answer.err.find("dahl: 3001 rows, t = 0 .. 3 s, step 0.001 s, method step\nforce "), std::string::npos) << answer.err;
  EXPECT_NE(answer.err.find("wrote x.csv, x.svg\n"), std::string::npos);
  EXPECT_EQ(files(), (std::vector<std::string>{"x.csv", "x.svg"}));
}

TEST_F(TraceCommand, AnUnstableMethodStopsAndKeepsWhatItHas) {
  const Answer answer =
      run("trace single_state --set beta=1e-9 --velocity '1e-3*sin(t)' --duration 10 --step 1e-2 --method euler -o x.csv");
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_NE(answer.err.find("asperity trace: stopped at t = "), std::string::npos) << answer.err;
  EXPECT_NE(answer.err.find("try a smaller --step, or --method step"), std::string::npos);
  EXPECT_GT(table_of(read("x.csv")).at("t").size(), 2U);
}

TEST_F(TraceCommand, FailsWhereAMethodMakesEnergy) {
  const Answer answer = run("trace dahl --velocity 1 --duration 1 --step 1e-2 --method rk4");
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_NE(answer.err.find("failed: the law gave out more energy than it took"), std::string::npos) << answer.err;
}

struct Seen {
  std::string verdict;
  int exit_code;
  std::map<std::string, std::array<double, 3>> columns;  // low, high, last
};
Seen seen(const Answer& answer) {
  const auto json = nlohmann::json::parse(answer.out);
  Seen seen{json["verdict"], answer.exit_code, {}};
  for (const auto& [name, column] : json["columns"].items()) seen.columns[name] = {column["low"], column["high"], column["last"]};
  EXPECT_EQ(json["findings"].empty(), seen.verdict == "fine");
  EXPECT_EQ(seen.exit_code, seen.verdict == "failed" ? 1 : 0);
  return seen;
}

// A contact is touched for some 20 ms and let go: peak and work are integrals of a known force. Whatever the step, from fine to so
// long that no row sees the touch, they are right or doubted.
TEST_F(TraceCommand, AContactThatIsTouchedBetweenRowsIsTold) {
  struct Touch {
    const char* law;
    double (*force)(double d, double rate);
  };
  for (const Touch& touch :
       {Touch{"hertz", [](double d, double) { return 1e6 * std::pow(d, 1.5); }},
        Touch{"hunt_crossley", [](double d, double rate) { return 1e6 * std::pow(d, 1.5) * (1 + .35 * rate); }},
        Touch{"kelvin_voigt", [](double d, double rate) { return 1e5 * d + 1e2 * rate; }},
        Touch{"kelvin_voigt_clamped", [](double d, double rate) { return std::max(0., 1e5 * d + 1e2 * rate); }}}) {
    double peak = 0, work = 0;
    for (double t = .5; t < .6; t += 1e-6) {
      const double bump = 1e-3 * std::exp(-std::pow((t - .5537) / .01, 2)), d = bump - 1e-4, rate = -2 * (t - .5537) / 1e-4 * bump;
      if (d < 0) continue;
      const double f = touch.force(d, rate);
      peak = std::max(peak, f);
      work += 1e-6 * f * rate;
    }
    for (const char* method : {"step", "rk4", "implicit2"})
      for (const char* step : {"1e-4", "2e-3", "1e-2", "0.1"}) {
        const Seen got =
            seen(run(std::string("trace ") + touch.law + " --json --position '1e-4 - 1e-3*exp(-((t - 0.5537)/0.01)^2)'" +
                     " --duration 1 --step " + step + " --method " + method));
        const bool right = std::abs(got.columns.at("force")[1] - peak) < .06 * peak &&
                           std::abs(got.columns.at("work_in")[2] - work) < .06 * std::max(work, 1e6 * std::pow(9e-4, 2.5) / 2.5);
        EXPECT_TRUE(right || got.verdict != "fine")
            << touch.law << " " << method << " " << step << ": " << got.columns.at("force")[1];
        if (std::string(step) == "1e-4") {
          EXPECT_EQ(got.verdict, "fine") << touch.law << " " << method;
        }
        if (std::string(step) == "0.1") {  // no row sees it: every row is right, and what lies between them is told
          EXPECT_EQ(got.verdict, "doubtful") << touch.law << " " << method;
        }
      }
  }
}

// Sliding at a constant speed ends at the friction limit, and with it the work F x, less what is stored: F^2/2K at most.
TEST_F(TraceCommand, FrictionAtACoarseStepIsRightOrTold) {
  for (const char* law :
       {"single_state --set F=2", "dahl --set F=2", "lugre --set F_c=2 --set F_s=2", "elastoplastic --set F_c=2 --set F_s=2",
        "gms --elements 1 --set F_c=2 --set F_s=2 --set lambda=1 --set kappa=1e5 --set sigma=0"})
    for (const char* method : {"step", "rk4", "euler"})
      for (const char* step : {"1e-4", "1e-2", "0.1"}) {
        const Answer answer =
            run(std::string("trace ") + law + " --json --velocity 0.01 --duration 1 --step " + step + " --method " + method);
        if (answer.exit_code == 1 && answer.err.find("stopped") != std::string::npos) continue;
        const Seen got = seen(answer);
        const bool right = std::abs(got.columns.at("force")[2] - 2) < .12 && got.columns.at("force")[1] < 2.12 &&
                           std::abs(got.columns.at("work_in")[2] - .02) < 1.2e-3;
        EXPECT_TRUE(right || got.verdict != "fine") << law << " " << method << " " << step << ": " << got.columns.at("force")[1]
                                                    << " N, " << got.columns.at("work_in")[2] << " J";
      }
}

TEST_F(TraceCommand, StrictFailsADoubtfulTrace) {
  const std::string words = "trace hertz --position '-1e-3*sin(20*t)' --duration 1 --step 5e-2 -o x.csv";
  EXPECT_EQ(run(words).exit_code, 0);
  EXPECT_NE(run(words).err.find("warning: the "), std::string::npos) << run(words).err;
  EXPECT_EQ(run(words + " --strict").exit_code, 1);
}

}  // namespace
