// Identification from noisy encoders: what the noise is, where the filter goes, and that mass and friction survive it. The data are
// made by a plant that shares nothing with the library.
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <regex>

#include "asperity/identify/motion.hpp"
#include "plant.hpp"
#include "program.hpp"
#include "synthetic.hpp"

namespace {

using asperity::identify::ChannelNoise;
using asperity::identify::Noise;
using asperity::identify::noise_of;
using Json = nlohmann::json;

/// Three tones of which the highest is 20 Hz: the filter goes behind its third harmonic, which friction would make, and not far.
TEST(MotionNoise, IsReadOffTheTopOfTheSpectrum) {
  for (const double rate : {500.0, 2000.0, 10000.0})
    for (const double deviation : {1e-7, 1e-6, 1e-5}) {
      Noise dice(3);
      std::vector<double> x;
      for (int k = 0; k < static_cast<int>(8 * rate); ++k) {
        const double t = k / rate, w = 2 * std::numbers::pi;
        x.push_back(0.01 * std::sin(w * t) + 1e-3 * std::sin(5 * w * t) + 1e-3 * std::sin(20 * w * t) + deviation * dice.normal());
      }
      const ChannelNoise found = noise_of(x, 1 / rate, 2);
      EXPECT_NEAR(found.deviation, deviation, 0.1 * deviation) << rate;
      EXPECT_GT(found.cutoff, 50) << rate << " " << deviation;
      EXPECT_LT(found.cutoff, 90) << rate << " " << deviation;
    }
}

/// Rounding to a lattice is white noise of the lattice over the root of twelve where motion crosses it quickly.
TEST(MotionNoise, OfAQuantisedEncoder) {
  Plant plant;
  plant.encoder = 10e-6;
  const auto record = plant.run();
  EXPECT_NEAR(noise_of(record.x, 1 / plant.rate, 2).deviation, 10e-6 / std::sqrt(12.0), 0.7e-6);
}

/// Motion without noise is stronger than its noise everywhere.
TEST(MotionNoise, NoneIsFoundWhereThereIsNone) {
  std::vector<double> x;
  for (int k = 0; k < 3000; ++k) x.push_back(std::abs(std::sin(0.01 * k)));
  EXPECT_GE(noise_of(x, 1e-3, 2).cutoff, 250);
}

class IdentifyNoise : public ProgramTest {
 protected:
  Json facts(const Plant& plant, const std::string& law, const std::string& more = "") const {
    write("data.csv", plant.run().csv());
    const Answer answer = run("identify data.csv --map 'time=t, position=x, force=F' --law " + law +
                              " --mass free --viscous free --offset free --train : --test : --json " + more);
    EXPECT_EQ(answer.exit_code, 0) << answer.err;
    return answer.exit_code == 0 ? Json::parse(answer.out) : Json();
  }
  static Json finding(const Json& facts, const std::string& name) {
    for (const Json& p : facts["laws"][0]["parameters"])
      if (p["name"] == name) return p;
    ADD_FAILURE() << "no " << name << " in " << facts["laws"][0]["parameters"];
    return {};
  }
  static bool holds(const Json& p, double truth) { return p["low"].is_number() && p["low"] <= truth && p["high"] >= truth; }
};

/// Rates of 500 Hz to 25 kHz, encoders of 0.1 to 10 um: mass and friction are found to a few per cent, with intervals that are not
/// far from the truth. Seven numbers out of eight at least: less happens once in seventeen by chance, for each.
TEST_F(IdentifyNoise, MassAndFrictionSurviveIt) {
  struct Case {
    double rate, noise, encoder;
  };
  int mass = 0, friction = 0, viscous = 0, all = 0;
  for (const auto& [rate, noise, encoder] :
       {Case{25000, 0.1e-6, 0}, Case{1000, 0, 10e-6}, Case{1000, 1e-6, 0}, Case{500, 10e-6, 0}, Case{5000, 3e-6, 0},
        Case{2000, 0, 1e-6}, Case{1000, 10e-6, 0}, Case{5000, 0, 10e-6}}) {
    Plant plant;
    plant.rate = rate, plant.noise = noise, plant.encoder = encoder, plant.seed = static_cast<std::uint64_t>(++all);
    if (rate > 10000) plant.duration = 3;
    const Json f = facts(plant, "dahl");
    ASSERT_FALSE(f.is_null());
    SCOPED_TRACE(testing::Message() << rate << " Hz, " << noise << " " << encoder << "\n" << f["notes"].dump(1));
    EXPECT_NEAR(finding(f, "M")["value"], 2, 0.06);
    EXPECT_NEAR(finding(f, "F")["value"], 5, 0.1);
    mass += holds(finding(f, "M"), 2), friction += holds(finding(f, "F"), 5), viscous += holds(finding(f, "Fv"), 5);
  }
  EXPECT_GE(mass, 7);
  EXPECT_GE(friction, 7);
  EXPECT_GE(viscous, 7);
}

/// A filter of the user that lets the noise through: what it takes off the mass is put back, or there is no interval, or no answer.
TEST_F(IdentifyNoise, AFilterThatIsTooWideGivesNoConfidentMass) {
  Plant plant;
  plant.noise = 0.1e-6, plant.rate = 25000, plant.duration = 3;
  write("data.csv", plant.run().csv());
  for (const char* filter : {"butter:4:2500", "none"}) {
    const Answer answer =
        run(std::string("identify data.csv --map 'time=t, position=x, force=F' --law dahl --mass free --viscous free "
                        "--offset free --train : --test : --json --filter ") +
            filter);
    if (answer.exit_code == 2) continue;  // nothing was found, and nothing is said to be
    const Json M = finding(Json::parse(answer.out), "M");
    EXPECT_TRUE(M["low"].is_null() || holds(M, 2)) << filter << M;
  }
}

/// Where the Stribeck velocity is near the highest speed, or just above: the curve is seen in part only, and found nevertheless.
TEST_F(IdentifyNoise, AStribeckVelocityUpToTheSpeedsThatWereMeasured) {
  Plant plant;
  plant.rise = 0.6, plant.F_c = 7.5, plant.noise = 0.1e-6, plant.force_noise = 0.075;
  for (const double v_s : {0.05, 0.1, 0.2}) {  // the speed stays below 0.18 m/s
    plant.v_s = v_s, plant.seed = static_cast<std::uint64_t>(100 * v_s);
    const Json f = facts(plant, "lugre", "--filter butter:4:100");
    ASSERT_FALSE(f.is_null());
    EXPECT_LT(f["laws"][0]["fitted_rms"], 1.1 * 0.075) << v_s;
    const Json F_c = finding(f, "F_c");
    EXPECT_TRUE(F_c["low"].is_null() || holds(F_c, 7.5)) << v_s << F_c;
  }
}

/// The arm of a robot lifts itself: cos(q) beside the law takes it; without it nothing is found.
TEST_F(IdentifyNoise, GravityEntersAsATerm) {
  Plant plant;  // a joint: rad, N m, kg m^2
  plant.size = 0.5, plant.gravity = 60, plant.F_c = 13.27, plant.Fv = 8, plant.K = 5e4, plant.noise = 1e-5, plant.force_noise = 0.3;
  plant.rate = 500, plant.duration = 10;
  write("joint.csv", plant.run().csv("t,q [rad],tau [N m]"));
  const std::string command =
      "identify joint.csv --map 'time=t, position=q, torque=tau' --law coulomb,single_state --mass free --viscous free --offset "
      "free ";
  const Answer with = run(command + "--with 'cos(q)' --with 'sin(q)' --json");
  ASSERT_EQ(with.exit_code, 0) << with.err;
  const Json found = Json::parse(with.out);
  for (const Json& law : found["laws"])
    for (const Json& p : law["parameters"]) {
      if (p["name"] == "F") {
        EXPECT_NEAR(p["value"], 13.27, 0.05 * 13.27) << law["law"];
      }
      if (p["name"] == "cos(q)") {
        EXPECT_NEAR(p["value"], 60, 1) << law["law"];
        EXPECT_TRUE(p["low"].is_number());
      }
    }
  const Answer constant = run(command + "--with '3' --with 'sin(w)'");
  EXPECT_EQ(constant.exit_code, 2);
  EXPECT_NE(constant.err.find("--with \"3\": is constant; --offset free finds a constant force"), std::string::npos)
      << constant.err;
  EXPECT_NE(constant.err.find("--with \"sin(w)\": w: must be q, v, a (the motion) or a column: t, q, tau"), std::string::npos)
      << constant.err;
}

/// A force that comes 5 ms late is noticed, and taken back by --delay.
TEST_F(IdentifyNoise, ADelayBetweenTheChannels) {
  Plant plant;
  plant.noise = 0.1e-6, plant.delay = 5e-3, plant.K = 2e4;
  const Json late = facts(plant, "dahl");
  EXPECT_NEAR(late["laws"][0]["delay"], 5e-3, 1.1e-3);
  EXPECT_TRUE(std::regex_search(late["laws"][0]["not_told"].dump(),
                                std::regex("whether the force was recorded [0-9.]+ ms later than the motion")))
      << late["laws"][0]["not_told"];
  const Json known = facts(plant, "dahl", "--delay 5e-3");
  EXPECT_EQ(known["laws"][0]["delay"], 0);
  EXPECT_NEAR(finding(known, "K")["value"], 2e4, 0.05 * 2e4);
  plant.delay = 0;
  EXPECT_EQ(facts(plant, "dahl")["laws"][0]["delay"], 0);
}

/// A spring loses nothing: there is no friction, and no law is advised.
TEST_F(IdentifyNoise, ASpringIsNoFriction) {
  Noise dice(2);
  std::string text = "t,x,F\n";
  for (int k = 0; k < 4000; ++k) {
    const double t = 1e-3 * k, x = 1e-3 * std::sin(5 * t) + 5e-4 * std::sin(13 * t);
    text += std::to_string(t) + "," + std::to_string(1e6 * x) + "," + std::to_string(3e3 * x + 0.02 * dice.normal()) + "\n";
  }
  write("spring.csv", text);
  const Answer answer = run("identify spring.csv --map 'time=t, position=x [um], force=F' --law single_state,dahl --json");
  EXPECT_EQ(answer.exit_code, 2) << answer.out;
  EXPECT_NE(answer.err.find("a spring explains the force as well"), std::string::npos) << answer.err;
  const Json facts = Json::parse(answer.out);  // a program is told as much
  EXPECT_EQ(facts["identified"], false);
  EXPECT_GE(facts["problems"].size(), 2U);
}

}  // namespace
