// `asperity design contact`: what was asked for, predicted and simulated; what cannot be had is refused.
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace {

class DesignContact : public ProgramTest {
 protected:
  nlohmann::json designed(const std::string& words) const {
    const Answer answer = run("design contact --json " + words);
    EXPECT_EQ(answer.exit_code, 0) << answer.err;
    return nlohmann::json::parse(answer.out);
  }
  void refused(const std::string& words, const std::string& lines) const {
    const Answer answer = run("design contact " + words);
    EXPECT_EQ(answer.exit_code, 2) << words;
    EXPECT_EQ(answer.out, "");
    EXPECT_EQ(answer.err, lines);
  }
};

TEST_F(DesignContact, TakesUnitsAndGivesParameters) {
  const auto json = designed("--restitution 0.5 --mass '1000 g' --speed '100 cm/s' --penetration '1 mm' --ratio 0.1");
  EXPECT_EQ(json["law"], "linear_compliance");
  EXPECT_NEAR(json["parameters"]["K"], 499937, .5);
  EXPECT_NEAR(json["parameters"]["beta"], 8.35558e-4, 5e-10);
  EXPECT_NEAR(json["parameters"]["alpha"], 8.35558e-5, 5e-11);
  EXPECT_NEAR(json["predicted"]["penetration"], 1e-3, 1e-12);
  EXPECT_NEAR(json["simulated"]["restitution"], .5, 1e-3);
  EXPECT_LT(json["recommended_step"], json["largest_stable_step"]);
  // The same impact by its time and by its stiffness.
  const std::string impact = "--restitution 0.5 --mass 1 --speed 1 --ratio 0.1 ";
  for (const std::string& size :
       {"--contact-time " + json["predicted"]["contact_time"].dump(), "--stiffness " + json["parameters"]["K"].dump()})
    EXPECT_NEAR(designed(impact + size)["predicted"]["penetration"], 1e-3, 1e-9) << size;
}

TEST_F(DesignContact, GoesThroughPoints) {
  const auto json = designed("--mass 1 --stiffness '10 kN/m^1.5' --gamma 2e3 --at 1:0.8 --at '5 m/s:0.6'");
  EXPECT_NEAR(json["parameters"]["beta1"], 2.89057e-3, 5e-9);
  EXPECT_NEAR(json["parameters"]["beta2"], .284635, 5e-7);
  EXPECT_EQ(json["bounces"].size(), 2u);
  // --speed and --restitution are a point, too.
  EXPECT_EQ(designed("--mass 1 --stiffness 1e4 --gamma 2e3 --law nonlinear_compliance --speed 1 --restitution 0.8 --at 5:0.6"),
            json);
}

TEST_F(DesignContact, RefusesWithWhatCanBeHad) {
  refused("--mass 1 --stiffness 1e4 --gamma 2e3 --at 1:0.8 --at 5:0.9",
          "asperity design contact: restitution = 0.9 at 5 m/s: must be between 0.3145 and 0.7395 if it is 0.8 at 1 m/s\n");
  refused("--restitution 1.2 --mass -1 --speed 1",
          "asperity design contact: no --penetration, --contact-time or --stiffness given: how deep, how long or how stiff\n"
          "asperity design contact: mass = -1 kg: must be > 0\n"
          "asperity design contact: restitution = 1.2: must be > 0 and < 1\n");
  refused("--restitution 0.5 --mass 1 --speed 1 --penetration '1 s' --contact-time 1e-3 --at 3",
          "asperity design contact: --at = \"3\": must be SPEED:RESTITUTION, for instance 5:0.6\n"
          "asperity design contact: --penetration = \"1 s\": is a time (s): must be m\n"
          "asperity design contact: --penetration, --contact-time, --stiffness: each gives the others; give one\n");
  refused("--restitution 0.5 --mass 1 --speed 1 --penetraton 1e-3",
          "asperity design contact: unknown option \"--penetraton\"; did you mean --penetration?\n");
}

using DesignCharts = ProgramTest;

TEST_F(DesignCharts, AreDrawn) {
  EXPECT_EQ(run("design charts -o charts").exit_code, 0);
  for (const char* name : {"restitution_of_b", "stability", "no_drift"}) {
    const std::string picture = read(std::string("charts/") + name + ".svg");
    EXPECT_NE(picture.find("<path"), std::string::npos) << name;
    EXPECT_NE(picture.find("</svg>"), std::string::npos) << name;
  }
}

}  // namespace
