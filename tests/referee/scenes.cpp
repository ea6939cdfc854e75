// Scenes drawn at random, the same for the same seed on every machine: all laws, methods and kinds of bodies, steps from fine to
// absurd.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "referee.hpp"

namespace referee {
namespace {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ull + 0x1234567) {
    for (int i = 0; i < 4; ++i) next();
  }
  double uniform(double low, double high) { return low + (high - low) * static_cast<double>(next() >> 11) * 0x1p-53; }
  double spread(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }  // even in its digits
  int whole(int low, int high) { return low + static_cast<int>(next() % static_cast<std::uint64_t>(high - low + 1)); }
  bool chance(double p) { return uniform(0, 1) < p; }
  template <typename T>
  T among(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(whole(0, static_cast<int>(all.size()) - 1))];
  }

 private:
  std::uint64_t state_;
  std::uint64_t next() {  // splitmix64
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
};

std::string num(double x, int digits = 6) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, x);
  std::string s = text;
  if (s.find_first_of(".en") == std::string::npos) s += ".0";
  return s;
}
std::string list(const std::vector<double>& all) {
  std::string s = "[";
  for (const double x : all) s += (s.size() > 1 ? ", " : "") + num(x);
  return s + "]";
}
std::string quoted(const std::string& s) { return "\"" + s + "\""; }

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : draw(seed) {}
  Draw draw;
  std::string text, family;
  double omega = 10;    // 1/s, the fastest rate
  double duration = 1;  // s
  double weight = 1;    // N, what contacts carry
  double speed = 1;     // m/s, the fastest
  bool preload = false, sampled = false;
  bool smooth = true;  // no law that jumps

  void line(const std::string& key, const std::string& value) { text += key + " = " + value + "\n"; }
  void element(const std::string& name, const std::string& a, const std::string& b) {
    text += "\n[[element]]\nname = " + quoted(name) + "\nbetween = [" + quoted(a) + ", " + quoted(b) + "]\n";
  }
  void body(const std::string& name, const std::string& kind) {
    text += "\n[[body]]\nname = " + quoted(name) + "\nkind = " + quoted(kind) + "\n";
  }
  void faster(double rate) { omega = std::max(omega, rate); }

  // Parameters of a friction law whose limit is about F (N, or a coefficient that multiplies `load`), on a mass; separated by
  // `end`.
  std::string friction(const std::string& law, double F, double load, double mass, const std::string& end) {
    const double K = mass * std::pow(draw.spread(100, 2000), 2), beta = draw.spread(0.3, 3) / std::sqrt(K / mass) * 0.5;
    faster(std::sqrt(K / mass));
    const double F_s = F * draw.uniform(1, 1.6), v_s = draw.spread(0.005, 0.2);
    std::string s = "law = " + quoted(law) + end;
    const auto put = [&](const std::string& key, double v) { s += key + " = " + num(v) + end; };
    const auto puts = [&](const std::string& key, const std::vector<double>& v) { s += key + " = " + list(v) + end; };
    const auto stribeck = [&] { put("F_c", F), put("F_s", F_s), put("v_s", v_s), put("alpha", draw.among<double>({1, 2})); };
    if (law == "threshold") {
      const double V = draw.spread(0.003, 0.1);
      put("F", F), put("V", V), faster(F * load / (V * mass));
    }
    if (law == "smooth_static" || law == "specker") {
      const double v_t = draw.spread(0.005, 0.05);
      put("F_c", F), put("F_s", F_s), put("d", draw.uniform(0, 0.2)), put("v_t", v_t), put("v_sp", 2 * v_t),
          faster(F * load / (v_t * mass));
      if (law == "specker") put("v_0", draw.spread(0.005, 0.05)), put("T_1", draw.spread(0.005, 0.05));
    }
    if (law == "dahl") put("F", F), put("K", K), faster(K * speed / (F * load));
    if (law == "lugre" || law == "elastoplastic") {
      stribeck(), put("K", K), put("B", K * beta), put("D", draw.chance(0.5) ? 0 : draw.uniform(0, 0.5)),
          faster(K * speed / (F * load) + K * beta / mass);
      if (law == "elastoplastic") put("a_ba", 0.7 * F / K);
    }
    if (law == "single_state") put("F", F), put("K", K), put("beta", beta), faster(1 / beta + K * beta / mass);
    if (law == "single_state_stribeck") stribeck(), put("K", K), put("beta", beta), faster(1 / beta + K * beta / mass);
    if (law == "single_state_falling")
      put("F_s", F), put("V", draw.spread(0.1, 2)), put("K", K), put("beta", beta), faster(1 / beta + K * beta / mass);
    if (law == "multistate" || law == "gms" || law == "modified_leuven") {
      const int n = draw.whole(1, 4);
      std::vector<double> kappa, sigma, share;
      for (int i = 0; i < n; ++i)
        kappa.push_back(2 * K / n / (i + 1)), sigma.push_back(kappa.back() * beta), share.push_back(1.0 / n);
      if (n == 3) share = {0.25, 0.25, 0.5};
      stribeck(), puts("kappa", kappa), puts("lambda", share);
      if (law == "modified_leuven")
        put("n", draw.among<double>({1, 2, 4})), put("B", K * beta), put("D", 0), put("beta", beta), faster(K * speed / (F * load));
      else puts("sigma", sigma);
      if (law == "gms") put("C", F * draw.spread(20, 500)), smooth = false;
      if (law == "multistate") put("tau_d", draw.spread(0.003, 0.05));
      faster(1 / beta + K * beta / mass);
    }
    return s;
  }
  // Of a contact law; a mass strikes it at about `speed`.
  std::string contact(const std::string& law, double mass, const std::string& end) {
    const double depth = speed / draw.spread(200, 4000) + 1e-5, K = mass * std::pow(std::max(speed / depth, 50.0), 2),
                 w = std::sqrt(K / mass);
    std::string s = "law = " + quoted(law) + end;
    const auto put = [&](const std::string& key, double v) { s += key + " = " + num(v) + end; };
    faster(w);
    if (law == "kelvin_voigt" || law == "kelvin_voigt_clamped") put("K", K), put("B", draw.uniform(0, 0.8) * std::sqrt(K * mass));
    if (law == "hertz" || law == "hunt_crossley" || law == "nonlinear_compliance") {
      const double lambda = draw.among<double>({1.5, 1.5, 1.2, 2});
      put("K", K * std::pow(depth, 1 - lambda)), put("lambda", lambda);
      if (law == "hunt_crossley") put("b2", draw.uniform(0, 0.5) / std::max(speed, 0.1));
      if (law == "nonlinear_compliance") {
        const double gamma = w * draw.spread(5, 30), beta1 = draw.uniform(0, 0.5) / w;
        put("gamma", gamma), put("beta1", beta1), put("beta2", draw.uniform(0, 0.3) / w / std::pow(depth, lambda));
        faster(gamma + w * std::sqrt(1 + gamma / w));
      }
    }
    if (law == "linear_compliance") {
      const double beta = draw.uniform(0.1, 1.2) / w, alpha = beta * draw.uniform(0.1, 1);
      put("K", K), put("alpha", alpha), put("beta", beta), faster(1 / alpha + w * std::sqrt(beta / alpha));
    }
    return s;
  }
  std::string inline_table(std::string s) {
    while (!s.empty() && (s.back() == ' ' || s.back() == ',')) s.pop_back();
    return "{ " + s + " }";
  }
  void frictional(double mu, double mass, double load) {
    line("law", quoted("frictional_contact"));
    std::string normal = "linear_compliance", slide = "single_state";
    if (draw.chance(0.4))
      normal = draw.among<std::string>({"kelvin_voigt", "kelvin_voigt_clamped", "hertz", "hunt_crossley", "nonlinear_compliance"});
    else if (draw.chance(0.4))
      slide =
          draw.among<std::string>({"threshold", "dahl", "lugre", "single_state_stribeck", "single_state_falling", "multistate"});
    line("normal", inline_table(contact(normal, mass, ", ")));
    line("friction", inline_table(friction(slide, mu, load, mass, ", ")));
  }
  std::string any_friction() {
    return draw.among<std::string>({"threshold", "smooth_static", "specker", "dahl", "lugre", "elastoplastic", "modified_leuven",
                                    "gms", "single_state", "single_state", "single_state", "single_state_stribeck",
                                    "single_state_falling", "multistate"});
  }
  std::string any_contact() {
    return draw.among<std::string>({"kelvin_voigt", "kelvin_voigt_clamped", "hertz", "hunt_crossley", "linear_compliance",
                                    "linear_compliance", "nonlinear_compliance"});
  }
  // A push of the size F: steady, swinging, in ramps, or a pulse of 10 us to 100 ms.
  std::string push(double F) {
    const double at = draw.uniform(0.05, 0.6) * duration, pulse = draw.spread(1e-5, 0.1),
                 end = at + std::min(pulse, 0.3 * duration);
    const double strong = F * std::min(std::max(1.0, 0.03 / pulse), 300.0);
    switch (draw.whole(0, 7)) {
      case 0:
        return num(F);
      case 1:
        return num(F) + "*sin(" + num(draw.spread(5, 100)) + "*t)";
      case 2:
        return "min(" + num(F) + ", " + num(F / at) + "*t)";
      case 3:
        return "t > " + num(at) + " && t < " + num(end) + " ? " + num(strong) + " : 0";
      case 4:
        return num(strong) + "*step(t - " + num(at) + ")*step(" + num(end) + " - t)";
      case 5:
        return "max(0, " + num(F) + "*(1 - abs(t - " + num(at) + ")/" + num(0.2 * duration) + "))";
      case 6:
        return "t < " + num(at) + " ? " + num(0.3 * F) + " : (t < " + num(end) + " ? " + num(strong) + " : " + num(0.4 * F) +
               "*cos(30*t))";
      default:
        return num(F) + "*sat(1, sin(" + num(draw.spread(5, 50)) + "*t)*3)";
    }
  }
  void input(const std::string& on, const std::string& what, const std::string& value) {
    text += "\n[[input]]\non = " + quoted(on) + "\n" + what + " = " + value + "\n";
  }

  void on_a_line();
  void bounce();
  void in_the_plane();
  void on_a_slope();
  void rigid_on_floor();
  void balls();
  void arm();
  void hinged();
  void spinning();
  void shaken();
  RandomScene finish();
};

