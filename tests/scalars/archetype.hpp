// A scalar that can do just what the dialect of a law allows. Its comparisons are masks, not bool: a branch on a number does not
// compile. Its constructor is explicit: a bare 1.0 does not compile.
#pragma once

#include <cmath>

namespace asperity::testing {

struct ArchetypeMask {
  bool value;  // not convertible to bool: that is the point
  explicit constexpr ArchetypeMask(bool v) : value(v) {}
};

class Archetype {
 public:
  constexpr Archetype() = default;
  explicit constexpr Archetype(double x) : x_(x) {}
  constexpr double number() const { return x_; }

  friend constexpr Archetype operator+(Archetype a, Archetype b) { return Archetype(a.x_ + b.x_); }
  friend constexpr Archetype operator-(Archetype a, Archetype b) { return Archetype(a.x_ - b.x_); }
  friend constexpr Archetype operator*(Archetype a, Archetype b) { return Archetype(a.x_ * b.x_); }
  friend constexpr Archetype operator/(Archetype a, Archetype b) { return Archetype(a.x_ / b.x_); }
  friend constexpr Archetype operator-(Archetype a) { return Archetype(-a.x_); }

  friend constexpr ArchetypeMask operator<(Archetype a, Archetype b) { return ArchetypeMask(a.x_ < b.x_); }
  friend constexpr ArchetypeMask operator>(Archetype a, Archetype b) { return ArchetypeMask(a.x_ > b.x_); }
  friend constexpr ArchetypeMask operator<=(Archetype a, Archetype b) { return ArchetypeMask(a.x_ <= b.x_); }
  friend constexpr ArchetypeMask operator>=(Archetype a, Archetype b) { return ArchetypeMask(a.x_ >= b.x_); }
  friend constexpr ArchetypeMask operator==(Archetype a, Archetype b) { return ArchetypeMask(a.x_ == b.x_); }
  friend constexpr Archetype select(ArchetypeMask m, Archetype a, Archetype b) { return m.value ? a : b; }

  friend Archetype abs(Archetype a) { return Archetype(std::abs(a.x_)); }
  friend Archetype exp(Archetype a) { return Archetype(std::exp(a.x_)); }
  friend Archetype pow(Archetype a, Archetype b) { return Archetype(std::pow(a.x_, b.x_)); }
  friend Archetype sqrt(Archetype a) { return Archetype(std::sqrt(a.x_)); }
  friend Archetype sin(Archetype a) { return Archetype(std::sin(a.x_)); }
  friend Archetype tanh(Archetype a) { return Archetype(std::tanh(a.x_)); }

 private:
  double x_ = 0;
};

}  // namespace asperity::testing
