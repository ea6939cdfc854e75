#include "asperity/shapes/contacts.hpp"

#include <atomic>
#include <cstring>
#include <map>

namespace asperity {
namespace {

using Vector = VecN<double, 3>;

double value(double x) { return x; }
double value(const Dual8& x) { return x.a; }

/// A point that is farther away than this share of the smaller shape is forgotten.
constexpr double kept = 0.05;

/// Where the shape of a body is, and how it moves.
template <class S>
Pose<Moving<S>> moving_pose(const Frame<S>& body, const Shape& shape) noexcept {
  const Quaternion<S> turning{S(-0.5) * dot(body.w, body.q.u), S(0.5) * (body.q.w * body.w + cross(body.w, body.q.u))};
  return moving(body, turning) * constant<Moving<S>>(shape.at);
}
template <class S>
Pose<S> pose(const Frame<S>& body, const Shape& shape) noexcept {
  return Pose<S>{body.p, body.q} * constant<S>(shape.at);
}

template <class S>
MeetingPoint<S> still(const MeetingPoint<Moving<S>>& m) noexcept {
  MeetingPoint<S> point;
  for (int i = 0; i < 3; ++i) point.at[i] = m.at[i].a, point.normal[i] = m.normal[i].a;
  point.gap = m.gap.a;
  point.weight = m.weight.a;
  point.id = m.id;
  return point;
}

/// Slip and gap of two bodies at a point.
template <class S>
void motion_at(const Frame<S>& a, const Frame<S>& b, const MeetingPoint<S>& at, S* seen) noexcept {
  const VecN<S, 3> v = a.v + cross(a.w, at.at - a.p) - b.v - cross(b.w, at.at - b.p);
  seen[0] = at.gap;
  seen[1] = dot(at.normal, v);
  const VecN<S, 3> slip = v - seen[1] * at.normal;
  for (int i = 0; i < 3; ++i) seen[2 + i] = slip[i];
}

/// Adds what a law pushes with at a point.
template <class S>
void press(const Frame<S>& at_a, const Frame<S>& at_b, const MeetingPoint<S>& at, const S* push, const S& weight, Wrench<S>& on_a,
           Wrench<S>& on_b) noexcept {
  const VecN<S, 3> f{{push[1], push[2], push[3]}};
  const VecN<S, 3> by = weight * (push[0] * at.normal - (f - dot(at.normal, f) * at.normal));
  on_a = {on_a.f + by, on_a.m + cross(at.at - at_a.p, by)};
  on_b = {on_b.f - by, on_b.m - cross(at.at - at_b.p, by)};
}

bool is_constant(const Frame<Dual8>& z) {
  bool constant = true;
  each_part([&](const Dual8& x) { constant = constant && x.is_constant(); }, z);
  return constant;
}
const Frame<double>& values_of(const Frame<double>& z) { return z; }
Frame<double> values_of(const Frame<Dual8>& z) {
  Frame<double> plain;
  std::array<double, parts<Frame<double>>()> numbers{};
  std::size_t c = 0;
  each_part([&](const Dual8& x) { numbers[c++] = x.a; }, z);
  c = 0;
  each_part([&](double& x) { x = numbers[c++]; }, plain);
  return plain;
}
VecN<Dual8, 3> constant_vector(const Vector& v) { return constant<Dual8>(v); }

/// Whether two corners of the overlap of two faces lie on one edge.
bool share_an_edge(int one, int other) noexcept {
  constexpr int faces = 64 * 36;
  --one, --other;
  if (one < 0 || other < 0 || one >= faces || other >= faces || one / 64 != other / 64) return false;
  const int a = one % 64 / 8, b = one % 8, c = other % 64 / 8, d = other % 8;
  return a == c || a == d || b == c || b == d;
}

/// Numbers that one call needs; they belong to the thread.
template <class S>
std::vector<S>& scratch_of() {
  thread_local std::vector<S> numbers;
  return numbers;
}

/// Where shapes meet depends on their motion alone, and many ask about the same motion: every slot of a pair, every pass of a
/// Jacobian. The last answers are kept, a bounded number in each thread.
struct Met {
  std::uint64_t pool = 0;  // 0: none
  std::size_t pair = 0;
  Frame<double> a, b;
  Meeting<Moving<double>> meeting;
};
std::vector<Met>& met_before() {
  constexpr std::size_t most_kept = 128;
  thread_local std::vector<Met> list(most_kept);
  return list;
}
static_assert(std::is_trivially_copyable_v<Frame<double>>);
bool are_same(const Frame<double>& a, const Frame<double>& b) noexcept { return std::memcmp(&a, &b, sizeof a) == 0; }

/// No two pools have the same, not even one after the other at the same address.
std::uint64_t next_pool() noexcept {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

const Meeting<Moving<double>>& ShapeContacts::meeting_of(std::size_t p, const Frame<double>& at_a,
                                                         const Frame<double>& at_b) const noexcept {
  std::vector<Met>& before = met_before();
  Met& met = before[(number_ * 31 + p) % before.size()];
  if (met.pool == number_ && met.pair == p && are_same(met.a, at_a) && are_same(met.b, at_b)) return met.meeting;
  const Pair& pair = pairs_[p];
  met = {number_, p, at_a, at_b, meet(pair.a, moving_pose(at_a, pair.a), pair.b, moving_pose(at_b, pair.b))};
  return met.meeting;
}

ShapeContacts::ShapeContacts() : number_(next_pool()) {}
ShapeContacts::ShapeContacts(const LawPool& law, std::span<const ShapePair> pairs) : ShapeContacts() {
  for (const ShapePair& one : pairs) add(one.shape_a, one.shape_b, one.a.index, one.b.index, "");
  if (!pairs.empty()) a.bodies = pairs[0].a.pool, b.bodies = pairs[0].b.pool;
  laws_ = law.pick(std::vector<std::uint32_t>(pair_of_.size(), 0));
  law_numbers_ = laws_->state_numbers();
  vectors_ = laws_->vectors();
  fresh_.resize(law_numbers_ * pair_of_.size());
  laws_->write_start(fresh_.data(), {0, pair_of_.size()});
}

void ShapeContacts::add(const Shape& shape_a, const Shape& shape_b, std::uint32_t body_a, std::uint32_t body_b,
                        const std::string& name) {
  const int slots = most_points(shape_a.kind, shape_b.kind);
  const double smaller = std::min(shape_a.inner(), shape_b.inner());
  pairs_.push_back({shape_a, shape_b, pair_of_.size(), slots, shape_a.outer() + shape_b.outer(), kept * smaller, smaller});
  // Flat on each other: the four corners of a face, the two ends of a tube.
  const double share = slots == 1 ? 1 : slots == 8 ? 0.25 : 0.5;
  for (int k = 0; k < slots; ++k) {
    pair_of_.push_back(std::uint32_t(pairs_.size() - 1));
    share_.push_back(share);
    a.index.push_back(body_a);
    b.index.push_back(body_b);
    names.push_back(slots == 1 ? name : name + "." + std::to_string(k + 1));
  }
}

void ShapeContacts::write_start(double* x) const noexcept {
  laws_->write_start(x, state);
  for (std::size_t i = 0; i < count(); ++i) x[state.at(law_numbers_, i)] = 0;
}

template <class S>
MeetingPoint<S> ShapeContacts::between_balls(const Pair& pair, const Pose<S>& at_a, const Pose<S>& at_b) const noexcept {
  const bool plane_a = pair.a.kind == Shape::Kind::plane, plane_b = pair.b.kind == Shape::Kind::plane;
  MeetingPoint<S> point;
  if (plane_a || plane_b) {
    const Pose<S>&plane = plane_a ? at_a : at_b, &ball = plane_a ? at_b : at_a;
    const VecN<S, 3> up = rotate(plane.q, VecN<S, 3>{{S(0.0), S(0.0), S(1.0)}});
    point.gap = dot(up, ball.p - plane.p) - S(plane_a ? pair.b.outer() : pair.a.outer());
    point.normal = plane_a ? -up : up;
    point.at = ball.p;
  } else {
    const VecN<S, 3> d = at_a.p - at_b.p;
    point.gap = magnitude(d) - S(pair.reach);
    point.normal = meeting::direction(d, VecN<S, 3>{{S(0.0), S(0.0), S(1.0)}});
    point.at = S(0.5) * (at_a.p + at_b.p);
  }
  return point;
}

/// A point that has a slot of its name goes there. Where a corner lies on an edge, rounding decides how it is called: a point with
/// a new name takes the slot of one that is gone from the same edges, if there is just one. The others take slots that stand for
/// nothing now. How fast normals turn is a constant for derivatives: no force depends on it, and the rate of a deflection only to
/// second order.
template <class S>
void ShapeContacts::assign(const S* x, const Columns& columns, std::size_t p, const Meeting<S>& meeting,
                           const Meeting<Moving<double>>& rates, const Frame<S>& at_a, const Frame<S>& at_b,
                           Places<S>& places) const noexcept {
  const Pair& pair = pairs_[p];
  std::array<int, most> slot;
  slot.fill(-1);
  const auto named = [&](int k) { return int(std::lround(value(x[columns.at(law_numbers_, pair.first + std::size_t(k))]))); };
  for (int m = 0; m < meeting.count; ++m)
    for (int k = 0; k < pair.slots; ++k)
      if (named(k) == meeting.points[std::size_t(m)].id) slot[std::size_t(m)] = k, places[std::size_t(k)].on = true;
  std::array<unsigned, most> gone{};  // for each point, from its edges
  for (int m = 0; m < meeting.count; ++m)
    for (int k = 0; k < pair.slots && slot[std::size_t(m)] < 0; ++k)
      if (!places[std::size_t(k)].on && share_an_edge(named(k), meeting.points[std::size_t(m)].id)) gone[std::size_t(m)] |= 1U << k;
  for (int m = 0; m < meeting.count; ++m) {
    const auto& point = meeting.points[std::size_t(m)];
    if (slot[std::size_t(m)] >= 0 || !(point.gap < S(0.0)) || std::popcount(gone[std::size_t(m)]) != 1) continue;
    SlotPlace<S>& place = places[std::size_t(std::countr_zero(gone[std::size_t(m)]))];
    if (place.on) continue;
    slot[std::size_t(m)] = std::countr_zero(gone[std::size_t(m)]);
    place.on = place.inherits = true;
  }
  for (const bool nameless : {true, false})
    for (int m = 0, k = 0; m < meeting.count; ++m) {
      const auto& point = meeting.points[std::size_t(m)];
      if (slot[std::size_t(m)] >= 0 || value(point.gap) > pair.margin) continue;
      while (k < pair.slots && (places[std::size_t(k)].on || (nameless && named(k) != 0))) ++k;
      if (k == pair.slots) break;
      slot[std::size_t(m)] = k;
      places[std::size_t(k)].on = true;
      places[std::size_t(k)].borrows = point.gap < S(0.0);  // an open one has nothing yet
      places[std::size_t(k)].from = gone[std::size_t(m)];
    }
  for (int m = 0; m < meeting.count; ++m) {
    if (slot[std::size_t(m)] < 0) continue;
    SlotPlace<S>& place = places[std::size_t(slot[std::size_t(m)])];
    place.point = meeting.points[std::size_t(m)];
    VecN<S, 3> rate;
    for (int i = 0; i < 3; ++i) rate[i] = S(rates.points[std::size_t(m)].normal[i].rate);
    const VecN<S, 3>& n = place.point.normal;
    place.turning = cross(n, rate) + (S(0.5) * dot(n, at_a.w + at_b.w)) * n;
  }
}

template <class S>
bool ShapeContacts::look(const S* x, const Columns& columns, std::size_t p, const Frame<S>& at_a, const Frame<S>& at_b,
                         Places<S>& places) const noexcept {
  const Pair& pair = pairs_[p];
  const Pose<S> pose_a = pose(at_a, pair.a), pose_b = pose(at_b, pair.b);
  const MeetingPoint<S> balls = between_balls(pair, pose_a, pose_b);
  if (value(balls.gap) > pair.margin) {
    places[0].point = balls;
    return false;
  }
  const auto& rates = meeting_of(p, values_of(at_a), values_of(at_b));
  Meeting<S> meeting;
  if constexpr (std::is_same_v<S, double>) {
    meeting.count = rates.count;
    for (int m = 0; m < rates.count; ++m) meeting.points[std::size_t(m)] = still(rates.points[std::size_t(m)]);
    if (rates.count == 0) meeting.apart = still(rates.apart);
  } else {
    meeting = meet(pair.a, pose_a, pair.b, pose_b);
  }
  assign(x, columns, p, meeting, rates, at_a, at_b, places);
  // Where nothing is near, the first slot shows how far it is.
  if (std::none_of(places.begin(), places.end(), [](const auto& place) { return place.on; })) {
    const MeetingPoint<S>* nearest = &meeting.apart;
    for (int m = 0; m < meeting.count; ++m)
      if (const auto& point = meeting.points[std::size_t(m)]; m == 0 || point.gap < nearest->gap) nearest = &point;
    places[0].point = *nearest;
  }
  return true;
}

template <class S>
std::pair<const S*, Columns> ShapeContacts::state_of(const S* x, const Columns& columns, std::size_t i, const SlotPlace<S>& place,
                                                     std::vector<S>& scratch) const {
  const Pair& pair = pairs_[pair_of_[i]];
  const auto lends = [&](std::size_t k) {
    return value(x[columns.at(law_numbers_, k)]) != 0 && (place.from == 0 || (place.from >> (k - pair.first) & 1U));
  };
  const std::size_t end = pair.first + std::size_t(pair.slots);
  std::size_t lenders = 0;
  for (std::size_t k = pair.first; place.on && place.borrows && k < end; ++k) lenders += lends(k);
  if (lenders == 0) return {x, columns};
  scratch.assign(law_numbers_, S(0.0));
  for (std::size_t k = pair.first; k < end; ++k)
    for (std::size_t c = 0; c < law_numbers_ && lends(k); ++c)
      scratch[c] = scratch[c] + S(1.0 / double(lenders)) * x[columns.at(c, k)];
  return {scratch.data(), {std::size_t(0) - i, 1}};  // so that number c of item i stands at c
}

template <class S>
void ShapeContacts::react_pair(const S* x, const Columns& columns, std::size_t p, const Frame<S>& at_a, const Frame<S>& at_b,
                               double tau, Wrench<S>& on_a, Wrench<S>& on_b, S* xdot) const {
  const Pair& pair = pairs_[p];
  std::vector<S>& scratch = scratch_of<S>();
  Places<S> places{};
  look(x, columns, p, at_a, at_b, places);
  for (std::size_t k = 0; k < std::size_t(pair.slots); ++k) {
    const std::size_t i = pair.first + k;
    const SlotPlace<S>& place = places[k];
    for (std::size_t c = 0; c <= law_numbers_; ++c) xdot[columns.at(c, i)] = S(0.0);
    if (!place.on) continue;
    S seen[most_seen], push[most_pushed];
    motion_at(at_a, at_b, place.point, seen);
    const auto [z, at] = state_of(x, columns, i, place, scratch);
    if (z == x) {
      laws_->react({i, i + 1, 1}, x, columns, seen, tau, push, xdot);
      for (const std::size_t c : vectors_) {
        const VecN<S, 3> bent{{x[columns.at(c, i)], x[columns.at(c + 1, i)], x[columns.at(c + 2, i)]}};
        const VecN<S, 3> turned = cross(place.turning, bent);
        for (std::size_t n = 0; n < 3; ++n) xdot[columns.at(c + n, i)] = xdot[columns.at(c + n, i)] + turned[int(n)];
      }
    } else {  // its own state begins when it has a name
      scratch.resize(2 * law_numbers_);
      laws_->react({i, i + 1, 1}, scratch.data(), at, seen, tau, push, scratch.data() + law_numbers_);
    }
    press(at_a, at_b, place.point, push, place.point.weight, on_a, on_b);
  }
}

template <class S>
void ShapeContacts::react_over(const InstantOf<S>& now, double tau, S* force, S* xdot) const {
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const std::size_t i = pairs_[p].first;
    Wrench<S> on_a, on_b;
    const Frame<S> at_a = motion_of<Frame<S>>(a, now, i), at_b = motion_of<Frame<S>>(b, now, i);
    const auto &plain_a = values_of(at_a), &plain_b = values_of(at_b);
    if (between_balls(pairs_[p], pose(plain_a, pairs_[p].a), pose(plain_b, pairs_[p].b)).gap > pairs_[p].margin) {
      for (std::size_t c = 0; c <= law_numbers_; ++c) std::fill_n(xdot + state.at(c, i), pairs_[p].slots, S(0.0));
      continue;
    }
    if constexpr (std::is_same_v<S, Dual8>) {
      if (is_constant(at_a) && is_constant(at_b)) react_constant(now.state, p, at_a, at_b, tau, on_a, on_b, xdot);
      else react_pair(now.state, state, p, at_a, at_b, tau, on_a, on_b, xdot);
    } else {
      react_pair(now.state, state, p, at_a, at_b, tau, on_a, on_b, xdot);
    }
    if (a.bodies) asperity::add(force, a.bodies->force, a.index[i], on_a);
    if (b.bodies) asperity::add(force, b.bodies->force, b.index[i], on_b);
  }
}

/// A pair of which nothing changes in the directions of the dual numbers: most pairs, for each pass of a Jacobian. The states of an
/// implicit stage are constants, too.
void ShapeContacts::react_constant(const Dual8* x, std::size_t p, const Frame<Dual8>& at_a, const Frame<Dual8>& at_b, double tau,
                                   Wrench<Dual8>& on_a, Wrench<Dual8>& on_b, Dual8* xdot) const {
  const Pair& pair = pairs_[p];
  const std::size_t slots = std::size_t(pair.slots), numbers = slots * state_numbers();
  const Columns here{std::size_t(0) - pair.first, slots};
  thread_local std::vector<double> z, rate;
  z.resize(numbers), rate.resize(numbers);
  bool constant = true;
  for (std::size_t c = 0; c <= law_numbers_; ++c)
    for (std::size_t k = pair.first; k < pair.first + slots; ++k) {
      const Dual8& number = x[state.at(c, k)];
      constant = constant && number.is_constant();
      z[here.at(c, k)] = number.a;
    }
  if (!constant) return react_pair(x, state, p, at_a, at_b, tau, on_a, on_b, xdot);
  Wrench<double> plain_a, plain_b;
  react_pair(static_cast<const double*>(z.data()), here, p, values_of(at_a), values_of(at_b), tau, plain_a, plain_b, rate.data());
  for (std::size_t c = 0; c <= law_numbers_; ++c)
    for (std::size_t k = pair.first; k < pair.first + slots; ++k) xdot[state.at(c, k)] = Dual8(rate[here.at(c, k)]);
  on_a = {constant_vector(plain_a.f), constant_vector(plain_a.m)};
  on_b = {constant_vector(plain_b.f), constant_vector(plain_b.m)};
}

void ShapeContacts::react(const Instant& now, double tau, double* force, double* xdot) const noexcept {
  react_over(now, tau, force, xdot);
}
void ShapeContacts::react(const InstantOf<Dual8>& now, double tau, Dual8* force, Dual8* xdot) const {
  react_over(now, tau, force, xdot);
}

/// Points that touch get slots, points that are gone lose them. A new one begins with the mean of those that are gone from the same
/// edges, or else of its neighbours on them: a corner that splits, or that another one replaces, hands its deflection on.
void ShapeContacts::transit(const Instant& now, double* x) const noexcept {
  std::vector<double>& old = scratch_of<double>();
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const Pair& pair = pairs_[p];
    const std::size_t slots = std::size_t(pair.slots);
    const Frame<double> at_a = motion_of<Frame<double>>(a, now, pair.first), at_b = motion_of<Frame<double>>(b, now, pair.first);
    Places<double> places{};
    look(now.state, state, p, at_a, at_b, places);
    std::array<int, most> before{}, after{};
    bool any = false, changed = false;
    for (std::size_t k = 0; k < slots; ++k) {
      before[k] = int(std::lround(label(now.state, pair.first + k)));
      after[k] = places[k].on && places[k].point.gap < pair.margin ? places[k].point.id : 0;
      any = any || before[k] != 0;
      changed = changed || before[k] != after[k];
    }
    if (laws_->switches())
      for (std::size_t k = 0; k < slots; ++k) {
        if (!places[k].on || places[k].borrows) continue;
        const Seen saw = seen(at_a, at_b, places[k].point);
        laws_->transit({pair.first + k, now.state, state, saw.numbers}, x);
      }
    if (!changed) continue;
    old.resize(slots * law_numbers_);
    for (std::size_t k = 0; k < slots; ++k)
      for (std::size_t c = 0; c < law_numbers_; ++c) old[k * law_numbers_ + c] = x[state.at(c, pair.first + k)];
    for (std::size_t k = 0; k < slots; ++k) {
      if (before[k] == after[k]) continue;
      const std::size_t i = pair.first + k;
      x[state.at(law_numbers_, i)] = after[k];
      if (places[k].inherits && after[k] != 0) continue;
      if (after[k] == 0) {
        for (std::size_t c = 0; c < law_numbers_; ++c) x[state.at(c, i)] = fresh_[c * count() + i];
      } else if (!places[k].borrows) {
        for (std::size_t c = 0; c < law_numbers_ && any; ++c) x[state.at(c, i)] = fresh_[c * count() + i];
      } else if (any) {
        const unsigned from = places[k].from;
        const auto hands = [&](std::size_t other, bool beside) {
          if (from != 0) return (from >> other & 1U) != 0;
          return before[other] != 0 && (!beside || share_an_edge(before[other], after[k]));
        };
        bool beside = false;
        for (std::size_t other = 0; other < slots; ++other) beside = beside || hands(other, true);
        double n = 0;
        for (std::size_t other = 0; other < slots; ++other) n += hands(other, beside);
        for (std::size_t c = 0; c < law_numbers_; ++c) {
          double sum = 0;
          for (std::size_t other = 0; other < slots; ++other)
            if (hands(other, beside)) sum += old[other * law_numbers_ + c];
          x[state.at(c, i)] = sum / n;
        }
      }
    }
  }
}

SlotPlace<double> ShapeContacts::place(const Instant& now, std::size_t i) const noexcept {
  const std::size_t p = pair_of_[i];
  const Pair& pair = pairs_[p];
  const Frame<double> at_a = motion_of<Frame<double>>(a, now, i), at_b = motion_of<Frame<double>>(b, now, i);
  const MeetingPoint<double> balls = between_balls(pair, pose(at_a, pair.a), pose(at_b, pair.b));
  if (balls.gap > pair.margin) {
    SlotPlace<double> far{};
    if (i == pair.first) far.point = balls;
    return far;
  }
  Places<double> places{};
  look(now.state, state, p, at_a, at_b, places);
  return places[i - pair.first];
}

double ShapeContacts::overlap(const Instant& now, std::size_t p) const noexcept {
  Places<double> places{};
  const Pair& pair = pairs_[p];
  look(now.state, state, p, motion_of<Frame<double>>(a, now, pair.first), motion_of<Frame<double>>(b, now, pair.first), places);
  double deepest = -std::numeric_limits<double>::infinity();
  for (const auto& one : places)
    if (one.on && one.point.weight > 0) deepest = std::max(deepest, -one.point.gap);
  return std::isfinite(deepest) ? deepest : -places[0].point.gap;
}

ShapeContacts::Seen ShapeContacts::seen(const Frame<double>& at_a, const Frame<double>& at_b,
                                        const MeetingPoint<double>& at) const noexcept {
  Seen found;
  motion_at(at_a, at_b, at, found.numbers);
  return found;
}

std::vector<Quantity> ShapeContacts::quantities(std::size_t i) const {
  std::vector<Quantity> list = laws_->quantities(i);
  list.push_back({"weight", "1"});
  for (const char* name : {"point.x", "point.y", "point.z"}) list.push_back({name, "m"});
  list.push_back({"power", "W"});
  list.push_back({"stored", "J"});
  return list;
}

void ShapeContacts::read(const Instant& now, double tau, std::size_t i, std::vector<double>& values) const {
  const SlotPlace<double> at = place(now, i);
  std::vector<double> scratch;
  Seen saw{};
  saw.numbers[0] = pairs_[pair_of_[i]].margin;
  if (at.on) saw = seen(motion_of<Frame<double>>(a, now, i), motion_of<Frame<double>>(b, now, i), at.point);
  const auto [x, columns] = state_of(now.state, state, i, at, scratch);
  values.clear();
  laws_->read({i, x, columns, saw.numbers}, tau, values);
  const double weight = at.on ? at.point.weight : 0;
  for (std::size_t c = 1; c <= most_pushed; ++c) values[c] *= weight;  // gap, then the forces
  values.push_back(weight);
  for (int c = 0; c < 3; ++c) values.push_back(at.on ? at.point.at[c] : 0);
  values.push_back(watch_slot(now, tau, i, at).power);
  values.push_back(energy(now, i));
}

Watch ShapeContacts::watch_slot(const Instant& now, double tau, std::size_t i, const SlotPlace<double>& at) const noexcept {
  Watch watched{.mode = Mode::open};
  if (!at.on) return watched;
  const Frame<double> at_a = motion_of<Frame<double>>(a, now, i), at_b = motion_of<Frame<double>>(b, now, i);
  const Seen saw = seen(at_a, at_b, at.point);
  double push[most_pushed];
  LawWatch law;
  std::vector<double> scratch;
  const auto [x, columns] = state_of(now.state, state, i, at, scratch);
  laws_->watch({i, i + 1, 1}, x, columns, saw.numbers, tau, push, &law);
  const double weight = at.point.weight;
  const Vector f{{push[1], push[2], push[3]}}, n = at.point.normal;
  const Vector on_a = weight * (push[0] * n - (f - dot(n, f) * n));
  const double by_a = -dot(on_a, at_a.v + cross(at_a.w, at.point.at - at_a.p));
  const double by_b = dot(on_a, at_b.v + cross(at_b.w, at.point.at - at_b.p));
  watched.mode = law.mode;
  watched.gap_rate = law.gap_rate;
  watched.power = by_a + by_b;
  if (a.bodies && a.bodies->is_given) watched.by_course += by_a;
  if (b.bodies && b.bodies->is_given) watched.by_course += by_b;
  watched.heat = watched.power - weight * (law.energy_after - law.energy_before) / (2 * law.time);
  watched.stored = weight * laws_->energy({i, x, columns, saw.numbers});
  return watched;
}
Watch ShapeContacts::watch(const Instant& now, double tau, std::size_t i) const noexcept {
  return watch_slot(now, tau, i, place(now, i));
}
void ShapeContacts::watch(const Instant& now, double tau, std::size_t begin, std::size_t end, Watch* all) const noexcept {
  Places<double> places{};
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t p = pair_of_[i];
    if (i == begin || pair_of_[i - 1] != p) {
      places = {};
      look(now.state, state, p, motion_of<Frame<double>>(a, now, i), motion_of<Frame<double>>(b, now, i), places);
    }
    *all++ = watch_slot(now, tau, i, places[i - pairs_[p].first]);
  }
}

