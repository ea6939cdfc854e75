// The compensator that is written as C: compiled by a C compiler, compared with the law, and used in a loop beside what practice
// uses.
#include "asperity/identify/compensator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "asperity/any_law.hpp"
#include "asperity/identify/identify.hpp"
#include "asperity/identify/model.hpp"
#include "cli/program.hpp"
#include "plant.hpp"

namespace asperity::identify {
namespace {

const char* const v_of = "0.05 * sin(7 * t) + 0.02 * sin(31 * t)";
double velocity_at(double t) { return 0.05 * std::sin(7 * t) + 0.02 * std::sin(31 * t); }

class Compensator : public ProgramTest {
 protected:
  /// Compiles program.c, with all warnings, and returns what it prints; nothing if it does not compile.
  std::string output(const std::string& program, const std::string& arguments = "") {
    write("program.c", program);
    const std::string in = "cd '" + (folder_ / "work").string() + "' && ";
    const int compiled = std::system(
        (in + "cc -std=c99 -O1 -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror program.c -o program -lm")
            .c_str());
    EXPECT_EQ(compiled, 0);
    if (compiled != 0) return "";
    EXPECT_EQ(std::system((in + "./program " + arguments + " > printed").c_str()), 0);
    return read("printed");
  }
};

/// A law with its own parameters, as if it had been identified.
Judged found_of(const std::string& name) {
  Judged found;
  found.law = found.catalogue = name;
  const auto law = make_law(name);
  if (law->has_elements()) law->set_elements(3);
  found.fit.parameters = law->parameters();
  found.fit.viscous = 2, found.fit.offset = -0.25;
  return found;
}

/// What the law itself does, sample by sample.
std::vector<double> forces_of(const Judged& found, int samples, double h, double load) {
  const auto law = law_of(found);
  auto z = law->start();
  std::vector<double> rate(z.size()), forces;
  for (int k = 0; k < samples; ++k) {
    Motion motion;
    motion.velocity = velocity_at(k * h);
    motion.load = load;
    const ContactForce f = law->react(z, motion, h, rate);
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += h * rate[i];
    law->transit(z, motion);
    forces.push_back(f.tangential + found.fit.viscous * motion.velocity + found.fit.offset);
  }
  return forces;
}

TEST_F(Compensator, IsTheLawItself) {
  constexpr int samples = 2000;
  constexpr double h = 1e-3, load = 2.5;
  Study study;
  study.data = "a*/b.csv", study.fitted = "0 .. 1 s";
  for (const bool has_load : {false, true}) {
    study.has_load = has_load;
    std::string program = "#include <stdio.h>\n", body;
    for (const std::string& name : model_names()) {
      write(name + ".h", compensator_header(study, found_of(name), name));
      program += "#include \"" + name + ".h\"\n";
      body += "  { " + name + "_state s; " + name +
              "_start(&s, 1e-3); for (int k = 0; k < 2000; ++k) { const double t = k * 1e-3; printf(\"%.17g\\n\", " + name +
              "_step(&s, " + v_of + (has_load ? ", 2.5" : "") + ")); } }\n";
    }
    std::istringstream printed(output(program + "int main(void) {\n" + body + "  return 0;\n}\n"));
    for (const std::string& name : model_names()) {
      const auto expected = forces_of(found_of(name), samples, h, has_load ? load : 1);
      double most = 0, off = 0, value = 0;
      for (const double f : expected) {
        ASSERT_TRUE(printed >> value) << name;
        most = std::max(most, std::abs(f)), off = std::max(off, std::abs(f - value));
      }
      EXPECT_LT(off, 1e-12 * most) << name;
      EXPECT_GT(most, 0.1) << name;
    }
  }
}

/// The friction of plant.hpp, a bristle behind a Stribeck curve, in a position loop at 1 kHz with an encoder of 1 um: the largest
/// error after reversals, mm, without compensation, with F sign(v), with the best F tanh(v/v0), and with the header.
const char* const loop = R"(
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "axis.h"

static double F;
static double none(double v) { (void)v; return 0; }
static double as_sign(double v) { return v > 0 ? F : v < 0 ? -F : 0; }
static double v0;
static double as_tanh(double v) { return F * tanh(v / v0); }
static axis_state state;
static double as_law(double v) { return axis_step(&state, v); }

static double worst(double (*compensate)(double), double beside) {
  const double h = 1e-3, pi = 3.14159265358979323846, M = 2, w = pi, size = 0.02;
  double x = 0, v = size * w, z = 0, before = -size * w * h, measured = 0, most = 0;
  axis_start(&state, h);
  for (int k = 1; k <= 8000; ++k) {
    const double r = size * sin(w * k * h), rv = size * w * cos(w * k * h);
    const double error = r - measured - h * rv;
    const double push = 2000 * error + 80 * (rv - (measured - before) / h) - M * w * w * r + compensate(rv) + beside * (5 * rv + 0.3);
    for (int i = 0; i < 50; ++i) {
      const double d = h / 50, limit = 5 * (1 + 0.4 * exp(-v * v / (0.02 * 0.02)));
      z += d * (v - fabs(v) * 1e5 * z / limit);
      v += d / M * (push - 1e5 * z - 5 * v - 0.3);
      x += d * v;
    }
    before = measured;
    measured = 1e-6 * floor(x / 1e-6 + 0.5);
    if (k > 4000 && fmod(w * k * h + pi / 2, pi) / w < 0.1) most = fmax(most, fabs(r - x));
  }
  return 1e3 * most;
}

int main(int count, char** words) {
  double best = 1e9;
  F = count > 1 ? atof(words[1]) : 0;
  for (v0 = 1e-4; v0 < 0.1; v0 *= 2) best = fmin(best, worst(as_tanh, 1));
  printf("%.6f %.6f %.6f %.6f\n", worst(none, 0), worst(as_sign, 1), best, worst(as_law, 0));
  return 0;
}
)";

TEST_F(Compensator, BeatsTheSignAndTheTanhInALoop) {
  Plant plant;
  plant.rise = 0.4, plant.noise = 1e-7;
  write("data.csv", plant.run().csv());
  const Answer answer = run(
      "identify data.csv --law single_state_stribeck,lugre --map 'time=t, position=x, force=F' --mass free --viscous free --offset "
      "free --compensator axis.h");
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_NE(answer.out.find("Wrote axis.h: the compensator of "), std::string::npos);
  std::istringstream printed(output(loop, "5"));
  double none = 0, sign = 0, tanh = 0, law = 0;
  ASSERT_TRUE(printed >> none >> sign >> tanh >> law);
  RecordProperty("errors_mm", printed.str());
  EXPECT_LT(law, 0.5 * tanh) << printed.str();
  EXPECT_LT(law, 0.5 * sign) << printed.str();
  EXPECT_LT(law, 0.1 * none) << printed.str();
}

TEST_F(Compensator, RefusesANameThatCDoesNotTake) {
  EXPECT_EQ(compensator_name("out/axis_1.h"), "axis_1");
  for (const char* bad : {"1axis.h", "axis-1.h", "", "a b.h", "\xc3\xa4.h"}) EXPECT_FALSE(compensator_name(bad)) << bad;
  write("data.csv", Plant{}.run().csv());
  const Answer answer = run("identify data.csv --law dahl --map 'time=t, position=x, force=F' --compensator axis-1.h");
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_NE(answer.err.find("--compensator axis-1.h: the name of the file must be one in C"), std::string::npos) << answer.err;
}

}  // namespace
}  // namespace asperity::identify
