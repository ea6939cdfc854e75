// A sliding force that was made with F = 2 N is explained with F = 2 N.
#include <asperity/identify/fit.hpp>
#include <asperity/identify/model.hpp>
#include <asperity/laws.hpp>
#include <cmath>

int main() {
  using namespace asperity;
  using namespace asperity::identify;
  SingleState<> law;
  law.F = 2, law.K = 4e5, law.beta = 2e-3;
  auto z = law.start();
  Samples s;
  double position = 0;
  for (int k = 0; k < 2000; ++k) {
    const double t = k * 1e-3, v = 0.01 * std::cos(6 * t);
    s.t.push_back(t), s.step.push_back(k == 0 ? 0 : 1e-3), s.position.push_back(position += k == 0 ? 0 : 1e-3 * v);
    s.velocity.push_back(v), s.acceleration.push_back(-0.06 * std::sin(6 * t)), s.force.push_back(step(law, z, {v}, 1e-3));
    s.load.push_back(1), s.is_usable.push_back(1);
  }
  const auto model = make_model("single_state");
  FitSettings settings;
  const Fit found = fit(*model, s, rows_between(s, 0, 2), settings);
  const auto predicted = predicted_force(*model, found, s, s.size());
  return rms_residual(s, predicted, rows_between(s, 0, 2)) < 0.02 ? 0 : 1;
}