double ShapeContacts::energy(const Instant& now, std::size_t i) const noexcept {
  const SlotPlace<double> at = place(now, i);
  if (!at.on) return 0;
  const Seen saw = seen(motion_of<Frame<double>>(a, now, i), motion_of<Frame<double>>(b, now, i), at.point);
  std::vector<double> scratch;
  const auto [x, columns] = state_of(now.state, state, i, at, scratch);
  return at.point.weight * laws_->energy({i, x, columns, saw.numbers});
}

void ShapeContacts::push(const Instant& now, std::size_t i, const double* f, double* force) const noexcept {
  double push[most_pushed];
  laws_->to_push(f, push);
  const SlotPlace<double> at = place(now, i);
  if (magnitude(at.point.normal) == 0) return;
  Wrench<double> on_a, on_b;
  press(motion_of<Frame<double>>(a, now, i), motion_of<Frame<double>>(b, now, i), at.point, push, 1.0, on_a, on_b);
  if (a.bodies) asperity::add(force, a.bodies->force, a.index[i], on_a);
  if (b.bodies) asperity::add(force, b.bodies->force, b.index[i], on_b);
}
void ShapeContacts::relative(const Instant& now, std::size_t i, double* v) const noexcept {
  const Seen saw = seen(motion_of<Frame<double>>(a, now, i), motion_of<Frame<double>>(b, now, i), place(now, i).point);
  laws_->relative(saw.numbers, v);
}
double ShapeContacts::gap(const Instant& now, std::size_t i) const noexcept {
  const SlotPlace<double> at = place(now, i);
  return magnitude(at.point.normal) > 0 ? at.point.gap : std::numeric_limits<double>::infinity();
}

