// What a run found out about its own numbers, and the verdict.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "asperity/quantity_text.hpp"
#include "asperity/run/run.hpp"
#include "companion.hpp"
#include "setup/connected.hpp"
#include "step_check.hpp"
#include "system/probe.hpp"

namespace asperity {
namespace {

/// The closing error, of the largest energy in the account, from which on it is named; and from which on the run has failed.
constexpr double noted_energy = 1e-3, failed_energy = 0.05;
/// Up to this one it is no reason to doubt a motion that does not change with half the step.
constexpr double harmless_energy = 0.01;
/// Rounding of an account: a sum of so many parts of the last digit, at least.
constexpr double rounding_of_energy = 1e4 * std::numeric_limits<double>::epsilon();

/// Of the way from the surface of a body to its centre: a contact that is compressed by more is too soft. At the centre two balls
/// change sides: they never get deeper.
constexpr double noted_depth = 0.5, through_depth = 0.99;

/// A fall is worth a word if it goes so many times as far as anything was at the start.
constexpr double far_below = 20;

/// Of the range of a motion: where half the step differs by so much, errors of steps that add up to more are no exaggeration.
constexpr double hopeless_difference = 0.25;

}  // namespace

std::string_view to_text(Finding::Severity severity) noexcept {
  return std::array<std::string_view, 3>{"remark", "note", "failure"}[std::size_t(severity)];
}
std::string_view to_text(Finding::Kind kind) noexcept {
  return std::array<std::string_view, finding_kinds.size()>{
      "energy", "dissipation", "error", "missed", "depth", "fall", "verify"}[std::size_t(kind)];
}
std::string_view to_text(Verdict verdict) noexcept {
  return std::array<std::string_view, 3>{"fine", "doubtful", "failed"}[std::size_t(verdict)];
}
Verdict verdict_of(std::span<const Finding> findings) noexcept {
  Verdict verdict = Verdict::fine;
  for (const Finding& finding : findings) verdict = std::max(verdict, Verdict(finding.severity));  // a level for each
  return verdict;
}

/// Of all steps, in the same direction.
double Run::rounding_of(const Island& island) const { return island.rounding_of_step * double(statistics().steps); }

/// Of the island with the largest share.
std::optional<Finding> Run::energy_finding() const {
  using Severity = Finding::Severity;
  if (!readings_.knows_energy()) return std::nullopt;
  const auto now = energies(time(), state());
  std::optional<std::size_t> of;
  double share = noted_energy, error = 0, when = 0;
  for (std::size_t k = 0; k < islands_.size(); ++k) {
    const Island& island = islands_[k];
    const double at_end = closing_error(island, now[k]);
    if (failure_ && !std::isfinite(at_end)) continue;  // it says enough
    const bool ends_worst = !(std::abs(at_end) < std::abs(island.closing_error));
    const double worst = ends_worst ? at_end : island.closing_error;
    const double offsets = std::max({std::abs(island.potential_low), std::abs(island.potential_high), std::abs(island.stored_low),
                                     std::abs(island.stored_high), now[k].through, island.work_gross});
    const double scale =
        std::max({island.kinetic, now[k].kinetic, island.potential_high - island.potential_low,
                  island.stored_high - island.stored_low, island.work_gross, now[k].dissipated, island.unresolved + island.drift});
    const double here =
        worst == 0
            ? 0
            : std::abs(worst) / std::max({scale, rounding_of_energy * offsets / noted_energy, rounding_of(island) / noted_energy});
    if (!(here <= share)) share = here, of = k, error = worst, when = ends_worst ? time() : island.closing_error_time;
    if (!std::isfinite(share)) break;
  }
  if (!of) return std::nullopt;
  const bool wrong = !(share <= failed_energy);
  const auto jump =
      std::find_if(warnings_.begin(), warnings_.end(), [](const Warning& w) { return w.kind == Warning::Kind::jump; });
  const bool jumps = jump != warnings_.end();
  const bool harmless = share <= harmless_energy && companion_ && companion_->complete() && !companion_->finding();
  const std::string advice =
      harmless     ? fmt::format("{} gives the same motion", adaptive_ ? "a smaller tolerance" : "half the step")
      : jumps      ? fmt::format("the position of {} jumps, and the work of that is not in the account", jump->component)
      : failure_   ? std::string(detail::until_it_stopped)
      : !adaptive_ ? fmt::format("the step, {}, is too long for this motion; use a shorter one", quantity_text(options_.step, "s"))
      : options_.rtol > tightest_rtol ? fmt::format("lower rtol, {:g}, and atol, {:g}", options_.rtol, options_.atol)
                                      : fmt::format("rtol, {:g}, cannot be much lower; try implicit2", options_.rtol);
  const std::string by = when == time() ? "" : fmt::format(" by t = {:.4g} s", when);
  const bool one_of_many = islands_.size() > 1;
  const std::string how_much = !std::isfinite(share)
                                   ? std::string("has energies beyond all numbers")
                                   : fmt::format("{} {}{}, {:.2g} % of the largest energy of {}", error < 0 ? "made" : "lost",
                                                 quantity_text(std::abs(error), "J"), by, 100 * share,
                                                 one_of_many ? island_names_[*of] + " and what is connected to it" : "the run");
  return Finding{harmless                                   ? Severity::remark
                 : wrong && options_.judge_energy && !jumps ? Severity::failure
                                                            : Severity::note,
                 Finding::Kind::energy,
                 one_of_many ? island_names_[*of] : "",
                 share,
                 wrong ? failed_energy : noted_energy,
                 fmt::format("energy: {} {}: {}", options_.method, how_much, advice)};
}

std::optional<Finding> Run::missed_finding() const {
  if (missed_.count == 0) return std::nullopt;
  const std::string name = readings_.elements()[missed_.element].name();
  const std::string more = missed_.count > 1 ? fmt::format(" (and {} more times)", missed_.count - 1) : "";
  return Finding{
      Finding::Severity::failure,
      Finding::Kind::missed,
      name,
      missed_.speed * options_.step,
      missed_.depth,
      fmt::format("{}: closed by {} at {} and opened again within the step at t = {:.4g} s{}: no force was felt, the bodies "
                  "passed through each other; use step <= {}, or an adaptive method",
                  name, quantity_text(missed_.depth, "m"), quantity_text(missed_.speed, "m/s"), missed_.time, more,
                  quantity_text(rounded_down(std::min(missed_.depth / missed_.speed / 4, options_.step / 2), 2), "s"))};
}

std::optional<Finding> Run::unfelt_finding() const {
  if (unfelt_.count == 0) return std::nullopt;
  const OfMotion& of = world_.of_motion()[unfelt_.of];
  const std::string more = unfelt_.count > 1 ? fmt::format(" (and {} more times)", unfelt_.count - 1) : "";
  const bool state = of.body.pool->velocity_column(0) == 0;
  return Finding{
      Finding::Severity::failure,
      Finding::Kind::missed,
      of.name,
      std::abs(unfelt_.force),
      0,
      fmt::format(
          "{}: a {} of {:.3g}{} that depends on the motion acts between two steps, at t = {:.4g} s{}: it was not felt; use a "
          "shorter step, or an adaptive method",
          of.name, state ? "rate" : "force", unfelt_.force, state ? "" : " (N or N m)", unfelt_.time, more)};
}

/// A law of contact knows no other side: what is pressed that far in passes through.
std::optional<Finding> Run::depth_finding() const {
  if (!(deep_.share() > noted_depth)) return std::nullopt;
  const std::string name = readings_.elements()[deep_.element].name();
  const bool through = deep_.share() > through_depth;
  return Finding{
      through ? Finding::Severity::failure : Finding::Severity::note,
      Finding::Kind::depth,
      name,
      deep_.depth,
      through ? deep_.thickness : noted_depth * deep_.thickness,
      fmt::format(
          "{}: compressed by {} at t = {:.4g} s, {:.2g} times the {} from where it touches to the centre: {}; make "
          "it stiffer",
          name, quantity_text(deep_.depth, "m"), deep_.time, deep_.share(), quantity_text(deep_.thickness, "m"),
          through ? "the bodies pass through each other, because it is too soft for its load" : "it is too soft for its load")};
}

/// A body that has fallen far beyond everything that was there to stop it, and touches nothing.
std::optional<Finding> Run::fall_finding() const {
  if (time() == 0 || !readings_.knows_energy()) return std::nullopt;
  using Place = std::array<double, 3>;
  const auto size = [](const Place& p) { return std::hypot(p[0], p[1], p[2]); };
  const auto place = [](const BodyPool& pool, std::size_t i, const double* motions) {
    return Place{motions[pool.motion.at(0, i)], motions[pool.motion.at(1, i)], motions[pool.motion.at(2, i)]};
  };
  const Instant at_start = work_.instant(0, start_);
  double extent = 0;  // of all that is there, from the origin
  for (const Readings::Body& body : readings_.bodies())
    if (is_in_space(*body.pool)) extent = std::max(extent, size(place(*body.pool, body.index, body.pool->motions(at_start))));
  std::map<std::pair<const BodyPool*, std::uint32_t>, bool> flies;  // bodies with contacts only, whether all of them are open
  for (std::size_t e = 0; e < watch_.size(); ++e) {
    const Readings::Item& item = readings_.elements()[e];
    const double gap = item.pool->gap(at_start, item.index);
    if (std::isfinite(gap)) extent = std::max(extent, std::abs(gap));
    for (const End* end : {&item.pool->a, &item.pool->b}) {
      if (!Connected::moves(*end) || !is_in_space(*end->bodies)) continue;
      auto& open = flies.try_emplace({end->bodies, end->index[item.index]}, true).first->second;
      open = open && watch_[e].mode == Mode::open;
    }
  }
  std::optional<Finding> found;
  for (const auto& [body, open] : flies) {
    const auto& [pool, i] = body;
    if (!open || !(pool->potential_of(i, state().data()) < pool->potential_of(i, start_.data()))) continue;
    const Place from = place(*pool, i, start_.data()), to = place(*pool, i, state().data());
    const double fallen = size({to[0] - from[0], to[1] - from[1], to[2] - from[2]});
    if (!(fallen > far_below * extent) || (found && fallen <= found->value)) continue;
    found = Finding{Finding::Severity::remark,
                    Finding::Kind::fall,
                    pool->names[i],
                    fallen,
                    far_below * extent,
                    fmt::format("{}: has fallen {}, past everything that could stop it; is a floor missing?", pool->names[i],
                                quantity_text(fallen, "m"))};
  }
  return found;
}

std::vector<Finding> Run::findings() const {
  using Severity = Finding::Severity;
  std::vector<Finding> list;
  if (auto found = energy_finding()) list.push_back(std::move(*found));
  if (auto found = missed_finding()) list.push_back(std::move(*found));
  if (auto found = unfelt_finding()) list.push_back(std::move(*found));
  if (auto found = depth_finding()) list.push_back(std::move(*found));
  if (auto found = fall_finding()) list.push_back(std::move(*found));
  const double error = std::abs(energy().closing_error);
  for (std::size_t e = 0; e < flow_.size(); ++e) {
    const Flow& flow = flow_[e];
    const auto& item = readings_.elements()[e];
    const Island& island = islands_[island_of_element_[e]];
    const double rounding =
        rounding_of(island) +
        rounding_of_energy * std::max({island.kinetic, std::abs(island.potential_low), std::abs(island.potential_high),
                                       std::abs(island.stored_low), std::abs(island.stored_high)});
    if (flow.fallen > 0.02 * flow.through && flow.fallen > 10 * error && flow.fallen > rounding)
      list.push_back(
          {Severity::note, Finding::Kind::dissipation, item.name(), flow.fallen / flow.through, 0.02,
           fmt::format("{}: gave back {:.3g} J more than it had left of {:.3g} J: {}, or the step too long", item.name(),
                       flow.fallen, flow.through,
                       item.pool->about().stores ? fmt::format("the stored energy of {} is wrong", item.pool->about().name)
                                                 : fmt::format("{} makes energy with these parameters", item.pool->about().name))});
  }
  // The sum of the local errors takes them all for lasting. The companion knows better what is left of them, as far as it went
  // along; but not whether a motion that differs from its own is only sensitive.
  std::optional<Finding> found = step_check_ ? step_check_->finding(failure_.has_value()) : std::nullopt;
  if (companion_) {
    auto other = companion_->finding(failure_.has_value());
    const bool hopeless = found && found->severity == Severity::failure;
    const bool so_says_the_other = other && other->value > hopeless_difference;
    if (!(hopeless && so_says_the_other) && (other || companion_->complete())) found = std::move(other);
    else if (hopeless && !other && companion_->was_too_long()) found->severity = Severity::note;
    if (!found && !failure_) found = companion_->outlook(time());
  }
  // Where no energy is known, a step that the checks call unstable, and a motion that half of it does not show, are enough.
  const auto unstable = [](const Warning& one) { return one.kind == Warning::Kind::stability && !one.note; };
  if (found && !readings_.knows_energy() && found->value > hopeless_difference &&
      std::any_of(warnings_.begin(), warnings_.end(), unstable))
    found->severity = Severity::failure;
  if (found) list.push_back(std::move(*found));
  else if (companion_ && !companion_->complete() && !failure_)
    list.push_back(
        {Severity::remark, Finding::Kind::error, "", companion_->until(), time(),
         fmt::format("compared with {} until t = {:.4g} s only: the rest would take long; verify the run to compare it all",
                     adaptive_ ? "a hundredth of the tolerance" : "half the step", companion_->until())});
  return list;
}

Verdict Run::verdict() const { return failure_ ? Verdict::failed : verdict_of(findings()); }

}  // namespace asperity
