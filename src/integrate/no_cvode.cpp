// Takes the place of cvode.cpp where SUNDIALS is missing.
#include "methods.hpp"

namespace asperity::detail {

const bool has_cvode = false;

// NOLINTNEXTLINE(performance-unnecessary-value-param): the signature is that of cvode.cpp
std::unique_ptr<Integrator> make_cvode(RateFunction, IntegratorOptions) {
  throw std::invalid_argument(
      "cvode is not built in: it needs SUNDIALS (Debian package libsundials-dev) when asperity is configured");
}

}  // namespace asperity::detail
