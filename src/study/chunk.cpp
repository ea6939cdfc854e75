#include "chunk.hpp"

#include <cstring>

#include "files/whole.hpp"

namespace asperity::study {
namespace {

constexpr std::string_view signature = "asperity study chunk 1\n";

std::uint64_t checksum(std::string_view text) {
  std::uint64_t sum = 14695981039346656037U;  // FNV-1a
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return sum;
}

template <class T>
void put(std::string& text, const T& value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  text.append(bytes, sizeof(T));
}

/// Reads one value after the other; fails for good at the end of the text.
struct Cursor {
  std::string_view rest;
  bool good = true;

  template <class T>
  T take() {
    T value{};
    if (rest.size() < sizeof(T)) return good = false, value;
    std::memcpy(&value, rest.data(), sizeof(T));
    rest.remove_prefix(sizeof(T));
    return value;
  }
  std::string text(std::uint64_t size) {
    if (rest.size() < size) return good = false, "";
    std::string found(rest.substr(0, size));
    rest.remove_prefix(size);
    return found;
  }
};

}  // namespace

std::optional<std::string> write_chunk(const std::string& path, const Chunk& chunk) {
  std::string text(signature);
  put(text, chunk.identity);
  put(text, chunk.number);
  put(text, std::uint64_t(chunk.results.size()));
  put(text, std::uint64_t(chunk.results.empty() ? 0 : chunk.results.front().measures.size()));
  for (const Result& result : chunk.results) {
    put(text, std::uint8_t(result.trust));
    for (const double measure : result.measures) put(text, measure);
    put(text, std::uint32_t(result.problem.size()));
    text += result.problem;
  }
  put(text, checksum(text));
  return files::write_whole(path, text);
}

std::optional<Chunk> read_chunk(const std::string& path, std::uint64_t identity, std::uint64_t number) {
  std::string text;
  if (files::read_whole(path, text) || text.size() < signature.size() + sizeof(std::uint64_t)) return std::nullopt;
  Cursor end{std::string_view(text).substr(text.size() - sizeof(std::uint64_t))};
  const std::string_view body = std::string_view(text).substr(0, text.size() - sizeof(std::uint64_t));
  if (!body.starts_with(signature) || end.take<std::uint64_t>() != checksum(body)) return std::nullopt;
  Cursor from{body.substr(signature.size())};
  Chunk chunk;
  chunk.identity = from.take<std::uint64_t>();
  chunk.number = from.take<std::uint64_t>();
  const auto rows = from.take<std::uint64_t>(), measures = from.take<std::uint64_t>();
  if (!from.good || chunk.identity != identity || chunk.number != number || rows > body.size() || measures > body.size())
    return std::nullopt;
  chunk.results.resize(rows);
  for (Result& result : chunk.results) {
    const auto trust = from.take<std::uint8_t>();
    if (trust >= trust_levels) return std::nullopt;
    result.trust = Trust(trust);
    result.measures.resize(measures);
    for (double& measure : result.measures) measure = from.take<double>();
    result.problem = from.text(from.take<std::uint32_t>());
    if (!from.good) return std::nullopt;
  }
  return from.rest.empty() ? std::optional(std::move(chunk)) : std::nullopt;
}

}  // namespace asperity::study
