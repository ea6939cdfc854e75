// One absurd number in an otherwise good command: an answer or a message within 20 s of computing time, never a signal, never a
// word of the language in place of the user's.
#include "cli/program.hpp"
#include "sanitized.hpp"

namespace {

class BadNumbers : public ProgramTest, public testing::WithParamInterface<std::string> {};

TEST_P(BadNumbers, AreAnsweredSoon) {
  const std::vector<std::string> few{"nan", "1e-300", "1e300", "99999999999999999999"};
  for (const std::string number : {"0", "-1", "nan", "inf", "5e-324", "1e-300", "1e-16", "1e30", "1e300", "99999999999999999999"}) {
    if (sanitized && std::find(few.begin(), few.end(), number) == few.end()) continue;
    std::string words = GetParam();
    words.replace(words.find('#'), 1, number);
    const Answer answer = run(words, sanitized ? "ulimit -t 600;" : "ulimit -t 20;");
    EXPECT_TRUE(answer.exit_code == 0 || answer.exit_code == 1 || answer.exit_code == 2) << words << ": " << answer.exit_code;
    if (answer.exit_code != 0) {
      EXPECT_NE(answer.err, "") << words;
    }
    for (const char* raw : {"std::", "stod", "bad_alloc", "vector::", "boost", "exception", "what():"})
      EXPECT_EQ(answer.err.find(raw), std::string::npos) << words << ": " << answer.err;
    for (const char* raw : {"nan", "inf"})
      if (answer.exit_code == 0 && number != raw) {
        EXPECT_EQ((answer.out + " ").find(std::string(" ") + raw + " "), std::string::npos) << words << ": " << answer.out;
      }
  }
}

const std::string contact = "design contact --restitution 0.5 --mass 1 --speed 1 ",
                  friction = "design friction --limit 5 --mass 1 ",
                  ball = std::string(ASPERITY_SCENES "/bouncing_ball.toml") + (sanitized ? " --set run.duration=0.1" : ""),
                  block = ASPERITY_SCENES "/sliding_block.toml";

INSTANTIATE_TEST_SUITE_P(
    Everywhere, BadNumbers,
    testing::Values(
        "restitution linear_compliance --speed 1 --mass=#", "restitution linear_compliance --mass=#",
        "restitution nonlinear_compliance --speed 1 --mass=#", "restitution nonlinear_compliance --mass 1 --speed=#",
        "restitution nonlinear_compliance --mass 1 --speed 1 --set K=#",
        "restitution nonlinear_compliance --mass 1 --speed 1 --set gamma=#",
        "restitution hunt_crossley --mass 1 --speed 1 --set b2=#", "restitution hunt_crossley --mass=#",
        "restitution hertz --mass 1 --speed 1 --set K=#", "restitution kelvin_voigt --mass 1 --speed 1 --set B=#",
        "restitution linear_compliance --mass 1 --speed 1 --set beta=#", "restitution nonlinear_compliance --mass 1 --map v0=1:#:5",
        contact + "--penetration=#", contact + "--contact-time=#", contact + "--stiffness=#", contact + "--stiffness 1e4 --step=#",
        contact + "--stiffness 1e4 --ratio=#", "design contact --mass 1 --speed 1 --stiffness 1e4 --restitution=#",
        "design contact --restitution 0.5 --speed 1 --stiffness 1e4 --mass=#",
        "design contact --restitution 0.5 --mass 1 --penetration 1e-3 --speed=#", contact + "--law hunt_crossley --penetration=#",
        contact + "--law hunt_crossley --penetration 1e-3 --lambda=#", contact + "--law kelvin_voigt_clamped --penetration=#",
        contact + "--law nonlinear_compliance --penetration=#", contact + "--law nonlinear_compliance --stiffness 1e4 --gamma=#",
        "design contact --mass 1 --stiffness 1e4 --gamma 2e3 --at 1:0.8 --at=#:0.6", friction + "--step=#",
        "design friction --limit=# --mass 1 --step 1e-3", "design friction --limit 5 --mass=# --step 1e-3",
        friction + "--step 1e-4 --shake=#:50", friction + "--step 1e-4 --shake=2:#", friction + "--step 1e-4 --shake 2:50 --mean=#",
        "trace lugre --velocity 1e-3 --step 1e-3 --duration=#", "trace lugre --velocity 1e-3 --duration 0.01 --step=#",
        "trace lugre --velocity=# --duration 0.01 --step 1e-3",
        "trace multistate --velocity 1e-3 --duration 0.01 --step 1e-3 --elements=#",
        "trace dahl --waypoints 0,# --speed 1e-3 --step 1e-3", "trace dahl --waypoints 0,1e-4 --step 1e-3 --speed=#",
        "trace lugre --velocity 1e-3 --duration 0.01 --step 1e-3 --load=#", "check " + ball + " --set run.step=#",
        "check " + ball + " --set floor.K=#", "check " + ball + " --set ball.mass=#",
        "run --quiet " + ball + " --set ball.position=#", "run --quiet " + ball + " --set ball.mass=#",
        "run --quiet " + ball + " --set floor.beta=#", "run --quiet " + ball + " --set run.duration=#",
        "run --quiet " + ball + " --set run.step=#", "run --quiet " + block + " --set run.method=dopri5 --set run.rtol=#"));

// What searches.
INSTANTIATE_TEST_SUITE_P(Slowly, BadNumbers,
                         testing::Values(friction + "--step 1e-4 --hold-displacement=#",
                                         "design scene " + ball + " --set floor.K=#",
                                         "design scene " + ball + " --set ball.mass=#"));

}  // namespace
