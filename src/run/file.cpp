#include "file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace asperity::detail {

std::string reason_of(int error) { return error != 0 ? std::strerror(error) : "the output failed"; }

std::string why_unreadable(const std::string& path) {
  struct stat about {};
  if (stat(path.c_str(), &about) != 0) return reason_of(errno);
  if (S_ISDIR(about.st_mode)) return "is a folder";
  return access(path.c_str(), R_OK) == 0 ? "" : reason_of(errno);
}

OutFile::~OutFile() {
  if (file_ >= 0) ::close(file_);
}

void OutFile::fail(int error) {
  failed_ = error != 0 ? error : EIO;
  if (error == ELOOP)
    throw std::runtime_error(
        fmt::format("{}: cannot be written: it is a symbolic link; a run writes only files of its own", path_));
  throw std::runtime_error(fmt::format("{}: cannot be written: {}", path_, reason_of(error)));
}

void OutFile::open(const std::string& path, int flags) {
  if (file_ >= 0) ::close(std::exchange(file_, -1));
  path_ = path;
  failed_ = 0;
  file_ = ::open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC | flags, 0666);
  if (file_ < 0) fail(errno);
}

void OutFile::create(const std::string& path) { open(path, O_CREAT | O_TRUNC); }

void OutFile::replace(const std::string& path) {
  unlink(path.c_str());
  open(path, O_CREAT | O_EXCL);
}

void OutFile::continue_after(const std::string& path, std::uint64_t size) {
  open(path, O_NONBLOCK);  // a pipe is refused instead of waited for
  struct stat about {};
  if (fstat(file_, &about) != 0) fail(errno);
  if (!S_ISREG(about.st_mode)) throw std::runtime_error(path + ": cannot be written: it is not a plain file");
  const auto end = static_cast<off_t>(size);
  if (ftruncate(file_, end) != 0 || lseek(file_, end, SEEK_SET) != end) fail(errno);
}

void OutFile::write(std::string_view bytes) {
  if (failed_ != 0) fail(failed_);
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail(written < 0 ? errno : 0);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void OutFile::close() {
  if (file_ >= 0 && ::close(std::exchange(file_, -1)) != 0) fail(errno);
}

}  // namespace asperity::detail
