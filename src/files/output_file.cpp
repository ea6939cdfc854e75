#include "output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace asperity::files {

namespace fs = std::filesystem;

OutputFile::~OutputFile() {
  if (temporary_.empty()) return;
  stream_.close();
  std::error_code ignored;
  fs::remove(temporary_, ignored);
}

std::optional<std::string> OutputFile::open(const std::string& path) {
  path_ = path;
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (path.empty()) return "the name of the file is missing";
  if (fs::is_directory(status)) return fmt::format("{}: cannot write: is a folder", path);
  const bool beside = !fs::exists(status) || fs::is_regular_file(status);
  errno = 0;
  if (beside && fs::exists(status) && access(path.c_str(), W_OK) != 0) return failure();
  const std::string target = beside ? fmt::format("{}.{}.partial", path, getpid()) : path;
  if (beside) {
    // A file of its own, not what a link of this name leads to.
    fs::remove(target, ignored);
    const int made = ::open(target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (made < 0) return failure();
    close(made);
    temporary_ = target;
  }
  stream_.open(target, std::ios::binary | std::ios::trunc);
  if (!stream_) return failure();
  return std::nullopt;
}

std::optional<std::string> OutputFile::commit() {
  if (stream_) errno = 0;  // otherwise it says what went wrong before
  stream_.close();
  if (!stream_) return failure();
  if (temporary_.empty()) return std::nullopt;
  std::error_code error;
  fs::rename(temporary_, path_, error);
  if (error) return fmt::format("{}: cannot write: {}", path_, error.message());
  temporary_.clear();
  return std::nullopt;
}

std::string OutputFile::failure() const {
  return fmt::format("{}: cannot write: {}", path_, errno ? std::strerror(errno) : "the output failed");
}

}  // namespace asperity::files
