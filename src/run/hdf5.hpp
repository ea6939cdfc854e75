// The part of table.hpp that needs HDF5.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "asperity/run/table.hpp"

namespace asperity::detail {

std::optional<Table> read_hdf5(const std::string& path, std::uint64_t most_numbers, std::vector<std::string>& problems);

}  // namespace asperity::detail
