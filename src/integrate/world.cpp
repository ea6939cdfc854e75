// Integrators of worlds.
#include "asperity/system/world.hpp"

#include "asperity/integrate/integrator.hpp"

namespace asperity {
namespace {

bool has_rotations(const World& world) {
  bool any = false;
  world.pools().each_body_pool([&](const BodyPool& pool) {
    any = any || (!pool.is_given && pool.count() > 0 && pool.motion_numbers() != 2 * pool.force_numbers());
  });
  return any;
}

template <class S>
std::span<const S> tidy_copy(const Workspace& work, std::span<const S> x, std::vector<S>& copy) {
  copy.assign(x.begin(), x.end());
  work.tidy(std::span<S>(copy));
  return copy;
}

}  // namespace

std::unique_ptr<Integrator> make_integrator(std::string_view method, const World& world, IntegratorOptions options) {
  const auto work = std::make_shared<Workspace>(world, options.kernels);
  if (!options.between_steps) options.between_steps = [work](double t, std::span<double> x) { work->between_steps(t, x); };
  // Adaptive methods try states whose rotations are a little longer or shorter than 1. The rate is that of the rotation itself, so
  // that bringing it back to length 1 between steps disturbs no contact.
  const bool tidied = is_adaptive(method) && has_rotations(world);
  if (!options.jacobian && !options.sparse_jacobian && options.bandwidth < 0 && world.has_derivatives())
    options.sparse_jacobian = [work, tidied] {
      return sparse_jacobian(
          [work, tidied, tidy = std::vector<Dual<8>>()](double t, std::span<const Dual<8>> x, std::span<Dual<8>> xdot) mutable {
            work->rate(t, tidied ? tidy_copy(*work, x, tidy) : x, 0.0, xdot);
          },
          work->world().coupling());
    };
  if (!options.step_model) options.step_model = [&world, kernels = options.kernels] { return step_model_of(world, kernels); };
  if (!options.guard) options.guard = [&world, atol = options.atol] { return guard_of(world, atol); };
  RateFunction rate = [work, tidied, tidy = std::vector<double>()](double t, std::span<const double> x, double tau,
                                                                   std::span<double> xdot) mutable {
    work->rate(t, tidied ? tidy_copy(*work, x, tidy) : x, tau, xdot);
  };
  return make_integrator(method, std::move(rate), std::move(options));
}

}  // namespace asperity
