// A friction limit of your own: a film that carries better the faster it is sheared, up to a point.
//   g(v) = F_dry + (F_film - F_dry) |v|/(|v| + v_film)
// Any struct with limit(speed), highest() and lowest() can stand behind the laws that take a limit.
#include <asperity/laws.hpp>
#include <cstdio>

template <class S>
struct Film {
  S F_dry = S(1.0);     // N
  S F_film = S(0.2);    // N
  S v_film = S(0.005);  // m/s

  constexpr S limit(const S& speed) const noexcept { return F_dry + (F_film - F_dry) * speed / (speed + v_film); }
  constexpr S highest() const noexcept { return F_dry; }
  constexpr S lowest() const noexcept { return F_film; }
};

int main() {
  asperity::SingleState<double, 1, Film> law;
  law.v_film = 0.01;
  for (const double v : {0.001, 0.01, 0.1, 1.0}) {
    auto z = law.start();
    double f = 0;
    for (int k = 0; k < 1000; ++k) f = asperity::step(law, z, {v}, 1e-3);
    std::printf("v %.3f m/s  f %.4f N  g(v) %.4f N\n", v, f, law.limit(v));
  }
}