void Writer::on_a_line() {
  family = "masses on a line";
  const int n = draw.whole(1, 3);
  speed = draw.uniform(0, 2);
  const bool belt = draw.chance(0.3);
  duration = draw.uniform(0.3, 1.5);
  double m = 1;
  std::vector<double> masses;
  for (int i = 0; i < n; ++i) {
    m = draw.spread(0.1, 5);
    masses.push_back(m);
    body("m" + std::to_string(i + 1), "mass");
    line("mass", num(m));
    line("position", num(0.3 * i));
    line("velocity", num(draw.chance(0.5) ? 0 : draw.uniform(-speed, speed)));
  }
  if (belt) body("belt", "prescribed"), line("position", "0.0"), line("velocity", num(draw.uniform(-1, 1)));
  for (int i = 0; i < n; ++i) {
    const std::string me = "m" + std::to_string(i + 1);
    const double F = masses[i] * draw.uniform(0.5, 6);
    element("rub" + std::to_string(i + 1), me, belt ? "belt" : "ground");
    if (draw.chance(0.2))
      line("load", num(masses[i] * 9.81)),
          text += friction(any_friction(), F / (masses[i] * 9.81), masses[i] * 9.81, masses[i], "\n");
    else text += friction(any_friction(), F, 1, masses[i], "\n");
    if (draw.chance(0.6)) {
      const bool chained = i > 0;
      element("spring" + std::to_string(i + 1), me, chained ? "m" + std::to_string(i) : "ground");
      const double K = masses[i] * std::pow(draw.spread(5, 60), 2);
      line("law", quoted("spring")), line("K", num(K));
      if (draw.chance(0.3)) line("K3", num(K * draw.uniform(0, 20)));
      if (draw.chance(0.3)) line("B", num(draw.uniform(0, 0.1) * std::sqrt(K * masses[i])));
      line("offset", num(chained ? 0.3 + draw.uniform(-0.1, 0.1) : 0.3 * i + draw.uniform(-0.1, 0.1)));
      faster(std::sqrt(K / masses[i]));
      speed = std::max(speed, 0.1 * std::sqrt(K / masses[i]));
    }
    if (i > 0 && draw.chance(0.4))
      element("touch" + std::to_string(i), me, "m" + std::to_string(i)),
          text += contact(any_contact(), std::min(masses[i], masses[i - 1]), "\n");
    if (draw.chance(0.7)) input(me, "force", quoted(push(F * draw.uniform(0.5, 2.5))));
  }
  preload = draw.chance(0.2);
}

