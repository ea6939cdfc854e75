// asperity identify, as a user types it.
#include <cmath>
#include <sstream>

#include "asperity/friction/single_state.hpp"
#include "program.hpp"
#include "synthetic.hpp"

namespace {

using asperity::identify::Noise;

class IdentifyCommand : public ProgramTest {
 protected:
  /// A mass of 2 kg on a floor with F = 3 N, K = 2e4 N/m.
  void write_data(const std::string& file, bool friction = true) const {
    asperity::SingleState<> law;
    law.F = 3, law.K = 2e4, law.beta = 0.02;
    const auto s = asperity::identify::samples_of(
        law, [](double t) { return 0.02 * std::sin(5 * t) + 0.01 * std::sin(13 * t); }, 1500, 2e-3);
    Noise noise(4);
    std::ostringstream out;
    out.precision(12);
    out << "t [s],x [mm],F [N]\n";
    for (std::size_t k = 0; k < s.size(); ++k)
      out << s.t[k] << ',' << 1e3 * s.position[k] << ','
          << (friction ? s.force[k] + 2 * s.acceleration[k] : 0) + 0.02 * noise.normal() << '\n';
    write(file, out.str());
  }
  const std::string map_ = "--map 'time=t, position=x, force=F' --filter none ";
};

TEST_F(IdentifyCommand, FindsTheLawAndWritesASceneThatRuns) {
  write_data("data.csv");
  const Answer answer = run("identify data.csv --law single_state,dahl " + map_ + "--mass free -o found");
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_NE(answer.out.find("Take single_state"), std::string::npos) << answer.out;
  const std::string scene = read("found/single_state.toml");
  const auto number = [&](const std::string& name) { return std::stod(scene.substr(scene.find("\n" + name) + name.size() + 4)); };
  EXPECT_NEAR(number("F"), 3, 0.03);
  EXPECT_NEAR(number("K"), 2e4, 2e3);  // differences over two steps see it stiffer
  EXPECT_NEAR(number("beta"), 0.02, 0.004);
  EXPECT_NE(read("found/report.html").find("uPlot"), std::string::npos);
  EXPECT_NE(read("found/identify.json").find("\"judged_rms\""), std::string::npos);
  const Answer ran = run("run found/single_state.toml -o ran --quiet");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(run("run found/dahl.toml -o ran2 --quiet").exit_code, 0);
}

TEST_F(IdentifyCommand, AForceThatDoesNotDependOnTheMotionIsRefused) {
  write_data("noise.csv", false);
  const Answer answer = run("identify noise.csv --law single_state,lugre " + map_ + "-o found");
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_NE(answer.err.find("not identifiable"), std::string::npos) << answer.err;
  EXPECT_EQ(files(), std::vector<std::string>{"noise.csv"});
}

TEST_F(IdentifyCommand, SaysEverythingThatIsWrong) {
  write_data("data.csv");
  const Answer answer =
      run("identify data.csv --law single_stat,dahl --map 'time=t, position=x, force=F' --mass heavy --viscous 3 --elements 0 "
          "--fix beta --bound K=3:1 "
          "--train 5:2 --filter x");
  EXPECT_EQ(answer.exit_code, 2);
  for (const char* line : {"--law: no law \"single_stat\" can be identified; did you mean single_state?", "--mass heavy",
                           "--viscous 3: must be free, or 0", "--elements 0: must be a whole number between 1 and 50",
                           "--fix beta: must be NAME=VALUE", "--bound K=3:1: must be NAME=LOW:HIGH",
                           "--train 5:2: must be FROM:TO in seconds, FROM < TO", "--filter x: must be butter:ORDER:HERTZ"})
    EXPECT_NE(answer.err.find(line), std::string::npos) << line << "\n" << answer.err;
  write("empty.csv", "");
  EXPECT_EQ(run("identify empty.csv --law dahl " + map_).err,
            "asperity identify: empty.csv: empty: must have a header and rows of numbers\n");
  EXPECT_EQ(run("identify nothing.csv --law dahl " + map_).exit_code, 2);
}

}  // namespace
