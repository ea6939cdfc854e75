// How the force at the end of a motion depends on the parameters: the law runs on dual numbers (ceres::Jet), and the
// derivatives come out beside the force. The presliding loop of a single state, v = A w cos(w t):
//   stuck     f = K A sin(w t) + ...    df/dK > 0, df/dF = 0
//   sliding   f = F                     df/dK = 0, df/dF = 1
#include <ceres/jet.h>

#include <asperity/laws.hpp>
#include <cmath>
#include <cstdio>

using Dual = ceres::Jet<double, 2>;  // value, d/dF, d/dK

int main() {
  asperity::SingleState<Dual> law;
  law.F = Dual(1.0, 0);
  law.K = Dual(1e4, 1);
  for (const double amplitude : {5e-5, 5e-4}) {
    auto z = law.start();
    Dual f;
    for (int k = 0; k <= 250; ++k) {
      const double w = 6.283185307179586;
      f = asperity::step(law, z, {Dual(amplitude * w * std::cos(w * k * 1e-3))}, Dual(1e-3));
      if (k == 200) std::printf("A %.0f um  f %.4f N  df/dF %.4f  df/dK %.4g m\n", amplitude * 1e6, f.a, f.v[0], f.v[1]);
    }
  }
}