void Writer::bounce() {
  family = "bounces";
  const double m = draw.spread(0.05, 5), height = draw.spread(0.01, 1);
  speed = std::sqrt(2 * 9.81 * height);
  duration = std::clamp(3 * speed / 9.81, 0.1, 1.5);
  text += "\n[world]\ngravity = -9.81\n";
  body("ball", "mass");
  line("mass", num(m));
  line("position", num(height));
  if (draw.chance(0.4)) line("velocity", num(draw.uniform(-2, 0))), speed += 2;
  element("floor", "ball", "ground");
  text += contact(any_contact(), m, "\n");
  if (draw.chance(0.3)) {
    body("second", "mass");
    line("mass", num(m * draw.spread(0.2, 5)));
    line("position", num(height + draw.uniform(0.05, 0.3)));
    element("between", "second", "ball");
    text += contact(any_contact(), 0.2 * m, "\n");
  }
  if (draw.chance(0.3)) input("ball", "force", quoted(push(m * draw.uniform(2, 15))));
}

void Writer::in_the_plane() {
  const int dim = draw.whole(2, 3);
  family = dim == 2 ? "a mass in the plane" : "a mass in space";
  const double m = draw.spread(0.1, 3);
  speed = draw.uniform(0.1, 3);
  duration = draw.uniform(0.3, 1.2);
  std::vector<double> v, n;
  for (int i = 0; i < dim; ++i) v.push_back(draw.uniform(-speed, speed)), n.push_back(draw.uniform(-1, 1));
  double length = 0;
  for (const double x : n) length += x * x;
  if (length < 0.01) n[0] = 1, length = 1;  // rare
  length = 0;
  for (const double x : n) length += x * x;
  for (double& x : n) x /= std::sqrt(length);
  body("puck", "mass");
  line("mass", num(m));
  line("position", list(std::vector<double>(dim, 0.0)));
  line("velocity", list(v));
  element("table", "puck", "ground");
  const double F = m * draw.uniform(0.5, 5);
  text += friction(draw.among<std::string>({"threshold", "dahl", "lugre", "single_state", "single_state", "single_state_stribeck",
                                            "single_state_falling", "multistate"}),
                   F, 1, m, "\n");
  if (draw.chance(0.5)) {
    element("rail", "puck", "ground");
    std::string direction = "[";
    double rest = 1;
    for (int i = 0; i < dim; ++i) {
      const double x = i + 1 < dim ? n[i] : std::copysign(std::sqrt(std::max(0.0, rest)), n[i]);
      direction += (i ? ", " : "") + num(x, 17);
      rest -= x * x;
    }
    direction += "]";
    if (draw.chance(0.5)) text += friction(any_friction(), 0.5 * F, 1, m, "\n");
    else {
      const double K = m * std::pow(draw.spread(5, 60), 2);
      line("law", quoted("spring")), line("K", num(K)), line("B", num(draw.uniform(0, 1))),
          line("offset", num(draw.uniform(-0.05, 0.05))), faster(std::sqrt(K / m));
    }
    line("direction", direction);
  }
  if (draw.chance(0.3)) {  // a wall that stops it
    element("wall", "puck", "ground");
    text += contact(any_contact(), m, "\n");
    std::vector<double> wall(static_cast<std::size_t>(dim));
    wall[0] = v[0] > 0 ? -1 : 1;
    line("direction", list(wall));
    line("offset", num(-draw.uniform(0.02, 0.2)));
  }
  if (draw.chance(0.6)) {
    std::string f = "[";
    for (int i = 0; i < dim; ++i)
      f += (i ? ", " : "") + (draw.chance(0.6) ? quoted(push(F * draw.uniform(0.3, 2))) : std::string{"0.0"});
    input("puck", "force", f + "]");
  }
}

