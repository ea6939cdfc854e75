#include "asperity/run/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asperity/quantity_text.hpp"

namespace asperity {
namespace {

constexpr double noted_difference = 0.01, failed_difference = 0.1;  // of the range of a position

class NoSink final : public Sink {
 public:
  void start(const std::vector<Quantity>&, std::uint64_t) override {}
  void row(std::span<const double>) override {}
  void flush() override {}
};

/// Forces and velocities jump, and a jump that comes a moment later differs by all of itself; positions do not.
bool is_position(const std::string& name) {
  return name.find('.') == std::string::npos || name.ends_with(".position") || name.find(".position.") != std::string::npos ||
         name.find(".rotation.") != std::string::npos;
}

}  // namespace

int Verification::Column::digits() const noexcept {
  const double range = std::max({high - low, std::abs(high), std::abs(low)});
  if (difference == 0 || range == 0) return difference == 0 ? 15 : 0;
  return std::clamp(static_cast<int>(std::floor(-std::log10(difference / range))), 0, 15);
}

VerifyingSink::VerifyingSink(std::shared_ptr<Sink> sink, const World& again, RunOptions options) : sink_(std::move(sink)) {
  const bool adaptive = is_adaptive(options.method);
  every_row_ = !adaptive || options.record.every > 0;
  slack_ = 1e-6 * (adaptive ? options.record.every : options.step);
  options.record.sink = std::make_shared<NoSink>();
  options.say = {};
  settles_ = options.finer.settles;
  options.finer = {};
  options.max_steps *= 4;  // it takes two or three times as many
  if (adaptive) {
    options.rtol = std::max(1e-14, options.rtol / 100);
    options.atol /= 100;
    found_.by = fmt::format("rtol {:g} and atol {:g}", options.rtol, options.atol);
  } else {
    options.step /= 2;
    options.record.every = 0;
    found_.by = fmt::format("half the step, {}", quantity_text(options.step, "s"));
  }
  options.strict = false;
  finer_ = std::make_unique<Run>(again, std::move(options));
}

VerifyingSink::~VerifyingSink() = default;

void VerifyingSink::start(const std::vector<Quantity>& columns, std::uint64_t rows) {
  if (sink_) sink_->start(columns, rows);
  for (std::size_t c = found_.columns.size() + 1; c < columns.size(); ++c) found_.columns.push_back({columns[c]});
}

void VerifyingSink::flush() {
  if (sink_) sink_->flush();
}
void VerifyingSink::close() {
  if (sink_) sink_->close();
}
void VerifyingSink::moved_to(const std::string& path) {
  if (sink_) sink_->moved_to(path);
}

bool VerifyingSink::advance(double t) {
  while (!finer_->failure() && finer_->time() < t - slack_) {
    if (stop_ && stop_()) return false;
    if (!finer_->step()) break;
  }
  return true;
}

void VerifyingSink::begin(std::span<const double> values) {
  const std::vector<double> other = finer_->values();
  deeper_.assign(found_.columns.size(), 0.0);
  for (std::size_t c = 0; c < found_.columns.size(); ++c) {
    found_.columns[c].low = found_.columns[c].high = values[c + 1];
    // Resting bodies lie a little deeper on softer contacts: what counts is how they move from there.
    if (settles_ > 0 && is_position(found_.columns[c].quantity.name)) deeper_[c] = values[c + 1] - other[c + 1];
  }
}

void VerifyingSink::compare(std::span<const double> values) {
  if (finer_->failure()) return;
  const std::vector<double> other = finer_->values();
  for (std::size_t c = 0; c < found_.columns.size(); ++c) {
    Verification::Column& column = found_.columns[c];
    const double value = values[c + 1], difference = std::abs(value - other[c + 1] - (deeper_.empty() ? 0 : deeper_[c]));
    column.low = std::min(column.low, value);
    column.high = std::max(column.high, value);
    if (!(difference <= column.difference)) column.difference = difference, column.time = values[0];
  }
}

void VerifyingSink::row(std::span<const double> values) {
  if (sink_) sink_->row(values);
  if (found_.columns.size() + 1 == values.size() && values[0] == 0) begin(values);
  if (!every_row_) return;
  if (advance(values[0])) compare(values);
}

Verification VerifyingSink::verification(const Run& first) {
  if (!every_row_ && advance(first.time())) compare(first.values());
  Verification found = found_;
  found.verdict = finer_->verdict();
  found.events = finer_->event_count();
  const auto note = [&](Finding::Severity severity, const std::string& component, double value, std::string text) {
    found.findings.push_back({severity, Finding::Kind::verify, component, value, noted_difference, std::move(text)});
  };
  if (finer_->failure()) {
    found.failure = finer_->failure()->text;
    note(Finding::Severity::failure, finer_->failure()->component, 0,
         fmt::format("verify: the run with {} failed: {}", found.by, found.failure));
  }
  const Verification::Column* worst = nullptr;
  double most = noted_difference;
  for (const Verification::Column& column : found.columns) {
    const double range = column.high - column.low;
    if (!is_position(column.quantity.name) || !(column.difference > most * range)) continue;
    // What stands still but for rounding has no range to speak of.
    if (column.difference <= settles_ + 1e-9 * std::max({1.0, std::abs(column.high), std::abs(column.low)})) continue;
    most = range > 0 ? column.difference / range : 1;
    worst = &column;
  }
  if (worst)
    note(most > failed_difference ? Finding::Severity::failure : Finding::Severity::note, worst->quantity.name, most,
         fmt::format("verify: {} differs by {}, {:.2g} % of its range, at t = {:.4g} s from a run with {}; use a finer one",
                     worst->quantity.name, quantity_text(worst->difference, worst->quantity.unit), 100 * most, worst->time,
                     found.by));
  return found;
}

}  // namespace asperity
