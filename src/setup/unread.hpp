// Checks for runs whose warnings nobody reads.
#pragma once

namespace asperity {

/// While one of these lives, check() on its thread looks only for what a run itself asks its warnings: what prevents it, jumps,
/// and, where no energy is known, unstable steps. Strict checks are not changed. For the points of a study, in whose table is what
/// a run finds of itself, not what was expected of it.
class WarningsUnread {
 public:
  WarningsUnread() noexcept;
  ~WarningsUnread();
  WarningsUnread(const WarningsUnread&) = delete;
  WarningsUnread& operator=(const WarningsUnread&) = delete;
  static bool in_effect() noexcept;
};

}  // namespace asperity
