#include <algorithm>
#include <cmath>

#include "asperity/trace.hpp"

namespace asperity {
namespace {

class PositionCourse final : public Course {
 public:
  PositionCourse(TimeFunction position, double width) : position_(std::move(position)), width_(width) {}

  double position(double t) override { return position_(t); }

  /// Three points on the asked side only, so that a kink at t is not smeared; second order.
  double velocity(double t, KinkSide side) override {
    const double sign = side == KinkSide::right ? 1 : -1;
    const double t1 = t + sign * width_, t2 = t + 2 * sign * width_;
    const double p0 = position_(t), d1 = position_(t1) - p0, d2 = position_(t2) - p0;
    const double h1 = t1 - t, h2 = t2 - t;
    return (d1 * h2 * h2 - d2 * h1 * h1) / (h1 * h2 * (h2 - h1));
  }
  bool positions_only() const override { return true; }

 private:
  TimeFunction position_;
  double width_;
};

class VelocityCourse final : public Course {
 public:
  VelocityCourse(TimeFunction velocity, double from) : velocity_(std::move(velocity)), position_(from) {}

  /// Simpson's rule from the last time asked for.
  double position(double t) override {
    if (t > time_) {
      position_ += (t - time_) / 6 * (velocity_(time_) + 4 * velocity_(0.5 * (time_ + t)) + velocity_(t));
      time_ = t;
    }
    return position_;
  }
  double velocity(double t, KinkSide) override { return velocity_(t); }
  bool positions_only() const override { return false; }

 private:
  TimeFunction velocity_;
  double time_ = 0, position_;
};

/// The segment that holds t, and how far t is in it (0 to 1).
struct Place {
  std::size_t segment;
  double fraction;
};

Place locate(const std::vector<double>& times, double t) {
  const auto after = std::upper_bound(times.begin(), times.end(), t);
  const auto last = static_cast<std::ptrdiff_t>(times.size()) - 2;
  const auto segment =
      static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(after - times.begin() - 1, 0, std::max<std::ptrdiff_t>(0, last)));
  if (times.size() < 2) return {0, 0};
  return {segment, std::clamp((t - times[segment]) / (times[segment + 1] - times[segment]), 0.0, 1.0)};
}

double interpolate(const std::vector<double>& times, const std::vector<double>& values, double t) {
  const auto [i, s] = locate(times, t);
  if (s == 0 || values.size() < 2) return values[i];
  if (s == 1) return values[i + 1];
  return values[i] + s * (values[i + 1] - values[i]);
}

class KnotCourse final : public Course {
 public:
  KnotCourse(std::vector<double> times, std::vector<double> positions)
      : times_(std::move(times)), positions_(std::move(positions)), rounding_(1e-11 * (times_.back() - times_.front())) {}

  double position(double t) override { return interpolate(times_, positions_, t); }

  /// The slope beside t; a time meant to be a knot is one in spite of rounding.
  double velocity(double t, KinkSide side) override {
    const double beside = side == KinkSide::right ? t + rounding_ : t - rounding_;
    if (beside < times_.front() || beside > times_.back() || times_.size() < 2) return 0;
    const std::size_t i = locate(times_, beside).segment;
    return (positions_[i + 1] - positions_[i]) / (times_[i + 1] - times_[i]);
  }
  bool positions_only() const override { return true; }

 private:
  std::vector<double> times_, positions_;
  double rounding_;
};

class SampleCourse final : public Course {
 public:
  SampleCourse(std::vector<double> times, std::vector<double> positions, std::vector<double> velocities, double from)
      : times_(std::move(times)),
        positions_(std::move(positions)),
        velocities_(std::move(velocities)),
        integrated_(positions_.empty()) {
    if (!integrated_) return;
    positions_.assign(1, from);
    for (std::size_t i = 1; i < times_.size(); ++i)
      positions_.push_back(positions_.back() + 0.5 * (times_[i] - times_[i - 1]) * (velocities_[i] + velocities_[i - 1]));
  }

  double position(double t) override {
    if (!integrated_ || times_.size() < 2) return interpolate(times_, positions_, t);
    const auto [i, s] = locate(times_, t);
    const double width = times_[i + 1] - times_[i];
    return positions_[i] + width * s * (velocities_[i] + 0.5 * s * (velocities_[i + 1] - velocities_[i]));
  }
  double velocity(double t, KinkSide) override { return interpolate(times_, velocities_, t); }
  bool positions_only() const override { return false; }

 private:
  std::vector<double> times_, positions_, velocities_;
  bool integrated_;
};

}  // namespace

std::unique_ptr<Course> course_of_position(TimeFunction position, double width) {
  return std::make_unique<PositionCourse>(std::move(position), width);
}

std::unique_ptr<Course> course_of_velocity(TimeFunction velocity, double from) {
  return std::make_unique<VelocityCourse>(std::move(velocity), from);
}

std::unique_ptr<Course> course_through(std::vector<double> times, std::vector<double> positions) {
  return std::make_unique<KnotCourse>(std::move(times), std::move(positions));
}

std::unique_ptr<Course> course_of_samples(std::vector<double> times, std::vector<double> positions, std::vector<double> velocities,
                                          double from) {
  return std::make_unique<SampleCourse>(std::move(times), std::move(positions), std::move(velocities), from);
}

std::vector<double> times_at_speed(const std::vector<double>& positions, double speed) {
  std::vector<double> times{0};
  for (std::size_t i = 1; i < positions.size(); ++i)
    times.push_back(times.back() + std::abs(positions[i] - positions[i - 1]) / speed);
  return times;
}

TimeFunction sampled_function(std::vector<double> times, std::vector<double> values) {
  return [times = std::move(times), values = std::move(values)](double t) { return interpolate(times, values, t); };
}

}  // namespace asperity
