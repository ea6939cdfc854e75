// Files that a run writes: symbolic links are not followed, and what went wrong is said with its reason.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace asperity::detail {

/// FNV-1a, 64 bits: notices damage, not intent.
class Checksum {
 public:
  void add(std::string_view bytes) noexcept {
    for (const char c : bytes) sum_ = (sum_ ^ static_cast<unsigned char>(c)) * 1099511628211U;
  }
  std::uint64_t value() const noexcept { return sum_; }

 private:
  std::uint64_t sum_ = 14695981039346656037U;
};

[[noreturn]] inline void refuse(const std::string& path, const std::string& what) { throw std::runtime_error(path + ": " + what); }

/// Every member throws std::runtime_error: "out/data.csv: cannot be written: No space left on device".
class OutFile {
 public:
  OutFile() = default;
  OutFile(const OutFile&) = delete;
  OutFile& operator=(const OutFile&) = delete;
  ~OutFile();

  /// A new file, or one that is emptied.
  void create(const std::string& path);
  /// A new file; one that is there, or a link, is removed first.
  void replace(const std::string& path);
  /// Keeps so many bytes of a file and drops the rest.
  void continue_after(const std::string& path, std::uint64_t size);
  /// The file was moved: messages name it so from now on.
  void moved_to(const std::string& path) { path_ = path; }
  void write(std::string_view bytes);
  void close();

 private:
  void open(const std::string& path, int flags);
  [[noreturn]] void fail(int error);

  std::string path_;
  int file_ = -1;
  int failed_ = 0;  // errno: a file with a hole in it is not written on
};

/// The reason of the last failed call, in words.
std::string reason_of(int error);

/// Of a file that is to be read: nothing if it can be, else the reason.
std::string why_unreadable(const std::string& path);

}  // namespace asperity::detail
