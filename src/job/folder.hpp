// The folder of a run: data, resolved scene, facts, report, and while it is not finished a checkpoint.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace asperity::job {

class RunFolder {
 public:
  explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  ~RunFolder();

  /// Why a new run may not take this folder: it holds something else than the files of a former run, or the scene itself. Writes
  /// nothing.
  std::vector<std::string> objections(const std::string& scene_file) const;

  /// Makes the folder, if need be, and a place in it where a new run starts. The former run stays as it is.
  std::optional<std::string> prepare();
  /// The new run has begun well: its files take the place of the former's.
  std::optional<std::string> replace_former();
  /// Nobody else may write here while this process lives.
  std::optional<std::string> lock();

  const std::filesystem::path& path() const noexcept { return path_; }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  /// Where a file is until the new run has begun well.
  std::string starting(const std::string& name) const { return (path_ / ".starting" / name).string(); }

 private:
  std::filesystem::path path_;
  bool starting_ = false, created_ = false;
  int lock_ = -1;
};

}  // namespace asperity::job
