// `asperity restitution`: the numbers that are known, the same on any number of threads, the maps drawn, bad input refused.
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "asperity/plot.hpp"
#include "cli/program.hpp"

namespace {

class Restitution : public ProgramTest {
 protected:
  nlohmann::json json(const std::string& words) const {
    const Answer answer = run("restitution " + words + " --json");
    EXPECT_EQ(answer.exit_code, 0) << answer.err;
    return nlohmann::json::parse(answer.out);
  }
};

TEST_F(Restitution, OneImpactHasItsFacts) {
  const auto simulated = json("nonlinear_compliance --mass 1 --speed 2 --set K=1e4 --set beta1='3 ms'");
  EXPECT_NEAR(simulated["restitution"].get<double>(), .774878, 5.1e-7);
  EXPECT_NEAR(simulated["deepest_indentation"].get<double>(), 43.3582e-3, 5.1e-8);
  EXPECT_NEAR(simulated["residual_indentation"].get<double>(), 7.50004e-3, 5.1e-9);
  EXPECT_NEAR(simulated["contact_time"].get<double>(), .067531, 5.1e-7);
  EXPECT_NE(simulated["method"].get<std::string>().find("simulation"), std::string::npos);
  const auto exact = json("hunt_crossley --mass 1 --speed 2 --set K=1e4 --set b2=0.35");
  EXPECT_NEAR(exact["restitution"].get<double>(), .678595, 5.1e-7);
  EXPECT_NEAR(exact["deepest_indentation"].get<double>(), 41.253e-3, 5.1e-7);
  EXPECT_EQ(exact["method"], "closed form");
  // Without losses the peak of M v0 omega.
  EXPECT_NEAR(json("kelvin_voigt_clamped --set K=1e4 --set B=0 --mass '4 kg' --speed 3")["peak_force"].get<double>(), 600, 1e-6);
  EXPECT_NE(run("restitution kelvin_voigt --set B=1e6 --mass 1 --speed 1").out.find("infinite"), std::string::npos);
}

TEST_F(Restitution, WithoutASpeedItIsACurve) {
  const Answer answer = run("restitution nonlinear_compliance --mass 1 -o curve.csv");
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const Table table = table_of(read("curve.csv"));
  const auto& e = table.at("restitution");
  ASSERT_EQ(e.size(), 31U);
  for (std::size_t i = 1; i < e.size(); ++i) EXPECT_LT(e[i], e[i - 1]) << "falls with the speed";
  ASSERT_EQ(run("restitution nonlinear_compliance --mass 1 -o curve.svg").exit_code, 0);
  EXPECT_NE(read("curve.svg").find("impact speed v0 [m/s]"), std::string::npos);
}

TEST_F(Restitution, AMapIsTheSameOnAnyNumberOfThreads) {
  const std::string words = "restitution nonlinear_compliance --mass 1 --map beta1=0:6e-3:40,v0=0.1:10:60:log";
  const Answer one = run(words + " --threads 1"), two = run(words + " --threads 2");
  ASSERT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(one.out, two.out);
  const Table table = table_of(one.out);
  ASSERT_EQ(table.at("restitution").size(), 2400U);
  EXPECT_EQ(table.at("beta1")[1], 6e-3 / 39);
  EXPECT_NEAR(table.at("v0")[40], .1 * std::pow(100, 1 / 59.), 1e-15);
}

TEST_F(Restitution, AMapIsDrawnWithColoursContoursAndUnits) {
  const std::string words = "restitution nonlinear_compliance --mass 1 --map beta1=0:6e-3:11,v0=0.1:10:9:log -o ";
  ASSERT_EQ(run(words + "map.svg").exit_code, 0);
  const std::string svg = read("map.svg");
  for (const char* part : {"beta1 [ms]", "impact speed v0 [m/s]", ">restitution<", "data:image/png;base64,iVBORw0KGgo", "contour",
                           ">0.90<", "linearGradient"})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  ASSERT_EQ(run(words + "again.svg").exit_code, 0);
  EXPECT_EQ(svg, read("again.svg"));
}

// From dark to light without a step back: so it survives grey printing and colour-blind eyes.
TEST(MapColours, GrowLighter) {
  double before = -1;
  for (int i = 0; i <= 100; ++i) {
    const std::string colour = asperity::plot::map_colour(i / 100.);
    const auto channel = [&](std::size_t at) { return std::pow(std::stoi(colour.substr(at, 2), nullptr, 16) / 255., 2.2); };
    const double light = std::cbrt(.2126 * channel(1) + .7152 * channel(3) + .0722 * channel(5));
    EXPECT_GT(light, before) << i;
    EXPECT_LT(light, i == 0 ? 1 : before + .02) << i;
    before = light;
  }
}

// A circle: every point of its contour is where the function has that value, and the line goes all around.
TEST(Maps, ContoursLieWhereTheValueIs) {
  asperity::plot::Map map;
  for (int i = 0; i <= 40; ++i) map.xs.push_back(i / 20. - 1), map.ys.push_back(i / 20. - 1);
  for (const double y : map.ys)
    for (const double x : map.xs) map.values.push_back(x * x + y * y);
  map.value.range = {0, 1};
  asperity::plot::Figure figure;
  figure.maps = {map};
  const std::string svg = to_svg(figure);
  // The frame of the map is its first one; contours are the paths with many points, one for each tenth.
  const auto number_after = [&](const std::string& key, std::size_t from) {
    const std::size_t at = svg.find(key, from);
    return std::stod(svg.substr(at + key.size()));
  };
  const std::size_t image = svg.find("<image");
  const double left = number_after(" x=\"", image), top = number_after(" y=\"", image), width = number_after(" width=\"", image),
               height = number_after(" height=\"", image);
  std::size_t lines = 0, points = 0;
  for (std::size_t path = svg.find("class=\"contour\""); path != std::string::npos;
       path = svg.find("class=\"contour\"", path + 1)) {
    const std::size_t begin = svg.find("d=\"", path) + 3, end = svg.find('"', begin);
    if (end - begin < 500) continue;
    std::string numbers = svg.substr(begin, end - begin);
    for (char& c : numbers) c = c == 'M' || c == 'L' ? ' ' : c;
    std::istringstream stream(numbers);
    ++lines;
    for (double px, py; stream >> px >> py; ++points) {
      // Cells reach half a cell beyond the outermost middles: 41 cells of 0.05.
      const double x = -1.025 + 2.05 * (px - left) / width, y = 1.025 - 2.05 * (py - top) / height;
      const double level = x * x + y * y;
      EXPECT_NEAR(level, std::round(level * 10) / 10, .003);
    }
  }
  EXPECT_GE(lines, 8U);
  EXPECT_GT(points, 200U);
}

TEST_F(Restitution, BadInputIsRefusedInSentences) {
  const std::pair<const char*, const char*> cases[] = {
      {"nonlinear_complianc --mass 1", "did you mean nonlinear_compliance?"},
      {"single_state --mass 1", "single_state: is no contact law"},
      {"implicit_contact --mass 1", "implicit_contact: is a contact law of sampled time"},
      {"nonlinear_compliance", "no --mass given"},
      {"nonlinear_compliance --mass -1", "--mass = -1 kg: must be > 0"},
      {"nonlinear_compliance --mass 1m", "is a length (m): must be kg"},
      {"nonlinear_compliance --mass 1 --speed 0", "--speed = 0 m/s: must be > 0"},
      {"nonlinear_compliance --mass 1 --map beta3=0:1:3,v0=1:2:3", "unknown name \"beta3\"; did you mean beta1?"},
      {"nonlinear_compliance --mass 1 --map v0=1:10", "must be NAME=LOW:HIGH:COUNT"},
      {"nonlinear_compliance --mass 1 --map v0=10:1:5", "from 10 to 1: must grow"},
      {"nonlinear_compliance --mass 1 --map v0=1:2:1", "must be a whole number between 2 and 1e+07"},
      {"nonlinear_compliance --mass 1 --map beta1=0:1:5:log,v0=1:2:3", "must be > 0 on a logarithmic axis"},
      {"nonlinear_compliance --mass 1 --map beta1=-1:1:5,v0=1:2:3", "beta1 = -1 s: must be >= 0"},
      {"nonlinear_compliance --mass 1 --map beta1=0:1:100000,v0=1:2:10000", "makes 1e+09 cells: must be <= 1e+07"},
      {"nonlinear_compliance --mass 1 --map v0=1:2:3,v0=1:2:3", "v0 twice"},
      {"nonlinear_compliance --mass 1 --map beta1=0:1:3", "no --speed given"},
      {"nonlinear_compliance --mass 1 --speed 1 --map v0=1:2:3", "v0 is swept by --map"},
      {"linear_compliance --mass 1 --map alpha=1e-3:1e-2:5", "beta = 0.004: must be >= alpha = 0.01"},
      {"nonlinear_compliance --mass 1 --speed 1 --set K=abc", "--set K=abc: must be a number"},
      {"nonlinear_compliance --mass 1 --speed 1 --set bta1=1", "did you mean beta1?"},
      {"nonlinear_compliance --mass 1 --speed 1 -o x.csv", "one impact is no file"},
      {"nonlinear_compliance --mass 1 -o x.png", "must end in .csv or .svg"},
      {"nonlinear_compliance --mass 1 --threads 0", "--threads 0: must be a whole number"},
  };
  for (const auto& [words, said] : cases) {
    const Answer answer = run(std::string("restitution ") + words);
    EXPECT_EQ(answer.exit_code, 2) << words;
    EXPECT_NE(answer.err.find(said), std::string::npos) << words << "\n" << answer.err;
    EXPECT_EQ(answer.out, "") << words;
  }
  EXPECT_TRUE(files().empty());
}

}  // namespace