std::vector<Stiffness> ShapeContacts::stiffness(const Instant& now, std::size_t i) const {
  const SlotPlace<double> at = place(now, i);
  if (!at.on && magnitude(at.point.normal) == 0) return {};
  Seen saw{};
  if (at.on) saw = seen(motion_of<Frame<double>>(a, now, i), motion_of<Frame<double>>(b, now, i), at.point);
  else saw.numbers[0] = at.point.gap;
  auto parts = laws_->stiffness(i, saw.numbers);
  const double weight = at.on && at.point.weight > 0 ? at.point.weight : share_[i];
  for (Stiffness& part : parts) part.K *= weight, part.B *= weight;
  return parts;
}
Stiffness ShapeContacts::struck_stiffness(std::size_t i, double depth) const {
  Stiffness struck = laws_->struck_stiffness(i, depth);
  struck.K *= share_[i], struck.B *= share_[i];
  return struck;
}
double ShapeContacts::resting_force(const Instant& now, std::size_t i) const noexcept {
  const SlotPlace<double> at = place(now, i);
  return at.on ? at.point.weight * laws_->carried(i, -at.point.gap) : 0;
}
double ShapeContacts::friction_force(const Instant& now, std::size_t i) const noexcept {
  const SlotPlace<double> at = place(now, i);
  if (!at.on) return 0;
  const Seen saw = seen(motion_of<Frame<double>>(a, now, i), motion_of<Frame<double>>(b, now, i), at.point);
  return at.point.weight * laws_->friction_force({i, now.state, state, saw.numbers});
}
void ShapeContacts::rest(const Instant& now, std::size_t i, const double* f, double* x) const {
  const SlotPlace<double> at = place(now, i);
  if (!at.on || !(at.point.weight > 0)) return;
  const Seen saw = seen(motion_of<Frame<double>>(a, now, i), motion_of<Frame<double>>(b, now, i), at.point);
  double share[most_pushed];
  for (std::size_t c = 0; c < force_numbers(); ++c) share[c] = f[c] / at.point.weight;
  laws_->rest({i, now.state, state, saw.numbers}, share, x);
}

