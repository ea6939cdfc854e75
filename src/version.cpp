#include "asperity/version.hpp"

namespace asperity {

std::string_view version() noexcept { return ASPERITY_VERSION; }

}  // namespace asperity