void Writer::on_a_slope() {
  const int dim = draw.whole(2, 3);
  family = "a mass on a slope";
  const double m = draw.spread(0.1, 3), slope = draw.uniform(0, 40) * std::numbers::pi / 180, mu = draw.uniform(0.1, 0.9);
  duration = draw.uniform(0.3, 1);
  speed = draw.uniform(0.1, 2);
  const double height = draw.chance(0.6) ? 0 : draw.spread(0.005, 0.2);
  preload = height == 0 && draw.chance(0.7);
  if (height > 0) speed = std::max(speed, std::sqrt(20 * height));
  std::vector<double> g(dim), p(dim), v(dim);
  g[0] = 9.81 * std::sin(slope), g[dim - 1] = -9.81 * std::cos(slope);
  p[dim - 1] = height;
  if (draw.chance(0.5))
    for (int i = 0; i + 1 < dim; ++i) v[i] = draw.uniform(-speed, speed);
  text += "\n[world]\ngravity = " + list(g) + "\n";
  body("block", "mass");
  line("mass", num(m));
  line("position", list(p));
  line("velocity", list(v));
  std::string under = "ground";
  if (draw.chance(0.3)) {
    body("plate", "prescribed");
    std::string course = "[" + quoted(num(draw.spread(1e-4, 0.02)) + "*sin(" + num(draw.spread(5, 80)) + "*t)");
    for (int i = 1; i < dim; ++i) course += ", 0.0";
    line("position", course + "]");
    under = "plate";
  }
  element("slope", "block", under);
  frictional(mu, m, m * 9.81);
  if (draw.chance(0.5)) {
    std::string f = "[" + quoted(push(m * 9.81 * draw.uniform(0.1, 1)));
    for (int i = 1; i < dim; ++i) f += ", 0.0";
    input("block", "force", f + "]");
  }
}