void ShapeContacts::each_constant(const std::function<void(double)>& f) const {
  for (const Pair& pair : pairs_) {
    if (pair.slots > 0) laws_->each_parameter_of(pair.first, f);
    for (const Shape* shape : {&pair.a, &pair.b}) {
      f(double(int(shape->kind)));
      for (const double number :
           {shape->half[0], shape->half[1], shape->half[2], shape->radius, shape->reach, shape->at.p[0], shape->at.p[1],
            shape->at.p[2], shape->at.q.w, shape->at.q.u[0], shape->at.q.u[1], shape->at.q.u[2]})
        f(number);
    }
  }
}

std::unique_ptr<ElementPool> ShapeContacts::pick(std::span<const std::uint32_t> elements) const {
  std::unique_ptr<ShapeContacts> some(new ShapeContacts);
  for (const std::uint32_t i : elements) {
    const Pair& pair = pairs_[pair_of_[i]];
    if (some->pairs_.empty() || some->pair_of_.size() >= some->pairs_.back().first + std::size_t(some->pairs_.back().slots)) {
      some->pairs_.push_back(pair);
      some->pairs_.back().first = some->pair_of_.size();
    }
    some->pair_of_.push_back(std::uint32_t(some->pairs_.size() - 1));
    some->share_.push_back(share_[i]);
  }
  some->laws_ = laws_->pick(elements);
  some->law_numbers_ = law_numbers_;
  some->vectors_ = vectors_;
  some->fresh_.resize(law_numbers_ * some->count());
  some->laws_->write_start(some->fresh_.data(), {0, some->count()});
  return some;
}

