// A file that appears whole or not at all.
#pragma once

#include <fstream>
#include <optional>
#include <string>

namespace asperity::files {

/// Written beside its place and moved there by commit(); without commit() nothing is left. Devices are written to directly.
class OutputFile {
 public:
  OutputFile() = default;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  /// These say what went wrong: "out/x.csv: cannot write: No such file or directory".
  std::optional<std::string> open(const std::string& path);
  std::optional<std::string> commit();

  std::ostream& stream() { return stream_; }
  const std::string& path() const { return path_; }

 private:
  std::string failure() const;

  std::string path_, temporary_;
  std::ofstream stream_;
};

}  // namespace asperity::files
