#include "mpi.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

namespace asperity::cli {

std::unique_ptr<Mpi> Mpi::join(std::string& why) {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::path folder = fs::read_symlink("/proc/self/exe", none).parent_path();
  // Beside the program in a build; in a library folder once it is installed.
  for (const fs::path& path :
       {folder / "asperity_mpi.so", folder.parent_path() / ASPERITY_LIBRARY_FOLDER / "asperity/asperity_mpi.so"}) {
    if (!fs::exists(path, none)) continue;
    // OpenMPI loads parts of its own, which look for its symbols.
    void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    const auto entry = module ? reinterpret_cast<MpiEntry>(dlsym(module, mpi_entry)) : nullptr;
    if (entry) return std::unique_ptr<Mpi>(entry(why));
    why = fmt::format("{}: cannot be loaded: {}", path.string(), dlerror());
    return nullptr;
  }
  why = "this program was built without MPI; install it (`tools/install-deps cluster`) and build again, or use --shard";
  return nullptr;
}

}  // namespace asperity::cli
