#include "asperity/csv.hpp"

#include <fmt/format.h>

#include <charconv>

namespace asperity {
namespace {

constexpr std::size_t most_problems = 10;

std::string_view trimmed(std::string_view text) {
  const auto space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && space(text.front())) text.remove_prefix(1);
  while (!text.empty() && space(text.back())) text.remove_suffix(1);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return text;
}

}  // namespace

/// A row ends with its first 0. Text in UTF-16 begins with a byte order mark, or has the 0 after its first letter.
std::string_view CsvRows::why_binary() const noexcept {
  const bool utf16 = text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF") || (number_ == 1 && text_.size() == 2);
  return utf16 ? "a byte 0: must be text; a table saved as UTF-16 has to be saved as UTF-8"
               : "a byte 0: must be text; this is a file of another kind, or a damaged one";
}

std::optional<double> parse_number(std::string_view text) {
  text = trimmed(text);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// As std::getline, but no farther than a byte 0 or the longest line: a device has no end.
bool CsvRows::read_line() {
  if (!file_ || too_long()) return false;
  text_.clear();
  try {
    for (;;) {
      const int c = file_.rdbuf()->sbumpc();
      if (c == std::ifstream::traits_type::eof()) {
        file_.setstate(text_.empty() ? std::ios::eofbit | std::ios::failbit : std::ios::eofbit);
        return !text_.empty();
      }
      if (c == '\n') return true;
      text_ += static_cast<char>(c);
      if (c == 0) return true;
      if (too_long()) return false;
    }
  } catch (const std::ios::failure&) {
    file_.setstate(std::ios::badbit);
    return false;
  }
}

bool CsvRows::next() {
  while (read_line()) {
    ++number_;
    std::string_view line = text_;
    if (number_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);  // byte order mark
    if (trimmed(line).empty() || trimmed(line).front() == '#') continue;
    cells_.clear();
    // The first row tells: commas, or else tabs.
    if (separator_ == 0)
      separator_ = line.find(',') == std::string_view::npos && line.find('\t') != std::string_view::npos ? '\t' : ',';
    for (std::size_t begin = 0;;) {
      const std::size_t comma = line.find(separator_, begin);
      cells_.push_back(trimmed(line.substr(begin, comma - begin)));
      if (comma == std::string_view::npos) return true;
      begin = comma + 1;
    }
  }
  return false;
}

void CsvProblems::add(std::size_t line, const std::string& text) {
  if (++count_ <= most_problems) problems_.push_back(fmt::format("{}:{}: {}", path_, line, text));
}

void CsvProblems::add(const std::string& text) {
  if (++count_ <= most_problems) problems_.push_back(fmt::format("{}: {}", path_, text));
}

std::size_t CsvProblems::close() {
  if (count_ > most_problems) problems_.push_back(fmt::format("{}: {} more problems", path_, count_ - most_problems));
  return count_;
}

}  // namespace asperity