void Writer::rigid_on_floor() {
  const std::string shape = draw.among<std::string>({"sphere", "sphere", "box", "box", "capsule", "cylinder"});
  family = "a " + shape + " on a floor";
  const double m = draw.spread(0.1, 5), mu = draw.uniform(0.1, 0.9), R = draw.spread(0.02, 0.2),
               slope = draw.chance(0.5) ? 0 : draw.uniform(0, 30) * std::numbers::pi / 180;
  duration = draw.uniform(0.3, 0.8);
  const bool placed = draw.chance(0.5);
  speed = draw.uniform(0.1, 2);
  double lift = placed ? 0 : draw.spread(0.01, 0.2);
  if (!placed) speed = std::max(speed, std::sqrt(20 * lift));
  preload = placed && draw.chance(0.7);
  text += "\n[world]\ngravity = " + list({9.81 * std::sin(slope), 0, -9.81 * std::cos(slope)}) + "\n";
  body("body", "rigid_body");
  line("shape", quoted(shape));
  line("mass", num(m));
  double height = R;
  const double L = R * draw.uniform(1, 4);
  if (shape == "box") {
    const std::vector<double> sides = {R * draw.uniform(1, 3), R * draw.uniform(1, 3), R * draw.uniform(0.5, 2)};
    line("sides", list(sides));
    height = sides[2] / 2;
  } else {
    line("radius", num(R));
    if (shape != "sphere") line("length", num(L)), height = shape == "capsule" ? R + L / 2 : R;
  }
  if (shape == "capsule") {  // lying: its axis along y
    line("rotation",
         "{ axis = [1.0, 0.0, 0.0], angle = " + num(std::numbers::pi / 2 + (placed ? 0 : draw.uniform(-0.5, 0.5))) + " }");
    height = R;
    if (!placed) lift += L / 3;
  } else if (!placed && shape != "cylinder") {
    line("rotation",
         "{ axis = " + list({draw.uniform(-1, 1), draw.uniform(-1, 1), 0.3}) + ", angle = " + num(draw.uniform(-0.6, 0.6)) + " }");
    if (shape == "box") lift += 2 * R;
  }
  line("position", "[0.0, 0.0, " + num(height + lift, 12) + "]");
  if (draw.chance(0.6)) line("velocity", list({draw.uniform(-speed, speed), draw.uniform(-speed, speed), 0}));
  if (!placed || draw.chance(0.3)) line("spin", list({draw.uniform(-5, 5), draw.uniform(-5, 5), draw.uniform(-5, 5)}));
  element("floor", "body", "ground");
  frictional(mu, 0.25 * m, m * 9.81 / 4);
  if (shape == "cylinder") line("centre", "[0.0, 0.0, " + num(draw.uniform(-0.3, 0.3) * L) + "]"), line("radius", num(R));
  if (draw.chance(0.4)) input("body", "force", "[" + quoted(push(m * 9.81 * draw.uniform(0.1, 0.8))) + ", 0.0, 0.0]");
  if (draw.chance(0.2)) input("body", "torque", "[0.0, 0.0, " + quoted(push(m * R * draw.uniform(0.5, 3))) + "]");
}