std::vector<ElementPool*> add_contacts(World& world, const LawPool& law, std::span<const ShapePair> pairs,
                                       std::span<const std::string> names) {
  // By the pools of their bodies, in the order in which they come.
  std::vector<std::pair<std::vector<ShapePair>, std::vector<std::string>>> groups;
  std::map<std::pair<BodyPool*, BodyPool*>, std::size_t> known;
  const auto moves = [](const BodyId& body) { return body.pool && !body.pool->is_given; };
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    ShapePair pair = pairs[i];
    if (!moves(pair.a)) std::swap(pair.a, pair.b), std::swap(pair.shape_a, pair.shape_b);
    if (!moves(pair.a) || most_points(pair.shape_a.kind, pair.shape_b.kind) == 0)
      throw std::invalid_argument(names[i] + ": two shapes that do not move, or two planes, cannot meet");
    for (const BodyId* body : {&pair.a, &pair.b})
      if (body->pool && body->pool->motion_numbers() != parts<Frame<double>>())
        throw std::invalid_argument(names[i] + ": " + body->pool->names[body->index] +
                                    " does not turn: only a rigid body has a shape");
    const auto [at, is_new] = known.try_emplace({pair.a.pool, pair.b.pool}, groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].first.push_back(pair);
    groups[at->second].second.push_back(names[i]);
  }
  std::vector<ElementPool*> added;
  for (const auto& [some, called] : groups) {
    auto pool = std::make_unique<ShapeContacts>(law, some);
    for (std::size_t i = 0; i < pool->count(); ++i) pool->names[i] = called[pool->pair_of(i)] + pool->names[i];
    added.push_back(&world.add(std::move(pool)));
  }
  return added;
}

}  // namespace asperity
