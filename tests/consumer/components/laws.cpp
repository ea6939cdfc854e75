// The estimator for control loops needs no more than the laws.
#include <asperity/identify/online.hpp>
#include <asperity/laws.hpp>

int main() {
  asperity::SingleState<> law;
  auto z = law.start();
  double f = 0;
  for (int k = 0; k < 1000; ++k) f = asperity::step(law, z, {0.1}, 1e-3);
  return f == law.F ? 0 : 1;
}
