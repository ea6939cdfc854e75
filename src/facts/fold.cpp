// Events that repeat, folded, and motions of many bodies, counted.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "asperity/facts/facts.hpp"
#include "asperity/quantity_text.hpp"
#include "stem.hpp"

namespace asperity {
namespace {

using facts::stem_of;

constexpr std::size_t fewest_folded = 6;  // events: three cycles
constexpr double long_pause = 20;         // times the mean time between two events of an element: a new group starts
constexpr std::size_t most_motions = 6;   // lines

/// The touch or the slip of a cycle, and how it ends.
constexpr auto touch = std::size_t(Event::Kind::touch), release = std::size_t(Event::Kind::release),
               slip = std::size_t(Event::Kind::slip), stick = std::size_t(Event::Kind::stick);

void add_restitution(EventGroup& group, double low, double high) {
  if (!(high > 0)) return;
  group.least_restitution = group.most_restitution > 0 ? std::min(group.least_restitution, low) : low;
  group.most_restitution = std::max(group.most_restitution, high);
}

EventGroup merged(EventGroup a, const EventGroup& b) {
  a.from = std::min(a.from, b.from), a.to = std::max(a.to, b.to);
  for (std::size_t k = 0; k < a.counts.size(); ++k) a.counts[k] += b.counts[k];
  a.speed = std::max(a.speed, b.speed);
  add_restitution(a, b.least_restitution, b.most_restitution);
  return a;
}

/// The events of one element.
std::vector<EventGroup> folded(const std::vector<EventGroup>& events) {
  if (events.size() < fewest_folded) return events;
  const double longest = long_pause * (events.back().from - events.front().from) / double(events.size() - 1);
  std::vector<EventGroup> groups;
  for (std::size_t first = 0, end = 0; first < events.size(); first = end) {
    for (end = first + 1; end < events.size() && events[end].from - events[end - 1].from <= longest;) ++end;
    if (end - first < fewest_folded) {
      groups.insert(groups.end(), events.begin() + std::ptrdiff_t(first), events.begin() + std::ptrdiff_t(end));
      continue;
    }
    groups.push_back(events[first]);
    for (std::size_t i = first + 1; i < end; ++i) groups.back() = merged(groups.back(), events[i]);
  }
  return groups;
}

std::vector<EventGroup> singles_of(const Facts& facts) {
  std::vector<EventGroup> list;
  std::size_t next = 0;
  for (const Event& event : facts.events) {
    EventGroup& group = list.emplace_back();
    group.element = event.element;
    group.from = group.to = event.time;
    group.counts[std::size_t(event.kind)] = 1;
    group.speed = event.speed;
    if (event.kind != Event::Kind::release) continue;
    while (next < facts.impacts.size() && facts.impacts[next].release < event.time) ++next;
    for (std::size_t i = next; i < facts.impacts.size() && facts.impacts[i].release == event.time; ++i)
      if (facts.impacts[i].element == event.element)
        add_restitution(group, facts.impacts[i].restitution(), facts.impacts[i].restitution());
  }
  return list;
}

void sort_by_start(std::vector<EventGroup>& groups) {
  std::stable_sort(groups.begin(), groups.end(), [](const EventGroup& a, const EventGroup& b) { return a.from < b.from; });
}

std::string_view plural_of(BodyMotion::Kind kind) {
  return std::array<std::string_view,
                    10>{"are held", "rest",   "creep",       "slide", "stick and slip", "roll", "move back and forth",
                        "move",     "bounce", "are released"}[std::size_t(kind)];
}

std::string restitution_text(const EventGroup& group) {
  if (!(group.most_restitution > 0)) return "";
  const std::string low = fmt::format("{:.3f}", group.least_restitution), high = fmt::format("{:.3f}", group.most_restitution);
  return low == high ? ", restitution " + low : fmt::format(", restitution {} to {}", low, high);
}

}  // namespace

std::vector<EventGroup> folded_events(const Facts& facts, std::size_t most) {
  std::vector<EventGroup> list = singles_of(facts);
  if (list.size() <= most) return list;
  std::map<std::string, std::vector<EventGroup>> by_element;
  for (EventGroup& one : list) by_element[one.element].push_back(std::move(one));
  list.clear();
  for (const auto& [name, events] : by_element)
    for (EventGroup& group : folded(events)) list.push_back(std::move(group));
  sort_by_start(list);
  if (list.size() <= most) return list;

  std::map<std::string, std::size_t> elements;
  for (const auto& [name, events] : by_element) ++elements[stem_of(name)];
  std::map<std::string, EventGroup> by_stem;
  std::vector<EventGroup> rest;
  for (EventGroup& group : list) {
    const std::string stem = stem_of(group.element);
    if (elements[stem] == 1) {
      rest.push_back(std::move(group));
      continue;
    }
    const auto [entry, is_new] = by_stem.try_emplace(stem, group);
    if (!is_new) entry->second = merged(entry->second, group);
    entry->second.element = stem;
    entry->second.elements = elements[stem];
  }
  for (auto& [stem, group] : by_stem) rest.push_back(std::move(group));
  sort_by_start(rest);
  return rest;
}

std::string moment_text(double t, double duration) {
  const double power = std::log10(std::isfinite(duration) ? std::max(duration, 1e-9) : 1.0);
  const int decimals = std::clamp(4 - static_cast<int>(std::floor(power)), 0, 12);
  return fmt::format("{:.{}f} s", t, decimals);
}

std::string to_text(const EventGroup& group, double duration) {
  const auto& n = group.counts;
  if (group.count() == 1) {
    if (n[slip]) return "slips";
    if (n[stick]) return "sticks";
    return fmt::format("{} at {}{}", n[touch] ? "touches" : "releases", quantity_text(group.speed, "m/s"), restitution_text(group));
  }
  std::string words;
  if (n[touch] + n[release] == 0) words = fmt::format("sticks and slips {} times", std::min(n[slip], n[stick]));
  else if (n[slip] + n[stick] == 0) words = fmt::format("touches and releases {} times", std::min(n[touch], n[release]));
  else words = fmt::format("touches {}, slips {}, sticks {} and releases {} times", n[touch], n[slip], n[stick], n[release]);
  std::string from = moment_text(group.from, duration);
  from.resize(from.size() - 2);  // the unit once
  return fmt::format("{} between {} and {}{}", words, from, moment_text(group.to, duration), restitution_text(group));
}

std::vector<std::string> motion_lines(const Facts& facts) {
  std::vector<std::string> lines;
  const auto& motions = facts.motions;
  if (motions.size() <= most_motions && facts.left_out.motions == 0) {
    for (const BodyMotion& motion : motions) lines.push_back(to_text(motion));
    return lines;
  }
  std::map<BodyMotion::Kind, std::vector<const BodyMotion*>> by_kind;
  for (const BodyMotion& motion : motions) by_kind[motion.kind].push_back(&motion);
  for (const auto& [kind, some] : by_kind) {
    if (some.size() <= 2) {
      for (const BodyMotion* motion : some) lines.push_back(to_text(*motion));
      continue;
    }
    const bool by_impacts = kind == BodyMotion::Kind::bounces || kind == BodyMotion::Kind::released;
    const auto less = [&](const BodyMotion* a, const BodyMotion* b) {
      return by_impacts ? a->impacts < b->impacts : a->moved < b->moved;
    };
    const BodyMotion& most = **std::max_element(some.begin(), some.end(), less);
    lines.push_back(fmt::format("{} pairs of bodies {}; {}: {}", some.size(), plural_of(kind),
                                by_impacts ? "most impacts" : "largest motion", to_text(most)));
  }
  if (facts.left_out.motions) lines.push_back(fmt::format("{} more pairs of bodies were not judged", facts.left_out.motions));
  return lines;
}

}  // namespace asperity
