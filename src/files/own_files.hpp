// Files that a command leaves in a folder of the user's.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace asperity::files {

/// A list beside the files, `.asperity`, says which ones a command wrote, and their checksums: only what is on it, and has not been
/// changed since, is replaced.
class OwnFiles {
 public:
  explicit OwnFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Why files of these names may not be written. Writes nothing.
  std::vector<std::string> objections(const std::vector<std::string>& names) const;
  /// Names and texts; the problem, if there is one.
  std::optional<std::string> write(const std::vector<std::pair<std::string, std::string>>& files) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace asperity::files
