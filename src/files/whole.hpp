// A file as one text.
#pragma once

#include <optional>
#include <string>

namespace asperity::files {

/// All at once or not at all; the problem, if there is one.
std::optional<std::string> write_whole(const std::string& path, const std::string& text);
/// With those above it; the problem, if there is one.
std::optional<std::string> make_folder(const std::string& path);
std::optional<std::string> read_whole(const std::string& path, std::string& text);

}  // namespace asperity::files
