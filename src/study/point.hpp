// One point after the other, on one thread.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "asperity/study/study.hpp"
#include "measure.hpp"

namespace asperity::study {

/// Each thread has its own.
class PointRunner {
 public:
  PointRunner(const Plan& plan, const Points& points, const Measures& measures);

  /// False if it was told to stop on the way; then there is no result.
  bool run(std::span<const double> values, const std::function<bool()>& stop, Result& result);

 private:
  const Plan& plan_;
  const Points& points_;
  const Measures& measures_;
  std::shared_ptr<Measuring> measuring_;
};

}  // namespace asperity::study