void Writer::balls() {
  family = "balls that meet";
  const int n = draw.whole(2, 3);
  const double R = draw.spread(0.02, 0.2);
  speed = draw.spread(0.2, 10);
  duration = 6 * R / speed + 0.1;
  double m = 1, smallest = 1e9;
  const bool led = draw.chance(0.3);  // the first is a hand on a given course
  for (int i = 0; i < n; ++i) {
    const std::string name = "b" + std::to_string(i + 1);
    m = draw.spread(0.1, 3);
    smallest = std::min(smallest, m);
    if (i == 0 && led) {
      body(name, "prescribed");
      line("shape", quoted("sphere")), line("radius", num(R));
      line("position", "[" + quoted(num(speed) + "*t") + ", 0.0, 0.0]");
      if (draw.chance(0.5))
        line("rotation", "{ axis = [0.0, 0.0, 1.0], angle = " + quoted(num(draw.uniform(-20, 20)) + "*t") + " }");
      continue;
    }
    body(name, "rigid_body");
    line("shape", quoted("sphere")), line("radius", num(R)), line("mass", num(m));
    line("position", list({i * 3 * R, draw.uniform(-0.6, 0.6) * R, draw.uniform(-0.6, 0.6) * R}));
    line("velocity", list({i == 0 ? speed : draw.uniform(-0.5, 0) * speed, 0, 0}));
    if (draw.chance(0.5)) line("spin", list({draw.uniform(-20, 20), draw.uniform(-20, 20), draw.uniform(-20, 20)}));
  }
  for (int i = 1; i < n; ++i) {
    element("c" + std::to_string(i), "b" + std::to_string(i), "b" + std::to_string(i + 1));
    frictional(draw.uniform(0.05, 0.6), 0.3 * smallest, smallest * speed * 100);
  }
}

void Writer::arm() {
  family = "an arm";
  const int n = draw.whole(1, 3);
  duration = draw.uniform(0.4, 1.2);
  speed = 5;
  if (draw.chance(0.7)) text += "\n[world]\ngravity = [0.0, -9.81]\n";
  body("arm", "arm");
  std::string rods;
  std::vector<double> angles, rates;
  double m = 1, l = 1;
  for (int i = 0; i < n; ++i) {
    m = draw.spread(0.2, 2), l = draw.uniform(0.2, 0.8);
    rods += (i ? ", " : "") + ("{ length = " + num(l) + ", mass = " + num(m) + " }");
    angles.push_back(draw.uniform(-1.5, 1.5)), rates.push_back(draw.chance(0.5) ? 0 : draw.uniform(-3, 3));
  }
  line("rods", "[" + rods + "]");
  line("angles", list(angles));
  line("rates", list(rates));
  const double inertia = 0.05 * m * l * l;
  for (int i = 0; i < n; ++i) {
    const std::string joint = "arm.joint" + std::to_string(i + 1);
    const double F = draw.spread(0.05, 2);
    if (draw.chance(0.8))
      element("rub" + std::to_string(i + 1), joint, "ground"), text += friction(any_friction(), F, 1, inertia, "\n");
    if (draw.chance(0.2))
      element("stop" + std::to_string(i + 1), joint, "ground"), text += contact(any_contact(), inertia, "\n"),
          line("offset", num(angles[i] - draw.uniform(0.1, 0.5)));
    if (draw.chance(0.4)) input(joint, "torque", quoted(push(F * draw.uniform(0.5, 3))));
  }
  preload = draw.chance(0.2);
}

