#include "identify.hpp"

#include <cmath>
#include <cstdint>
#include <memory>

#include "asperity/friction/single_state.hpp"
#include "asperity/identify/fit.hpp"
#include "asperity/step.hpp"

using namespace asperity::identify;

namespace {

constexpr std::size_t samples = 5000;

/// Three tones of some micrometres.
Samples a_motion() {
  Samples s;
  for (std::size_t k = 0; k < samples; ++k) {
    const double t = 1e-3 * static_cast<double>(k);
    s.t.push_back(t);
    s.step.push_back(k == 0 ? 0 : 1e-3);
    s.velocity.push_back(1e-6 * (1.3 * std::cos(3.1 * t) + 6.2 * std::cos(6.9 * t + 1) * t / 5 + 2.9 * std::cos(19.5 * t)));
    s.position.push_back(k == 0 ? 0 : s.position.back() + 0.5e-3 * (s.velocity[k - 1] + s.velocity[k]));
    s.acceleration.push_back(0);
    s.force.push_back(std::sin(t));
    s.load.push_back(1);
    s.is_usable.push_back(true);
  }
  return s;
}

/// The force of 5000 samples, and its slopes in 16 directions, as a step of a fit needs them.
Contest slopes(const std::string& law, std::size_t directions, double target) {
  struct Work {
    std::unique_ptr<Model> model;
    Samples motion = a_motion();
    std::vector<double> q, f = std::vector<double>(samples), slopes;
    std::vector<Direction> directions;
    double sum() const {
      double all = 0;
      for (const double x : f) all += std::abs(x);
      return all;
    }
  };
  auto work = std::make_shared<Work>();
  work->model = make_model(law);
  for (const Coordinate& c : work->model->coordinates(scales_of(work->motion, rows_between(work->motion, 0, 10)), 10))
    work->q.push_back(c.is_free ? std::sqrt(c.from * c.to) : c.fixed);
  for (std::size_t d = 0; d < directions; ++d) work->directions.push_back({d});
  work->slopes.resize(samples * directions);
  return {"identify " + law + ", slopes in " + std::to_string(directions) + " directions",
          samples,
          false,
          {{"force only",
            [work] {
              work->model->force(work->motion, samples, work->q, work->f);
              return work->sum();
            }},
           {"force and slopes",
            [work] {
              work->model->slopes(work->motion, samples, work->q, work->directions, work->f, work->slopes);
              return work->sum();
            },
            target}},
          50};
}

/// Starting, stopping and turning back like a positioning system, 24 841 samples, with inertia, viscous friction, offset and noise.
Samples a_machine() {
  Samples s;
  asperity::SingleState<> law;
  law.F = 20, law.K = 5e4, law.beta = 0.02;
  auto z = law.start();
  std::uint64_t random = 1;
  for (std::size_t k = 0; k < 24841; ++k) {
    const double t = 1e-3 * static_cast<double>(k);
    const double v = 0.1 * std::tanh(3 * std::sin(1.3 * t)) * (1 + 0.5 * std::sin(0.31 * t));
    random = random * 6364136223846793005u + 1442695040888963407u;
    s.t.push_back(t);
    s.step.push_back(k == 0 ? 0 : 1e-3);
    s.velocity.push_back(v);
    s.position.push_back(k == 0 ? 0 : s.position.back() + 0.5e-3 * (s.velocity[k - 1] + v));
    s.acceleration.push_back(k == 0 ? 0 : (v - s.velocity[k - 1]) / 1e-3);
    s.force.push_back(step(law, z, {v}, 1e-3) + 95 * s.acceleration.back() + 200 * v - 3 +
                      1e-18 * static_cast<double>(random >> 4));
    s.load.push_back(1);
    s.is_usable.push_back(k > 0);
  }
  return s;
}

/// The whole fit with its starts beside one evaluation of what it fits. It counts only if the friction was found.
Contest whole_fit() {
  struct Work {
    std::unique_ptr<Model> model = make_model("single_state");
    Samples samples = a_machine();
    Rows rows = rows_between(samples, 0, 1e9);
    std::vector<double> f = std::vector<double>(samples.size());
  };
  auto work = std::make_shared<Work>();
  return {"identify single_state, 24 841 samples",
          24841,
          false,
          {{"force only",
            [work] {
              work->model->force(work->samples, work->samples.size(), std::vector<double>{20, 5e4, 0.02}, work->f);
              return 20.0;
            }},
           {"whole fit: 49 points, 6 descents",
            [work] {
              FitSettings settings;
              settings.mass.reset();
              settings.viscous = settings.offset = true;
              const double F = fit(*work->model, work->samples, work->rows, settings).q[0];
              return std::abs(F - 20) < 0.1 ? 20.0 : F;
            },
            1000}},
          3};
}

}  // namespace

void identify_contests(const std::function<void(Contest)>& hold) {
  hold(slopes("multistate", 16, 12));
  hold(slopes("gms", 16, 12));
  hold(slopes("lugre", 7, 12));
  hold(whole_fit());
}
