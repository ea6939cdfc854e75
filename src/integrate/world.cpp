// Integrators of worlds.
#include "asperity/system/world.hpp"

#include "asperity/integrate/integrator.hpp"

namespace asperity {

std::unique_ptr<Integrator> make_integrator(std::string_view method, const World& world, IntegratorOptions options) {
  const auto work = std::make_shared<Workspace>(world, options.kernels);
  if (!options.between_steps) options.between_steps = [work](double t, std::span<double> x) { work->between_steps(t, x); };
  if (!options.jacobian && !options.sparse_jacobian && options.bandwidth < 0 && world.has_derivatives())
    options.sparse_jacobian = [work] {
      return sparse_jacobian([work](double t, std::span<const Dual<8>> x, std::span<Dual<8>> xdot) { work->rate(t, x, 0.0, xdot); },
                             work->world().coupling());
    };
  if (!options.step_model) options.step_model = [&world, kernels = options.kernels] { return step_model_of(world, kernels); };
  if (!options.guard) options.guard = [&world, atol = options.atol] { return guard_of(world, atol); };
  return make_integrator(method, RateFunction([work](double t, std::span<const double> x, double tau, std::span<double> xdot) {
                           work->rate(t, x, tau, xdot);
                         }),
                         std::move(options));
}

}  // namespace asperity