void Writer::hinged() {
  const bool hinge = draw.chance(0.5);
  family = hinge ? "a hinge" : "springs between points";
  duration = draw.uniform(0.3, 0.8);
  const double m = draw.spread(0.3, 10), L = draw.uniform(0.2, 1);
  text += "\n[world]\ngravity = " + list({0, -9.81, draw.chance(0.5) ? 0 : draw.uniform(-3, 3)}) + "\n";
  body("slab", "rigid_body");
  line("shape", quoted("box")), line("mass", num(m)), line("sides", list({L, 0.2 * L, 0.3 * L}));
  line("position", list(hinge ? std::vector<double>{L / 2, 0, 0} : std::vector<double>{L, 0.3, 0.2}));
  line("points", "{ edge = " + list({-L / 2, 0, 0}) + ", tip = " + list({L / 2, 0, 0}) + " }");
  const double I = m * L * L / 12;
  if (hinge) {
    const double w = draw.spread(200, 1500), wt = draw.spread(100, 800);
    if (draw.chance(0.5)) line("spin", list({0, 0, 2})), line("velocity", list({0, L, 0}));
    element("hinge", "slab@edge", "ground");
    line("law", quoted("hinge"));
    line("K", num(m * w * w)), line("B_pull", num(m * w * draw.uniform(0.1, 1)));
    line("K_turn", num(I * wt * wt)), line("B_turn", num(I * wt * draw.uniform(0.1, 1)));
    speed = 5;
    line("friction", inline_table(friction("single_state", m * L * draw.uniform(0.1, 3), 1, I, ", ")));
    faster(2 * w), faster(3 * wt);
  } else {
    body("hook", "rigid_body");
    line("shape", quoted("sphere")), line("radius", "0.05"), line("mass", num(0.5 * m)), line("position", list({L / 2, 0.8, 0.1}));
    for (const std::string point : {"edge", "tip"}) {
      const double w = draw.spread(10, 300);
      element("to_" + point, "slab@" + point, draw.chance(0.5) ? "hook" : "ground");
      line("law", quoted("spring")), line("K", num(m * w * w)), line("B", num(m * w * draw.uniform(0, 0.2))),
          line("offset", num(draw.uniform(0.2, 0.6)));
      faster(4 * w);
    }
  }
  if (draw.chance(0.4)) input("slab", "torque", "[0.0, 0.0, " + quoted(push(m * L * draw.uniform(1, 8))) + "]");
}

void Writer::spinning() {
  family = "a body that tumbles";
  duration = draw.uniform(0.5, 2);
  body("top", "rigid_body");
  const double w = draw.spread(1, 300);
  line("mass", num(draw.spread(0.1, 5)));
  line("inertia", list({draw.uniform(1, 1.5), draw.uniform(1.5, 2), draw.uniform(2, 2.4), draw.uniform(-0.1, 0.1),
                        draw.uniform(-0.1, 0.1), draw.uniform(-0.1, 0.1)}));
  line("spin", list({0.1 * w, w, 0.05 * w}));
  line("velocity", list({1, 0, 0}));
  faster(w);
  duration = std::min(duration, 100 / w);
  if (draw.chance(0.5)) input("top", "torque", "[" + quoted(push(w * draw.uniform(0.1, 3))) + ", 0.0, 0.0]");
}

