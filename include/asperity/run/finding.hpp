// What a run found out about its own numbers.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace asperity {

struct Finding {
  enum class Severity : std::uint8_t {
    remark,  // good to know, no reason to doubt the numbers
    note,    // the numbers are doubtful
    failure  // they are wrong: the run has failed
  };
  enum class Kind : std::uint8_t {
    energy,       // the energy account does not close
    dissipation,  // a passive element gave out energy
    error,        // the local errors of the steps add up
    missed,       // a contact closed and opened within one step
    depth,        // a contact was compressed as far as its bodies are thick
    fall,         // a body fell past everything
    verify        // a run with half the step differs
  };
  Severity severity{};
  Kind kind{};
  std::string component;        // empty: the whole run
  double value = 0, limit = 0;  // what was found, and what is tolerated
  std::string text;             // one line: what is wrong, by how much, what to do
};
/// All of them, in the order of their numbers.
inline constexpr std::array finding_kinds{Finding::Kind::energy, Finding::Kind::dissipation, Finding::Kind::error,
                                          Finding::Kind::missed, Finding::Kind::depth,       Finding::Kind::fall,
                                          Finding::Kind::verify};
std::string_view to_text(Finding::Severity severity) noexcept;
std::string_view to_text(Finding::Kind kind) noexcept;

/// What findings make of a run.
enum class Verdict : std::uint8_t { fine, doubtful, failed };
std::string_view to_text(Verdict verdict) noexcept;
Verdict verdict_of(std::span<const Finding> findings) noexcept;

namespace detail {
/// In place of advice where the run has stopped: what to do about that is said there, and may be the contrary.
inline constexpr std::string_view until_it_stopped = "that is up to where it stopped";
}  // namespace detail

}  // namespace asperity
