// f = K sat(F/K, a + b v), adot = (f/K - a)/b, b = beta + h: friction at 1 kHz while a hand moves back and forth.
#include <asperity/laws.hpp>
#include <cmath>
#include <cstdio>

int main() {
  asperity::SingleState<> law;
  law.F = 2.0;  // N, sliding friction
  law.K = 5e3;  // N/m, stiffness before it slides
  auto z = law.start();
  for (int k = 1; k <= 1000; ++k) {
    const double v = 0.01 * std::cos(6.283185307179586 * k * 1e-3);  // m/s
    const double f = asperity::step(law, z, {v}, 1e-3);              // N
    if (k % 100 == 0) std::printf("t %.1f s  v %+.4f m/s  f %+.4f N\n", k * 1e-3, v, f);
  }
}
