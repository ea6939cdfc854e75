// Measures: named numbers of a run, as formulas over what the run goes through and what happens in it. Worked out while the run
// goes on: no row is kept.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "asperity/formula/formula.hpp"
#include "asperity/run/run.hpp"
#include "asperity/study/plan.hpp"

namespace asperity::study {

/// One number out of all rows, or out of all events of one kind: max(mass.velocity, t > 2), count(floor.slips).
struct Reduction {
  enum class Kind : std::uint8_t { last, first, max, min, mean, rms, integral, sum, count };
  enum class Series : std::uint8_t {
    rows,
    slips,
    sticks,
    touches,
    releases,
    impacts,
    restitution,
    impact_speed,
    separation_speed,
    contact_time
  };
  struct Name {
    enum class Of : std::uint8_t { time, column, parameter };
    Of of;
    std::size_t index;
  };
  struct Bound {
    Formula formula;
    std::vector<Name> names;  // of the formula, in its order
  };
  Kind kind{};
  Series series{};
  std::string element{};  // of a series of events
  std::string text{};     // as written, for messages
  std::optional<Bound> value{}, window{};
};

/// All measures of a study, read and held against a scene. Constant: for all threads.
class Measures {
 public:
  /// Nothing, and every problem, if they cannot be. `paths`: names of parameters that may stand in formulas.
  static std::optional<Measures> read(const std::vector<Measure>& list, const World& world, const std::vector<Axis>& axes,
                                      std::vector<std::string>& problems);

  std::size_t count() const noexcept { return results_.size(); }
  /// Whether a measure is a condition, that is 0 or 1.
  bool is_yes_no(std::size_t measure) const noexcept { return results_[measure].yes_no; }
  /// What a run has to record.
  const std::vector<std::string>& columns() const noexcept { return columns_; }

 private:
  friend class Measuring;
  friend class MeasureReader;
  struct Result {
    Formula formula;
    struct Name {
      bool reduction;  // else a parameter
      std::size_t index;
    };
    std::vector<Name> names;
    bool yes_no = false;
  };
  std::vector<std::string> columns_;
  std::vector<Reduction> reductions_;
  std::vector<Result> results_;
};

/// The measures of one run after the other.
class Measuring final : public Sink {
 public:
  explicit Measuring(const Measures& measures);

  /// Before a run; the parameters have to stay.
  void begin(std::span<const double> parameters);
  void start(const std::vector<Quantity>& columns, std::uint64_t rows) override;
  void row(std::span<const double> values) override;
  void flush() override {}

  /// After a run. What is not a number is told in `problem`, the first one.
  void values(const Run& run, std::span<double> into, std::string& problem);

 private:
  struct Sum {
    double value = 0, last = 0, last_time = 0, length = 0;
    std::uint64_t rows = 0;
    bool was_in = false;
  };
  double number(const Reduction::Bound& bound, std::span<const double> row);
  void take(const Reduction& reduction, Sum& sum, double t, double value, bool inside) const;
  double result(const Reduction& reduction, const Sum& sum) const;
  double of_events(const Reduction& reduction, const Run& run);

  const Measures& measures_;
  std::span<const double> parameters_;
  std::vector<Sum> sums_;
  std::vector<double> arguments_, results_;
};

}  // namespace asperity::study
