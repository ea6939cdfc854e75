// Results of neighbouring points as a file that is whole or does not count.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "asperity/study/study.hpp"

namespace asperity::study {

struct Chunk {
  std::uint64_t identity = 0;  // of the plan
  std::uint64_t number = 0;
  std::vector<Result> results{};
};

/// The problem, if there is one.
std::optional<std::string> write_chunk(const std::string& path, const Chunk& chunk);
/// Nothing if there is no such file, if it was cut off or changed, or if it is of another study.
std::optional<Chunk> read_chunk(const std::string& path, std::uint64_t identity, std::uint64_t number);

}  // namespace asperity::study
