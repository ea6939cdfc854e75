// Any bytes as a quantity: a finite number, or a reason.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "asperity/formula/units.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const char* wanted : {"1", "N/m", "m/s", "rad", "N/m^lambda", "N s/m", "kg m^2"}) {
    std::string problem;
    const auto value = asperity::read_quantity(text, wanted, problem, {{"lambda", 1.5}});
    if (value ? !std::isfinite(*value) : problem.empty()) std::abort();
  }
  asperity::is_quantity(text);
  return 0;
}
