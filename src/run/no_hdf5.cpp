#include <stdexcept>

#include "asperity/run/sink.hpp"
#include "hdf5.hpp"

namespace asperity {

bool has_hdf5() noexcept { return false; }

std::shared_ptr<Sink> make_hdf5_sink(std::string path, std::string, std::string) {
  throw std::runtime_error(path + ": HDF5 is not built in (package libhdf5-dev)");
}

std::optional<Table> detail::read_hdf5(const std::string& path, std::uint64_t, std::vector<std::string>& problems) {
  problems.push_back(path + ": cannot read: HDF5 is not built in (package libhdf5-dev)");
  return std::nullopt;
}

}  // namespace asperity
