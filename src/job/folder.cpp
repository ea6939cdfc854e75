#include "folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "asperity/facts/facts.hpp"

namespace asperity::job {
namespace {

namespace fs = std::filesystem;

bool of_a_run(const std::string& name) {
  static const std::vector<std::string> known{"data.csv",     "data.h5",     "data.h5.rows", "scene.toml",
                                              "summary.json", "report.html", "checkpoint",   ".starting"};
  for (const char* unfinished : {".new", ".part", ".partial"})
    if (name.ends_with(unfinished) && (name.starts_with("data.") || name.starts_with("checkpoint.") || name.starts_with("scene.") ||
                                       name.starts_with("summary.") || name.starts_with("report.")))
      return true;
  return std::find(known.begin(), known.end(), name) != known.end();
}

/// Whether a folder can be made there: the nearest one above it that is there decides.
std::vector<std::string> unwritable(const fs::path& path) {
  std::error_code error;
  fs::path there = fs::absolute(path, error).lexically_normal();
  for (fs::file_status status = fs::status(there, error); !fs::is_directory(status); status = fs::status(there, error)) {
    if (fs::exists(status) || (status.type() == fs::file_type::none && error))
      return {fmt::format("{}: cannot write: {}", path.string(),
                          error ? error.message() : fmt::format("{} is not a folder", there.string()))};
    if (!there.has_relative_path()) break;
    there = there.parent_path();
  }
  if (access(there.c_str(), W_OK | X_OK) != 0) return {fmt::format("{}: cannot write: {}", path.string(), std::strerror(errno))};
  return {};
}

}  // namespace

RunFolder::~RunFolder() {
  std::error_code ignored;
  if (starting_) fs::remove_all(path_ / ".starting", ignored);
  if (starting_ && created_) fs::remove(path_, ignored);
  if (lock_ >= 0) close(lock_);
}

std::vector<std::string> RunFolder::objections(const std::string& scene_file) const {
  std::error_code error;
  const fs::file_status status = fs::status(path_, error);
  if (!fs::exists(status)) return unwritable(path_);
  if (!fs::is_directory(status)) return {fmt::format("{}: must be a folder", path_.string())};
  std::vector<std::string> others;
  bool empty = true, ours = false;
  for (const auto& entry : fs::directory_iterator(path_, error)) {
    const std::string name = entry.path().filename().string();
    empty = false;
    if (!of_a_run(name)) others.push_back(name);
    if (name == "summary.json") {
      std::vector<std::string> ignored;
      ours = read_facts(entry.path().string(), ignored).has_value();
    } else if (name == ".starting") {
      ours = true;
    }
  }
  if (error) return {fmt::format("{}: cannot read: {}", path_.string(), error.message())};
  std::sort(others.begin(), others.end());
  if (!others.empty())
    return {fmt::format("{}: holds {}{}, which no run wrote; choose another folder with -o", path_.string(), others.front(),
                        others.size() > 1 ? fmt::format(" and {} more", others.size() - 1) : "")};
  if (!empty && !ours)
    return {fmt::format("{}: is not the folder of a run (no summary.json of one); choose another with -o", path_.string())};
  if (fs::equivalent(fs::absolute(scene_file, error).parent_path(), path_, error))
    return {fmt::format("{}: holds the scene itself; choose another folder with -o", path_.string())};
  return unwritable(path_);
}

std::optional<std::string> RunFolder::prepare() {
  std::error_code error;
  created_ = fs::create_directories(path_, error);
  if (error) return fmt::format("{}: cannot write: {}", path_.string(), error.message());
  if (auto problem = lock()) return problem;
  fs::remove_all(path_ / ".starting", error);
  fs::create_directory(path_ / ".starting", error);
  if (error) return fmt::format("{}: cannot write: {}", path_.string(), error.message());
  starting_ = true;
  return std::nullopt;
}

std::optional<std::string> RunFolder::replace_former() {
  std::error_code error;
  // The facts last: until then the former run's still say whose folder this is.
  for (const auto& entry : fs::directory_iterator(path_, error))
    if (const std::string name = entry.path().filename().string(); of_a_run(name) && name != ".starting" && name != "summary.json")
      fs::remove(entry.path(), error);
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(path_ / ".starting", error)) files.push_back(entry.path());
  if (error) return fmt::format("{}: cannot write: {}", path_.string(), error.message());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    fs::rename(file, path_ / file.filename(), error);
    if (error) return fmt::format("{}: cannot write: {}", (path_ / file.filename()).string(), error.message());
  }
  fs::remove(path_ / ".starting", error);
  starting_ = false;
  return std::nullopt;
}

std::optional<std::string> RunFolder::lock() {
  lock_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ < 0) return fmt::format("{}: cannot read: {}", path_.string(), std::strerror(errno));
  if (flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return fmt::format("{}: another run is writing there", path_.string());
  return std::nullopt;
}

}  // namespace asperity::job
