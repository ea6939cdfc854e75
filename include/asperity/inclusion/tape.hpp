// Many formulas as one program: a list of operations on a list of numbers. What several formulas share is worked out once, and
// nothing is moved about between them. Each operation is that of Formula, so that the numbers are the same to the last bit.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "asperity/formula/formula.hpp"

namespace asperity {

class Tape {
 public:
  /// The first numbers, in their order.
  explicit Tape(std::vector<std::string> names = {});

  /// Adds what a formula of these names needs; returns the place of its value.
  std::uint32_t add(const Formula& formula);
  /// Operations so far.
  std::size_t size() const noexcept { return steps_.size(); }

  /// Room for all numbers, with the constants in place.
  template <class S>
  std::vector<S> numbers() const;
  /// Works out the operations from `from` until before `to`.
  template <class S>
  void run(std::size_t from, std::size_t to, S* numbers) const;

  /// How a value changes with each of the first numbers that it depends on; back from it through the operations that make it.
  std::vector<std::pair<std::uint32_t, double>> gradient(std::uint32_t value, const double* numbers) const;

 private:
  struct Step {
    Op op;
    std::uint32_t to, a, b, c;
  };
  std::uint32_t place_of(const Node& node);
  std::uint32_t constant(double value);
  std::uint32_t operation(Op op, std::uint32_t a, std::uint32_t b, std::uint32_t c);

  std::vector<Step> steps_;
  std::vector<std::pair<std::uint32_t, double>> constants_;
  std::uint32_t first_numbers_ = 0, count_ = 0;  // those with names, all
  std::map<std::string, std::uint32_t> places_;
  std::map<std::uint64_t, std::uint32_t> known_constants_;  // by their bits
  std::map<std::uint32_t, double> value_of_constant_;
  std::map<std::tuple<Op, std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> known_;
};

}  // namespace asperity
