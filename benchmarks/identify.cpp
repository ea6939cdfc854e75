#include "identify.hpp"

#include <cmath>
#include <memory>

#include "asperity/identify/fit.hpp"

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

}  // namespace

void identify_contests(const std::function<void(Contest)>& hold) {
  hold(slopes("multistate", 16, 12));
  hold(slopes("gms", 16, 0));  // its switches and quotients are dear in dual numbers
  hold(slopes("lugre", 7, 12));
}
