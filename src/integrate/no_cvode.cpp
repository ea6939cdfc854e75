// Takes the place of cvode.cpp where SUNDIALS is missing.
#include "methods.hpp"

namespace asperity::detail {

const bool has_cvode = false;

std::unique_ptr<Integrator> make_cvode(RateFunction /*rate*/,
                                       IntegratorOptions /*options*/) {  // NOLINT(performance-unnecessary-value-param)
  throw std::invalid_argument(
      "cvode is not built in: it needs SUNDIALS (Debian package libsundials-dev) when asperity is configured");
}

}  // namespace asperity::detail
