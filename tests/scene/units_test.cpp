// Quantities with units: to the last bit of the SI number, and what is said of bad ones.
#include "asperity/formula/units.hpp"

#include <gtest/gtest.h>

#include "asperity/any_law.hpp"

namespace asperity::units_test {
namespace {

std::string problem_of(std::string_view text, std::string_view wanted) {
  std::string problem = "fine";
  read_quantity(text, wanted, problem);
  return problem;
}

void expect(std::string_view text, std::string_view wanted, double value) {
  std::string problem;
  const auto read = read_quantity(text, wanted, problem);
  ASSERT_TRUE(read) << text << ": " << problem;
  EXPECT_EQ(*read, value) << text;
}

TEST(Units, AreConverted) {
  expect("5 N/mm", "N/m", 5000);
  expect("5 um/s", "m/s", 5e-6);
  expect("5 µm/s", "m/s", 5e-6);
  expect("5 μm/s", "m/s", 5e-6);
  expect("2 kN", "N", 2000);
  expect("1 ms", "s", 1e-3);
  expect("9.81 m/s^2", "m/s^2", 9.81);
  expect("9.81 m/s2", "m/s^2", 9.81);
  expect("9.81 m/s²", "m/s^2", 9.81);
  expect("9.81 m s^-2", "m/s^2", 9.81);
  expect("3 N s/m", "N s/m", 3);
  expect("3 Ns/m", "N s/m", 3);
  expect("0.1 N*s/m", "N s/m", 0.1);
  expect("0.1 N·s/m", "N s/m", 0.1);
  expect("2 N/m/s", "N/m s", 2);
  expect("1e-3 kg m^2", "kg m^2", 1e-3);
  expect("7 g mm^2", "kg m^2", 7e-9);
  expect("0.3 kNm", "N m", 300);
  expect("0.3 J", "N m", 0.3);
  expect("2.5 mm", "m", 2.5e-3);
  expect("3 cm", "m", 0.03);
  expect("1 dm^3", "m^3", 1e-3);
  expect("1 hPa", "N/m^2", 100);
  expect("3 GPa", "N/m^2", 3e9);
  expect("4 bar", "Pa", 4e5);
  expect("6 MN", "N", 6e6);
  expect("6 nN", "N", 6e-9);
  expect("6 pN", "N", 6e-12);
  expect("6 fN", "N", 6e-15);
  expect("2 min", "s", 120);
  expect("1 h", "s", 3600);
  expect("3.6 m/h", "m/s", 1e-3);
  expect("5 %", "1", 0.05);
  expect("5%", "1", 0.05);
  expect("-5kN", "N", -5000);
  expect("+.5e1kN", "N", 5000);
  expect("100 1/s", "1/s", 100);
  expect("100 rad/s", "1/s", 100);
  expect("5", "N/m", 5);
  expect(" 5 ", "N/m", 5);
  expect("2.5e3 W", "W", 2500);
  expect("12 mV", "V", 0.012);
}

TEST(Units, Angles) {
  std::string problem;
  EXPECT_DOUBLE_EQ(*read_quantity("30 deg", "rad", problem), M_PI / 6);
  EXPECT_DOUBLE_EQ(*read_quantity("30°", "rad", problem), M_PI / 6);
  EXPECT_DOUBLE_EQ(*read_quantity("30 rpm", "rad/s", problem), M_PI);
  EXPECT_DOUBLE_EQ(*read_quantity("1 N m/deg", "N m/rad", problem), 180 / M_PI);
}

TEST(Units, ExponentsWithNames) {
  std::string problem;
  EXPECT_DOUBLE_EQ(*read_quantity("1 N/mm^1.5", "N/m^lambda", problem, {{"lambda", 1.5}}), std::pow(1000, 1.5));
  EXPECT_FALSE(read_quantity("1 N/mm^1.5", "N/m^lambda", problem, {{"lambda", 1.4}}));
  EXPECT_EQ(problem, "is kg m^-0.5 s^-2: must be N/m^lambda");
}

TEST(Units, SayWhatIsWrong) {
  EXPECT_EQ(problem_of("5 mm", "N/m"), "is a length (m): must be N/m");
  EXPECT_EQ(problem_of("5 deg", "m"), "is a pure number or an angle: must be m");
  EXPECT_EQ(problem_of("5 N", "1"), "is a force (N): must be a number without a unit");
  EXPECT_EQ(problem_of("5 kg^2", "N"), "is kg^2: must be N");
  EXPECT_EQ(problem_of("N/m", "N/m"), "must be a number, or a number and a unit of N/m");
  EXPECT_EQ(problem_of("", "1"), "must be a number");
  EXPECT_EQ(problem_of("nan N", "N"), "must be a number, or a number and a unit of N");
  EXPECT_EQ(problem_of("5 Nmm", "N m"), "unknown unit \"Nmm\"; did you mean \"N mm\"?");
  EXPECT_EQ(problem_of("5 Hz", "1/s"), "unknown unit \"Hz\"; write 1/s, or rad/s or rpm");
  EXPECT_EQ(problem_of("5 degr", "rad"), "unknown unit \"degr\"; did you mean deg?");
  EXPECT_EQ(problem_of("5 furlong", "m"), "unknown unit \"furlong\"; known are m, kg, s, N, J, W, Pa, rad, deg, ...");
  EXPECT_EQ(problem_of("5 kmin", "s"), "unknown unit \"kmin\"; did you mean min?");
  EXPECT_EQ(problem_of("5 N/m*s", "N s/m"), "* after /: write all that divides last, as in N s/m");
  EXPECT_EQ(problem_of("5 N/", "N"), "the unit ends too early");
  EXPECT_EQ(problem_of("5 N//m", "N"), "unexpected \"/\" in the unit");
  EXPECT_EQ(problem_of("5 10 N", "N"), "unexpected \"1\" in the unit");
  EXPECT_EQ(problem_of("5 m^x", "m"), "unknown exponent \"x\" in the unit");
  EXPECT_EQ(problem_of("5 m^", "m"), "exponent \"\" in the unit: must be a number");
  EXPECT_EQ(problem_of("5 m^99", "m"), "exponent 99 in the unit: must be between -9 and 9");
  EXPECT_EQ(problem_of("5 \xFF", "m"), "unexpected character \\xFF in the unit");
  EXPECT_EQ(problem_of("1e400 m", "m"), "is out of the range of numbers");
  EXPECT_EQ(problem_of("1e99999999999999999999 m", "m"), "is out of the range of numbers");
  EXPECT_EQ(problem_of(std::string(300, '1'), "m"), "300 characters: must be <= 200");
}

TEST(Units, AQuantityIsNoFormula) {
  for (const char* text : {"5 N/mm", "30°", "5%", "1e-3 kg m^2", "5kN", "100 1/s", "5 µm"}) EXPECT_TRUE(is_quantity(text)) << text;
  for (const char* text : {"2*mu", "5", "5 + x", "mu", "-x", "", "3/4", "2 - 1"}) EXPECT_FALSE(is_quantity(text)) << text;
}

TEST(Units, EveryLawIsUnderstood) {
  int seen = 0;
  for (const std::string& name : law_names()) {
    const auto law = make_law(name);
    const auto parameters = law->parameters();
    std::vector<std::pair<std::string, double>> exponents;
    for (const Parameter& p : parameters) exponents.emplace_back(p.name.substr(p.name.rfind('.') + 1), p.values.at(0));
    for (const Parameter& p : parameters) {
      std::string problem;
      EXPECT_EQ(read_quantity("2 " + p.unit, p.unit, problem, exponents), 2) << name << "." << p.name << ": " << problem;
      ++seen;
    }
  }
  EXPECT_GT(seen, 50);
}

}  // namespace
}  // namespace asperity::units_test
