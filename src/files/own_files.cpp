#include "own_files.hpp"

#include <fmt/format.h>

#include <map>
#include <sstream>

#include "whole.hpp"

namespace asperity::files {
namespace {

namespace fs = std::filesystem;

constexpr const char* list_name = ".asperity";

/// FNV-1a.
std::string checksum(const std::string& text) {
  std::uint64_t sum = 14695981039346656037U;
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return fmt::format("{:016x}", sum);
}

/// Lines of a checksum and a name.
std::map<std::string, std::string> read_list(const fs::path& folder) {
  std::map<std::string, std::string> list;
  std::string text;
  if (read_whole((folder / list_name).string(), text)) return list;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.size() > 17) list[line.substr(17)] = line.substr(0, 16);
  return list;
}

}  // namespace

std::vector<std::string> OwnFiles::objections(const std::vector<std::string>& names) const {
  std::vector<std::string> problems;
  std::error_code error;
  const fs::file_status status = fs::status(folder_, error);
  if (fs::exists(status) && !fs::is_directory(status)) return {fmt::format("{}: must be a folder", folder_.string())};
  const auto list = read_list(folder_);
  for (const std::string& name : names) {
    const fs::path path = folder_ / name;
    if (!fs::exists(fs::symlink_status(path, error))) continue;
    std::string text;
    const auto entry = list.find(name);
    const bool readable = fs::is_regular_file(fs::symlink_status(path, error)) && !read_whole(path.string(), text);
    if (entry == list.end() || !readable)
      problems.push_back(
          fmt::format("{}: is there already, and no run of this command wrote it; choose another folder with -o", path.string()));
    else if (checksum(text) != entry->second)
      problems.push_back(
          fmt::format("{}: was changed since it was written; move it, or choose another folder with -o", path.string()));
  }
  return problems;
}

std::optional<std::string> OwnFiles::write(const std::vector<std::pair<std::string, std::string>>& files) const {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) return fmt::format("{}: cannot write: {}", folder_.string(), error.message());
  auto list = read_list(folder_);
  for (const auto& [name, text] : files) list[name] = checksum(text);
  std::string lines;
  for (const auto& [name, sum] : list) lines += fmt::format("{} {}\n", sum, name);
  for (const auto& [name, text] : files)
    if (auto problem = write_whole((folder_ / name).string(), text)) return problem;
  return write_whole((folder_ / list_name).string(), lines);
}

}  // namespace asperity::files
