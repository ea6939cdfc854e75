// Which version this is.
#pragma once

#include <string_view>

namespace asperity {

/// Of this library: "0.2.0".
std::string_view version() noexcept;

}  // namespace asperity
