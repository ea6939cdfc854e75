// Reading typed values out of the tables of a scene: every number, formula and text goes through here, is checked against the table
// of keys, and is written down as it was understood.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "asperity/formula/formula.hpp"
#include "asperity/formula/outline.hpp"
#include "asperity/parameters.hpp"
#include "asperity/scene/scene.hpp"
#include "keys.hpp"
#include "value.hpp"

namespace asperity::scene {

/// All that is wrong, in one list.
class Problems {
 public:
  Problems(std::string file, const std::vector<std::string>& settings) : file_(std::move(file)), settings_(settings) {}

  void add(const Origin& origin, std::string text);
  std::size_t count() const noexcept { return list_.size() + more_; }
  bool full() const noexcept { return list_.size() >= most; }
  /// By line, the command line first.
  std::vector<SceneProblem> sorted() const;

 private:
  static constexpr std::size_t most = 200;
  std::string file_;
  const std::vector<std::string>& settings_;
  std::vector<SceneProblem> list_;
  std::size_t more_ = 0;
};

/// "; did you mean step?", or what is known if that is a short list.
std::string hint(std::string_view name, const std::vector<std::string>& known);

/// Names of numbers of the motion that a formula may have: "block.velocity".
class MotionNames {
 public:
  virtual ~MotionNames() = default;
  /// Nothing, and why, if there is no such number.
  virtual std::optional<Sensed> find(const std::string& name, std::string& why) const = 0;
};

/// A number that may depend on time, and, where names of the motion were allowed, on that.
class Course {
 public:
  explicit Course(double value) : value_(value) {}
  explicit Course(Formula formula) : formula_(std::move(formula)) {}

  bool is_constant() const noexcept { return !formula_; }
  template <class S>
  S at(const S& t) const {
    return formula_ ? formula_->value<S>(std::span<const S>(&t, 1)) : S(value_);
  }
  /// The formula if it depends on the motion, which it can then not be asked for by at().
  const Formula* of_motion() const noexcept {
    return formula_ && (formula_->names().size() > 1 || formula_->names().front() != "t") ? &*formula_ : nullptr;
  }
  Outline outline() const { return formula_ ? outline_of(*formula_) : Outline{}; }
  Value written() const { return formula_ ? Value(formula_->text()) : Value(value_); }

 private:
  double value_ = 0;
  std::optional<Formula> formula_;
};

/// An element with stiffness = "rigid".
struct RigidElement {
  std::string name;
  double held = 0;  // m or rad
  Origin origin;
  std::map<std::string, std::string> laws{};  // of its parts: "normal", "friction", or "" of a law that is one
  std::vector<Parameter> parameters{};        // "K", "normal.alpha"
  std::vector<std::string> open{};            // those of them that are to be chosen
};
/// A parameter that was chosen, and why, by "floor.normal.K".
struct ChosenParameter {
  std::vector<double> values;
  std::string why;
};
using ChosenParameters = std::map<std::string, ChosenParameter>;

/// What one reading shares.
struct Reading {
  Problems& problems;
  std::unordered_map<std::string, double> names;  // of [let]
  std::vector<std::string> all_names;             // those without a value included
  std::vector<SceneParameter> parameters;
  bool may_be_open = false;  // K = "design" is no problem
  std::vector<OpenParameter> left_open{};
  std::vector<RigidElement> rigid{};
  ChosenParameters chosen{};  // of the rigid elements; empty while they are not known yet
  double settles = 0;         // m, by which designed contacts may give way, where the step decides on their numbers; 0: it does not

  /// Works out the names of [let].
  void let(const Value* table);

  /// THE way to a number: 5, "2*mu" or "5 N/mm"; nothing, and a problem, if there is none or it is out of range. `place` is its
  /// name in messages.
  using Exponents = std::vector<std::pair<std::string, double>>;
  std::optional<double> number(const Value& value, const std::string& place, std::string_view unit, const Range& range,
                               const Exponents& exponents = {});
  /// The same with t, and with the motion if there are names for it.
  std::optional<Course> course(const Value& value, const std::string& place, std::string_view unit,
                               const MotionNames* motion = nullptr);
  /// One number or a list.
  std::optional<std::vector<double>> numbers(const Value& value, const std::string& place, std::string_view unit,
                                             const Range& range, const Exponents& exponents = {});

 private:
  enum class Known { names, names_and_t };
  bool lacks_a_sign(const std::string& text) const;
  std::optional<Course> read(const Value& value, const std::string& place, std::string_view unit, Known known,
                             const Exponents& exponents, const MotionNames* motion);
};

/// A table of the scene, read key by key. What was read is written to `out`, defaults included.
class Fields {
 public:
  /// `table` null: nothing was given. `place` is "run", "block".
  Fields(Reading& reading, const Value* table, const Section& section, std::string place, Origin origin, Value& out)
      : reading_(reading), table_(table), section_(section), place_(std::move(place)), origin_(origin), out_(out) {}

  const Value* find(std::string_view key) const noexcept { return table_ ? table_->find(key) : nullptr; }
  const Value* table() const noexcept { return table_; }
  Origin origin() const noexcept { return origin_; }
  const std::string& place() const noexcept { return place_; }
  std::string path(std::string_view key) const { return place_.empty() ? std::string(key) : place_ + "." + std::string(key); }
  Value& out() noexcept { return out_; }
  Reading& reading() noexcept { return reading_; }

  /// Reports the keys that are neither of the section nor among `others`.
  void only_known(const std::vector<std::string>& others = {});
  void problem(const Value& at, std::string text) { reading_.problems.add(at.origin, std::move(text)); }
  void problem(std::string text) { reading_.problems.add(origin_, std::move(text)); }

  std::optional<std::string> text(std::string_view key);
  std::optional<std::string> word(std::string_view key, const std::vector<std::string>& known);
  bool flag(std::string_view key);
  std::optional<double> number(std::string_view key);
  /// A list of texts.
  std::optional<std::vector<std::string>> texts(std::string_view key);
  /// One number or a list; how many are good: all those in `counts`. Null if it is missing.
  std::optional<std::vector<double>> numbers(std::string_view key, const std::vector<std::size_t>& counts);
  std::optional<std::vector<Course>> courses(std::string_view key, const std::vector<std::size_t>& counts,
                                             const MotionNames* motion = nullptr);

 private:
  /// The value of a key; reports a required one that is missing.
  const Value* get(const Key& key);
  bool count_is_good(const Value& value, std::string_view key, const std::vector<std::size_t>& counts);
  void note(const Key& key, const Value& value);

  Reading& reading_;
  const Value* table_;
  const Section& section_;
  std::string place_;
  Origin origin_;
  Value& out_;
};

}  // namespace asperity::scene