void Writer::shaken() {
  family = "held on what is shaken";
  const double m = draw.spread(0.1, 3), f = draw.spread(10, 200), F = m * draw.uniform(1, 6);
  duration = draw.uniform(0.2, 0.8);
  speed = 0.3;
  const double X = F / (m * f * f) * draw.uniform(0.2, 2);
  body("plate", "prescribed");
  line("position",
       quoted(draw.chance(0.5) ? num(X) + "*sin(" + num(f) + "*t)" : num(X) + "*(1 - cos(" + num(f) + "*t))*min(1, 5*t)"));
  body("block", "mass");
  line("mass", num(m));
  element("grip", "block", "plate");
  text += friction(any_friction(), F, 1, m, "\n");
  if (draw.chance(0.5)) input("block", "force", quoted(push(F * draw.uniform(0.2, 0.9))));
  faster(f);
}

RandomScene Writer::finish() {
  RandomScene out;
  const double pick = draw.uniform(0, 1);
  out.method = pick < 0.38   ? "rk4"
               : pick < 0.44 ? "rk4-lookahead"
               : pick < 0.49 ? "step"
               : pick < 0.54 ? "euler"
               : pick < 0.62 ? "implicit"
               : pick < 0.76 ? "implicit2"
               : pick < 0.84 ? "dopri5"
               : pick < 0.91 ? "cvode"
                             : "auto";
  const bool adapts = out.method == "dopri5" || out.method == "cvode" || out.method == "auto";
  double step = 1e-3;
  std::string run = "[run]\n";
  if (adapts) {
    const double rtol = draw.among<double>({1e-3, 1e-4, 1e-6, 1e-6, 1e-8});
    out.pace = rtol > 1e-5 ? "loose" : "tight";
    run += "rtol = " + num(rtol) + "\natol = " + num(rtol * 1e-3) + "\n";
  } else {
    const double roll = draw.uniform(0, 1);
    double product = 0;  // of step and the fastest rate
    if (roll < 0.35) out.pace = "fine", product = draw.spread(0.04, 0.2);
    else if (roll < 0.6) out.pace = "medium", product = draw.spread(0.2, 1);
    else if (roll < 0.85) out.pace = "coarse", product = draw.spread(1, 10);
    else out.pace = "absurd", product = draw.spread(10, 1000);
    step = std::min(product / omega, duration / 4);
    step = std::strtod(num(step, 3).c_str(), nullptr);
  }
  // Whole numbers of steps: about 200 rows, 60000 steps at most.
  const double interval =
      adapts ? std::strtod(num(duration / 200, 3).c_str(), nullptr) : step * std::max(1.0, std::floor(duration / 200 / step));
  const double rows = std::floor(std::min(duration, adapts ? duration : 60000 * step) / interval * (1 + 1e-9));
  run += "duration = " + num(rows * interval, 15) + "\nmethod = " + quoted(out.method) + "\n";
  if (!adapts) run += "step = " + num(step) + "\n";
  if (preload) run += "preload = true\n";
  out.text = run + text + "\n[record]\nevery = " + num(interval, 15) + "\n";
  out.family = family;
  return out;
}

}  // namespace

RandomScene random_scene(std::uint64_t seed) {
  // Drawn again until the fastest motion and the whole run are not too far apart for the referee's explicit steps.
  for (std::uint64_t again = 0;; ++again) {
    Writer w(1000 * seed + again);
    switch (w.draw.whole(0, 13)) {
      case 0:
      case 1:
      case 2:
        w.on_a_line();
        break;
      case 3:
      case 4:
        w.bounce();
        break;
      case 5:
        w.in_the_plane();
        break;
      case 6:
        w.on_a_slope();
        break;
      case 7:
      case 8:
        w.rigid_on_floor();
        break;
      case 9:
        w.balls();
        break;
      case 10:
        w.arm();
        break;
      case 11:
        w.hinged();
        break;
      case 12:
        w.spinning();
        break;
      default:
        w.shaken();
        break;
    }
    if (w.omega * w.duration < 2e4) return w.finish();
  }
}

}  // namespace referee
