#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asperity/quantity_text.hpp"
#include "asperity/trace.hpp"

namespace asperity {
namespace {

/// Of the largest force, or of the largest work: from where on a difference is told, and from where on the trace has failed.
constexpr double noted_difference = 0.05, failed_difference = 0.5;

double largest_size(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

struct TraceDifference {
  double share = 0, time = 0;
};

/// Of a force from what finer steps give, in the rows. A jump may come a row early or late.
TraceDifference difference_in_rows(const Trace& trace, const Trace& finer, const std::vector<double>& coarse,
                                   const std::vector<double>& fine, std::size_t times) {
  TraceDifference worst;
  const double scale = largest_size(fine);
  if (!(scale > 0)) return worst;
  const std::vector<double>& t = trace.find("t")->values;
  // The first sample of a motion given by positions has no velocity yet.
  const bool same_start = trace.columns.size() == finer.columns.size() && coarse[0] == fine[0];
  for (std::size_t i = same_start ? 0 : 1; i < coarse.size() && (i == 0 ? 0 : i - 1) * times < fine.size(); ++i) {
    const auto from = fine.begin() + std::ptrdiff_t((i == 0 ? 0 : i - 1) * times);
    const auto to = fine.begin() + std::ptrdiff_t(std::min((i + 1) * times + 1, fine.size()));
    const auto [low, high] = std::minmax_element(from, to);
    const double off = std::max(*low - coarse[i], coarse[i] - *high) / scale;
    if (off > worst.share) worst = {off, t[i]};
  }
  return worst;
}

/// Of the extremes of a force, which may lie between the rows.
TraceDifference difference_between_rows(const Trace& finer, const std::vector<double>& coarse, const std::vector<double>& fine) {
  TraceDifference worst;
  const double scale = largest_size(fine);
  if (!(scale > 0)) return worst;
  const std::vector<double>& t = finer.find("t")->values;
  const auto [low, high] = std::minmax_element(coarse.begin(), coarse.end());
  for (std::size_t k = 0; k < fine.size(); ++k)
    if (const double off = std::max(*low - fine[k], fine[k] - *high) / scale; off > worst.share) worst = {off, t[k]};
  return worst;
}

}  // namespace

std::vector<TraceFinding> check_trace(const AnyLaw& law, const Trace& trace, const TraceSettings& settings, const Trace& finer,
                                      int times) {
  std::vector<TraceFinding> list;
  if (trace.rows() == 0) return list;
  const auto tell = [&](double value, const std::string& what) {
    list.push_back({value > failed_difference, value, noted_difference,
                    fmt::format("{}; the step, {}, is too long for this motion: use a shorter step", what,
                                quantity_text(settings.step, "s"))});
  };
  if (finer.stop) {
    list.push_back({finer.stop->cause == TraceStop::Cause::motion, 1, noted_difference,
                    fmt::format("between the rows, at t = {:g} s: {}", finer.stop->time, finer.stop->what)});
    return list;
  }
  const std::vector<double>& work = trace.find("work_in")->values;
  const std::vector<double>& finer_work = finer.find("work_in")->values;
  // A passive law gives out no more than it took.
  const double through = std::max(largest_size(work), largest_size(finer_work));
  if (law.about().stores && through > 0) {
    const auto& lost = trace.find("energy_dissipated")->values;
    if (const double made = -*std::min_element(lost.begin(), lost.end()) / through; made > noted_difference)
      tell(std::max(made, failed_difference * 1.01),  // by however little: it fails
           fmt::format("the law gave out more energy than it took, by {:.2g} % of the work", 100 * made));
  }
  TraceDifference force, peak;
  for (const char* name : {"force", "normal_force", "tangential_force"}) {
    const Column *coarse = trace.find(name), *fine = finer.find(name);
    if (!coarse || !fine) continue;
    const auto worse = [](TraceDifference& a, const TraceDifference& b) {
      if (b.share > a.share) a = b;
    };
    worse(force, difference_in_rows(trace, finer, coarse->values, fine->values, std::size_t(times)));
    worse(peak, difference_between_rows(finer, coarse->values, fine->values));
  }
  const std::string finer_step = quantity_text(settings.step / times, "s");
  if (force.share > noted_difference)
    tell(force.share, fmt::format("the force differs by {:.2g} % of its largest at t = {:.4g} s from what steps of {} give",
                                  100 * force.share, force.time, finer_step));
  else if (peak.share > noted_difference)  // the rows are right; there are too few of them
    tell(std::min(peak.share, failed_difference),
         fmt::format("the force goes {:.2g} % of its largest farther between the rows, at t = {:.4g} s", 100 * peak.share,
                     peak.time));
  const std::size_t last = std::min((finer.rows() - 1) / std::size_t(times), trace.rows() - 1);
  if (through > 0 && list.empty())
    if (const double off = std::abs(work[last] - finer_work[last * std::size_t(times)]) / through; off > noted_difference)
      tell(off, fmt::format("the work differs by {:.2g} % of its largest from what steps of {} give", 100 * off, finer_step));
  return list;
}

}  // namespace asperity
