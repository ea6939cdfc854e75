// A machine with friction whose motion and force are recorded. It shares nothing with the library: the friction is a bristle that
// is integrated here.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <sstream>
#include <string>
#include <vector>

struct Plant {
  double M = 2, Fv = 5, offset = 0.3;    // kg, N s/m, N
  double F_c = 5, rise = 0, v_s = 0.02;  // N, of F_c, m/s
  double K = 1e5;                        // N/m
  double gravity = 0;                    // N: times cos(q)
  double size = 6e-3;                    // m, of each of the tones
  double encoder = 0;                    // m: resolution
  double noise = 0;                      // m, white
  double force_noise = 0.02;             // N
  double delay = 0;                      // s: the force is recorded later
  double rate = 1000, duration = 6;      // 1/s, s
  std::uint64_t seed = 1;

  struct Record {
    std::vector<double> t, x, f;
    std::string csv(const char* head = "t,x,F") const {
      std::ostringstream out;
      out.precision(10);
      out << head << '\n';
      for (std::size_t k = 0; k < t.size(); ++k) out << t[k] << ',' << x[k] << ',' << f[k] << '\n';
      return out.str();
    }
  };

  /// A controller lets it follow three tones; Heun's method in steps of 20 us.
  Record run() const {
    constexpr double h = 2e-5, w = 2 * std::numbers::pi;
    const auto every = static_cast<long>(std::lround(1 / (h * rate))), count = std::lround(duration / h);
    std::mt19937_64 random(seed);
    const auto uniform = [&] { return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53; };
    const auto normal = [&] { return std::sqrt(-2 * std::log(uniform())) * std::cos(w * uniform()); };
    const double tones[3] = {w * 0.6, w * 1.3, w * 2.9}, phases[3] = {w * uniform(), w * uniform(), w * uniform()};
    struct Motion {
      double x, v, a;
    };
    const auto wanted = [&](double t) {
      Motion m{0, 0, 0};
      for (int i = 0; i < 3; ++i) {
        const double phase = tones[i] * t + phases[i];
        m.x += size * std::sin(phase), m.v += size * tones[i] * std::cos(phase);
        m.a -= size * tones[i] * tones[i] * std::sin(phase);
      }
      return m;
    };
    struct State {
      double x, v, z;
    };
    double motor = 0;
    const auto rates = [&](double t, const State& s) {
      const Motion r = wanted(t);
      motor = M * (r.a + 64 * (r.v - s.v) + 1600 * (r.x - s.x));
      const double limit = F_c * (1 + rise * std::exp(-std::pow(s.v / v_s, 2)));
      const double friction = K * s.z;
      return State{s.v, (motor - friction - Fv * s.v - offset - gravity * std::cos(s.x)) / M,
                   s.v - std::abs(s.v) * friction / limit};
    };
    const Motion start = wanted(0);
    State s{start.x, start.v, 0};
    std::vector<double> xs, fs;
    for (long k = 0; k <= count; ++k) {
      const double t = static_cast<double>(k) * h;
      const State d = rates(t, s);
      if (k % every == 0) xs.push_back(s.x), fs.push_back(motor);
      const State next{s.x + h * d.x, s.v + h * d.v, s.z + h * d.z}, e = rates(t + h, next);
      s = {s.x + h / 2 * (d.x + e.x), s.v + h / 2 * (d.v + e.v), s.z + h / 2 * (d.z + e.z)};
    }
    Record record;
    const auto late = static_cast<std::size_t>(std::lround(delay * rate));
    for (std::size_t k = late; k < xs.size(); ++k) {
      record.t.push_back(static_cast<double>(k) / rate);
      const double x = xs[k] + noise * normal();
      record.x.push_back(encoder > 0 ? encoder * std::round(x / encoder) : x);
      record.f.push_back(fs[k - late] + force_noise * normal());
    }
    return record;
  }
};
