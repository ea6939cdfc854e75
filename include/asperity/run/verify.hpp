// How far to trust the numbers of a run: beside it, a second one with half the step. What they differ by is about the error of the
// first one; it needs twice the work more.
//
//   const auto verify = std::make_shared<VerifyingSink>(sink, world_again, options);
//   options.record.sink = verify;
//   Run run(world, options);
//   run.go();
//   verify->verification(run);
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "asperity/run/run.hpp"

namespace asperity {

struct Verification {
  struct Column {
    Quantity quantity;
    double difference = 0, time = 0;  // the largest, and when
    double low = 0, high = 0;         // of the values
    /// Significant digits, of the range of the values, that both runs agree in; 15: all.
    int digits() const noexcept;
  };
  std::string by;               // "half the step, 0.5 ms"
  std::string failure;          // of the second run; empty: none
  Verdict verdict{};            // of the second run
  std::uint64_t events = 0;     // of the second run
  std::vector<Column> columns;  // all that is recorded, but time
  std::vector<Finding> findings;
};

/// Hands every row on, after the second run has been brought to the same time. Rows of an adaptive method that come after every
/// step are not compared, only the last one: the second run takes other steps.
class VerifyingSink final : public Sink {
 public:
  /// `sink`: where the rows go, null: nowhere. `again`: the same world a second time, which has to outlive this one. `options` as
  /// of the first run.
  VerifyingSink(std::shared_ptr<Sink> sink, const World& again, RunOptions options);
  ~VerifyingSink() override;

  void start(const std::vector<Quantity>& columns, std::uint64_t rows) override;
  void row(std::span<const double> values) override;
  void flush() override;
  void close() override;
  void moved_to(const std::string& path) override;
  std::uint64_t checksum() const override { return sink_ ? sink_->checksum() : 0; }
  void check(const std::vector<Quantity>& columns, std::uint64_t rows, std::uint64_t sum) const override {
    if (sink_) sink_->check(columns, rows, sum);
  }

  /// True ends the second run where it is; what was compared until then stays.
  void stop_when(std::function<bool()> stop) { stop_ = std::move(stop); }
  /// Whether every row is compared; else the end alone is.
  bool compares_rows() const noexcept { return every_row_; }
  /// What was found, after the first run.
  Verification verification(const Run& first);

 private:
  bool advance(double t);
  void begin(std::span<const double> values);
  void compare(std::span<const double> values);

  std::shared_ptr<Sink> sink_;
  std::unique_ptr<Run> finer_;
  bool every_row_;
  double slack_;  // s, between times that are the same
  std::function<bool()> stop_;
  double settles_ = 0;          // m, as Finer
  std::vector<double> deeper_;  // at the start than in the second run, of each column
  Verification found_;
};

}  // namespace asperity
