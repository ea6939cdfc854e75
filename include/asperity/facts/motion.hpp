// What each body does at the end of a run against what it is in contact with, as one word and the numbers behind it: "held",
// "rests", "creeps", "slides", "bounces". Judged by what the run recorded, by its events and by what the laws say of themselves.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/run/table.hpp"
#include "asperity/scene/scene.hpp"

namespace asperity {

/// A body and its counterpart: another body, or the ground. Bodies with a prescribed motion are a counterpart only.
struct BodyMotion {
  enum class Kind : std::uint8_t {
    held,          // friction carries a load, and nothing slips
    rests,         // in contact, without a load on its friction
    creeps,        // moves steadily below the limit of its friction
    slides,        // moves at the limit of its friction, or without friction
    sticks_slips,  // again and again
    rolls,         // moves, its contact does not
    oscillates,    // moves back and forth by more than friction deflects
    moves,         // none of these
    bounces,       // impacts, and then open
    released       // open, without an impact
  };
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  std::string body{}, against{};  // names
  std::string by{};               // the elements between them: "floor", "left, right"
  Kind kind{};
  double since = 0, until = 0;   // s, the time that was judged
  double moved = unknown;        // in this time; what goes back and forth does not count
  std::string unit = "m";        // of `moved`; "rad" of a body that turns
  double range = unknown;        // all that it moved in this time, back and forth
  double speed = unknown;        // per second; of the contact of a body that slides, else of the body
  double before = unknown;       // how far it had got until `since`
  double deflection = 0;         // of its friction at the limit
  double load = unknown;         // the largest share of the limit of its friction
  double period = unknown;       // s, of stick-slip
  std::uint64_t impacts = 0;     // of the whole run
  double restitution = unknown;  // of the fastest impact
  double least_restitution = unknown, most_restitution = unknown;
};
std::string_view to_text(BodyMotion::Kind kind) noexcept;
/// "block: held by floor: moved 3e-19 m in 58 s while loaded to 95 % of its limit"
std::string to_text(const BodyMotion& motion);

/// Of a run and the rows that it recorded. A pair without a friction law or a contact, and a pair that never touched, is left out;
/// so is one whose positions were not recorded, if its events do not decide. At most 500 pairs; `left_out` counts the others.
std::vector<BodyMotion> motions_of(const Scene& scene, const Run& run, const Table& rows, std::size_t& left_out);

}  // namespace asperity
