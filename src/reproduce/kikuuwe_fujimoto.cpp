// kikuuwe_fujimoto: the impedance-type friction law in sampled time.
#include <fmt/format.h>

#include <array>
#include <limits>
#include <tuple>

#include "measure.hpp"

namespace asperity::reproduce {
namespace {

using plot::Figure;
using plot::Line;
using plot::Panel;
using plot::Stroke;

// --- The block of section 2

Findings block() {
  const Outcome run = run_scene("kikuuwe_fujimoto_block");
  const Column &t = run["time"], &v = run["block.velocity"];
  const auto moving = std::count_if(v.begin(), v.end(), [](double speed) { return speed != 0; });  // the start included
  Findings findings;
  findings.facts = {
      against_independent("samples until the speed is exactly zero", "1", double(moving), 2001, 0, "step 1 ms"),
      against_formula("way", "m", run.run->value("block.position"), 0.9995, 1e-9, "sum of T v_k: M v0^2/(2 F) - T v0/2",
                      "step 1 ms"),
      against_formula("speed at the end", "m/s", v.back(), 0, 0, "v = 0 exactly while |u| <= T F/M (4)", "step 1 ms")};
  findings.pictures.push_back({"Speed of a block that slides to a stop",
                               Figure{.panels = {Panel{"", {"time", "s"}, {"velocity", "m/s"}, {Line{.x = t, .y = v}}}}}});
  findings.parameters = run.scene->parameters;
  findings.differs =
      "Without rounding the block would stop after 2000 samples; v0 = 1 m/s is taken off in steps of T F/M that are not exact in "
      "binary numbers.";
  return findings;
}

// --- Fig. 4

struct Joystick {
  Outcome run;
  double largest_force, largest_friction, drift, off;  // N, N, m, N
};
Joystick joystick(double mass) {
  Joystick j{run_scene("kikuuwe_fujimoto_fig_4", {fmt::format("let.M={}", mass)}), 0, 0, 0, 0};
  const Outcome& run = j.run;
  const Column &t = run["time"], &fx = run["friction.force.x"], &fy = run["friction.force.y"], &wx = run["friction.w.x"],
               &wy = run["friction.w.y"];
  j.largest_force = largest(lengths(fx, fy));
  // The force of the ground on the virtual object: M w' = f - g, with the step from the sample before.
  for (std::size_t k = 0; k + 1 < t.size(); ++k) {
    const double T = t[k + 1] - t[k];
    j.largest_friction =
        std::max(j.largest_friction, std::hypot(fx[k] - mass / T * (wx[k + 1] - wx[k]), fy[k] - mass / T * (wy[k + 1] - wy[k])));
  }
  // (14) to (19) once more, along the velocity of the handle: how far the rendered force is from it.
  constexpr double F = 4, K = 6000, B = 10, T = 1e-3;
  const double C = mass + T * B + T * T * K;
  std::array<double, 2> e{}, w{};  // bend of the spring, velocity of the object
  for (std::size_t k = 0; k < t.size(); ++k) {
    const std::array v{run["handle.velocity.x"][k], run["handle.velocity.y"][k]}, f{fx[k], fy[k]};
    std::array<double, 2> free{}, force{};  // the object's velocity without friction
    for (const std::size_t i : {0u, 1u}) free[i] = (mass * w[i] + T * K * e[i] + (T * B + T * T * K) * v[i]) / C;
    const double speed = std::hypot(free[0], free[1]), left = std::max(0.0, 1 - T * F / C / std::max(speed, 1e-300));
    for (const std::size_t i : {0u, 1u}) {
      w[i] = left * free[i];
      const double bends = v[i] - w[i];
      force[i] = K * (e[i] + T * bends) + B * bends;
      e[i] += T * bends;
    }
    j.off = std::max(j.off, std::hypot(force[0] - f[0], force[1] - f[1]));
  }
  // The virtual object, from when the hand begins to shake the handle: where the handle is less the spring's deflection.
  const std::size_t from = row(t, 3);
  const auto object = [&](std::size_t k) {
    return std::pair(run["handle.position.x"][k] - run["friction.a.x"][k], run["handle.position.y"][k] - run["friction.a.y"][k]);
  };
  for (std::size_t k = from; k < t.size(); ++k)
    j.drift = std::max(j.drift, std::hypot(object(k).first - object(from).first, object(k).second - object(from).second));
  return j;
}

Findings fig_4() {
  const Joystick massless = joystick(0), heavy = joystick(1);
  Findings findings;
  findings.facts = {
      against_formula("largest force on the hand", "N", massless.largest_force, 4, 1e-9, "f = g for M = 0, |g| <= F (9)", "M 0"),
      measured("largest force on the hand", "N", heavy.largest_force, "M 1 kg"),
      against_formula("force on the hand less (14) to (19)", "N", massless.off, 0, 1e-9, "sampled along the recorded velocity",
                      "M 0"),
      against_formula("force on the hand less (14) to (19)", "N", heavy.off, 0, 1e-9, "sampled along the recorded velocity",
                      "M 1 kg"),
      against_formula("largest force of the ground", "N", massless.largest_friction, 4, 1e-9, "|g| <= F (19)", "M 0"),
      against_formula("largest force of the ground", "N", heavy.largest_friction, 4, 1e-9, "|g| <= F (19)", "M 1 kg"),
      against_formula("drift while shaken with 2.4 N", "m", massless.drift, 0, 1e-12, "the object stands while |g| < F (19)",
                      "M 0"),
      against_formula("drift while shaken with 2.4 N", "m", heavy.drift, 0, 1e-12, "the object stands while |g| < F (19)",
                      "M 1 kg"),
  };
  Picture picture{
      "Way of the handle (thick) and force on the hand every 20 ms (thin, 1 N is 5 mm): (a) M = 0, (b) M = 1 kg. The hand draws "
      "along a half "
      "circle and then shakes the handle at the end, where it is held.",
      {}};
  const plot::Axis x{"x", "m", std::pair(-0.075, 0.075)}, y{"y", "m", std::pair(-0.03, 0.07)};
  for (const auto& [title, j] : {std::pair<const char*, const Joystick*>("(a) M = 0", &massless), {"(b) M = 1 kg", &heavy}}) {
    const Outcome& run = j->run;
    Panel panel{title, x, y, {}};
    Line way{.label = "handle", .x = run["handle.position.x"], .y = run["handle.position.y"], .width = 2.6, .colour = 0};
    Line forces{.label = "force on the hand", .x = {}, .y = {}, .width = 0.6, .colour = 1};
    const double gap = std::numeric_limits<double>::quiet_NaN(), scale = 5e-3;  // m/N
    for (std::size_t k = 0; k < way.x.size(); k += 20) {
      // The body feels minus the friction.
      for (const double share : {0., 1.}) {
        forces.x.push_back(way.x[k] - share * scale * run["friction.force.x"][k]);
        forces.y.push_back(way.y[k] - share * scale * run["friction.force.y"][k]);
      }
      forces.x.push_back(gap);
      forces.y.push_back(gap);
    }
    panel.lines = {forces, way};
    picture.figure.panels.push_back(std::move(panel));
  }
  picture.figure.panel_width = 500;
  picture.figure.panel_height = 380;
  findings.pictures.push_back(std::move(picture));

  Picture sizes{"The size of the force on the hand over time", {}};
  Panel panel{"", {"time", "s"}, {"force on the hand", "N"}, {}};
  for (const auto& [label, j, stroke] :
       {std::tuple<const char*, const Joystick*, Stroke>("M = 0", &massless, Stroke::solid), {"M = 1 kg", &heavy, Stroke::dashed}})
    panel.lines.push_back({.label = label,
                           .x = j->run["time"],
                           .y = lengths(j->run["friction.force.x"], j->run["friction.force.y"]),
                           .stroke = stroke});
  sizes.figure = {.panels = {panel}, .panel_width = 640};
  findings.pictures.push_back(std::move(sizes));
  findings.parameters = heavy.run.scene->parameters;
  findings.differs =
      "The paper shows an experiment with a person's hand. Here the hand is a model: a handle of 0.3 kg, drawn by 300 N/m, damped "
      "by 10 N s/m, which keeps hold of it while it is shaken. With M = 1 kg the largest force depends on the hand and on how the "
      "handle is stepped: a hand that lets go before it shakes, and a handle stepped by symplectic Euler, give 4.824 N. (19) "
      "prints sgn(v); it has to be sgn(u).";
  return findings;
}

// --- Fig. 6

constexpr std::array turns{0.8, 2.4, 4.0, 5.0, 5.6, 6.2, 7.2, 8.8, 10.4};  // s

Findings fig_6() {
  const Outcome run = run_scene("kikuuwe_fujimoto_fig_6");
  const auto& t = run["time"];
  Column force(t.size(), 0);
  for (int i = 1; i <= 10; ++i)
    force = mapped(force, run[fmt::format("friction{}.force", i)], [](double a, double b) { return a + b; });
  const auto before_turn = [&](std::size_t i) { return force[row(t, turns[i]) - 1]; };  // the last sample with the old velocity
  Findings findings;
  const std::array expected{52.2, -52.2, 52.2, -28.52992, 26.70864, -28.52992, 52.2, -52.2, 52.2};
  for (std::size_t i = 0; i < turns.size(); ++i)
    findings.facts.push_back(against_independent(fmt::format("force at turn {}", i + 1), "N", before_turn(i), expected[i], 1e-5,
                                                 "step 1 ms as in the paper"));
  double steady = 0;  // elements of F <= 8 N slide at 0.8 mm; the others bend, and damp
  for (int F = 1; F <= 10; ++F) steady += std::min(double(F), 1e4 * 0.8 * mm + 100 * mm);
  findings.facts.push_back(against_formula("force at turn 1", "N", before_turn(0), steady, 1e-9, "sum of min(F_i, K x + B v)",
                                           "step 1 ms as in the paper"));
  findings.facts.push_back(
      against_formula("gap of the inner loop", "N", before_turn(5) - before_turn(3), 0, 1e-6, "return point memory"));
  findings.facts.push_back(
      against_formula("gap of the outer loop", "N", before_turn(6) - before_turn(2), 0, 1e-6, "return point memory"));
  findings.pictures.push_back(
      {"(a) the motion, (b) force over position",
       Figure{
           .panels = {
               Panel{"(a)", {"time", "s"}, {"position", "m"}, {Line{.x = t, .y = run["slider.position"]}}},
               Panel{"(b)", {"position", "m"}, {"force", "N"}, {Line{.x = run["slider.position"], .y = force, .width = 1.2}}}}}});
  findings.parameters = run.scene->parameters;
  findings.differs = "The motion is ours; the paper shows it as a picture.";
  return findings;
}

// --- Section 3.1

Findings equivalence() {
  const Outcome run = run_scene("kikuuwe_fujimoto_equivalence");
  const auto difference = [&](const std::string& a, const std::string& b) {
    const auto of = [&](const char* c) { return mapped(run[a + c], run[b + c], [](double x, double y) { return x - y; }); };
    return lengths(of(".force.x"), of(".force.y"));
  };
  // The law of Hayward and Armstrong, and the single state by implicit steps, sampled here once more along the recorded velocity.
  const auto sampled = [&](const std::string& element, double B) {
    constexpr double F = 4, K = 6000, T = 1e-3;
    const auto &vx = run["point.velocity.x"], &vy = run["point.velocity.y"], &fx = run[element + ".force.x"],
               &fy = run[element + ".force.y"];
    double zx = 0, zy = 0, apart = 0;
    for (std::size_t k = 0; k < vx.size(); ++k) {
      double gx = K * zx + (B + T * K) * vx[k], gy = K * zy + (B + T * K) * vy[k];
      const double size = std::hypot(gx, gy), share = size > F ? F / size : 1;
      gx *= share, gy *= share;
      apart = std::max(apart, std::hypot(fx[k] - gx, fy[k] - gy));
      zx += T * (gx - K * zx) / (B + T * K), zy += T * (gy - K * zy) / (B + T * K);
    }
    return apart;
  };
  Column size = lengths(run["impedance.force.x"], run["impedance.force.y"]);
  const auto sliding = std::count_if(size.begin(), size.end(), [](double f) { return f > 4 - 1e-9; });
  Findings findings;
  findings.facts = {against_formula("M = 0, B = 0 less Hayward and Armstrong's law", "N", sampled("impedance", 0), 0, 1e-12,
                                    "z <- sat(F/K, z + T v)"),
                    against_formula("single state, look-ahead T, less Hayward and Armstrong's law", "N",
                                    sampled("hayward_armstrong", 0), 0, 1e-12, "z <- sat(F/K, z + T v)"),
                    against_formula("M = 0 less the single state with look-ahead T", "N", sampled("damped", 10), 0, 1e-12,
                                    "f = sat(F, K a + (B + T K) v)"),
                    against_formula("single state, damped, less the same", "N", sampled("single_state", 10), 0, 1e-12,
                                    "f = sat(F, K a + (B + T K) v)"),
                    against_formula("largest force", "N", largest(size), 4, 1e-12, "F where it slides"),
                    measured("samples that slide", "1", double(sliding))};
  findings.pictures.push_back(
      {"Both components of the force while a point wanders in the plane: the impedance type (thick) and Hayward and Armstrong's "
       "law (thin); below, the size of their difference",
       Figure{
           .panels =
               {Panel{
                    "",
                    {"time", "s"},
                    {"force", "N"},
                    {Line{.label = "x", .x = run["time"], .y = run["impedance.force.x"], .width = 3, .colour = 4},
                     Line{.label = "x, Hayward", .x = run["time"], .y = run["hayward_armstrong.force.x"], .width = 1, .colour = 0},
                     Line{.label = "y", .x = run["time"], .y = run["impedance.force.y"], .width = 3, .colour = 5},
                     Line{
                         .label = "y, Hayward", .x = run["time"], .y = run["hayward_armstrong.force.y"], .width = 1, .colour = 1}}},
                Panel{"",
                      {"time", "s"},
                      {"size of the difference", "N"},
                      {Line{.x = run["time"], .y = difference("impedance", "hayward_armstrong"), .width = 1}}}},
           .columns = 1,
           .panel_width = 640}});
  findings.parameters = run.scene->parameters;
  findings.excused = {{"kikuuwe_fujimoto_equivalence"}};
  findings.doubted =
      "Three of the laws live in sampled time: the step is that of the controller, 1 ms, and the work between two samples is not "
      "known. The facts are forces in the samples, for which the recursions hold exactly.";
  return findings;
}

}  // namespace

std::vector<Experiment> kikuuwe_fujimoto() {
  return {
      experiment("kikuuwe_fujimoto", "block", "(3) to (7)", "A mass that rubs by itself",
                 "The admittance type: force in, velocity out. The block comes to an exact stop.", {"kikuuwe_fujimoto_block"},
                 block, 0.01),
      experiment("kikuuwe_fujimoto", "equivalence", "Section 3.1", "Impedance type without mass",
                 "Without mass and damping it is Hayward and Armstrong's law, in two dimensions too.",
                 {"kikuuwe_fujimoto_equivalence"}, equivalence, 0.1),
      experiment("kikuuwe_fujimoto", "fig-4", "Fig. 4", "Friction rendered to a hand",
                 "A joystick renders a virtual object with friction, without mass and with it. Where the hand pushes less than the "
                 "friction, it is held.",
                 {"kikuuwe_fujimoto_fig_4"}, fig_4, 0.1),
      experiment("kikuuwe_fujimoto", "fig-6", "Fig. 6", "Presliding hysteresis of ten elements",
                 "Ten frictions side by side: smooth hysteresis, and all loops close.", {"kikuuwe_fujimoto_fig_6"}, fig_6, 0.5),
  };
}

}  // namespace asperity::reproduce
