// A fingertip on a plate, in the plane of the plate: pressed, dragged round a quarter circle, lifted.
//   N   = K max(0, e - beta (gap + e)/alpha)        the normal law: linear compliance
//   f_t = K2 sat(mu N/K2, a + beta2 v)              the tangential law: single state, its load is N
// Once it slides, |f_t| = mu N and f_t follows v, three degrees behind: the asperity has to turn. Lifted, both forces vanish.
#include <asperity/laws.hpp>
#include <cmath>
#include <cstdio>

using Contact = asperity::FrictionalContact<asperity::LinearCompliance<>, asperity::SingleState<double, 2>>;

int main() {
  Contact law;
  law.normal.K = 2e4;      // N/m
  law.tangential.F = 0.5;  // mu
  law.tangential.K = 1e4;  // N/m
  auto z = law.start();

  const double h = 1e-3;
  const auto drag = [](double t) {
    const double angle = 1.5707963267948966 * t / 0.3;
    return asperity::Vec<double, 2>{{0.02 * std::cos(angle), 0.02 * std::sin(angle)}};
  };
  for (int k = 0; k <= 300; ++k) {
    const auto v = drag(k * h);
    const auto f = asperity::step(law, z, {-2e-4, 0.0, v}, h);  // pressed 0.2 mm
    if (k % 100 == 0)
      std::printf("t %.1f s  N %.4f N  f_t (%+.4f, %+.4f) N  |f_t|/N %.4f  along v %.4f N\n", k * h, f.normal, f.tangential[0],
                  f.tangential[1], asperity::magnitude(f.tangential) / f.normal,
                  asperity::dot(f.tangential, v) / asperity::magnitude(v));
  }
  const auto f = asperity::step(law, z, {1e-3, 0.0, drag(0.3)}, h);  // open 1 mm
  std::printf("lifted   N %.4f N  |f_t| %.4f N\n", f.normal, asperity::magnitude(f.tangential));
}
