#include "whole.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "output_file.hpp"

namespace asperity::files {

namespace fs = std::filesystem;

std::optional<std::string> write_whole(const std::string& path, const std::string& text) {
  OutputFile file;
  if (auto problem = file.open(path)) return problem;
  file.stream() << text;
  return file.commit();
}

std::optional<std::string> make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error) return std::nullopt;
  return fmt::format("{}: cannot write: {}", path, error.message());
}

std::optional<std::string> read_whole(const std::string& path, std::string& text) {
  const auto problem = [&](const std::string& why) { return fmt::format("{}: cannot read: {}", path, why); };
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) return problem("is a folder");
  if (fs::is_fifo(status) || fs::is_socket(status)) return problem("is not a plain file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return problem(std::strerror(errno));
  text.assign(std::istreambuf_iterator<char>(file), {});
  if (file.bad()) return problem(errno ? std::strerror(errno) : "the input failed");
  return std::nullopt;
}

}  // namespace asperity::files
