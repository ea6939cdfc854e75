// Where two shapes meet: points with gap, normal, weight and a name that lasts.
//
// A pure function of two poses, over any scalar. Depths are exact. The weights of a flat contact are shares of its area, so that
// the summed force does not change when a corner is cut in two by a rounding error; a point that is about to appear has no weight
// yet.
#pragma once

#include <cstdint>

#include "asperity/shapes/shape.hpp"

namespace asperity {

/// A point at which a contact law acts.
template <class S>
struct MeetingPoint {
  VecN<S, 3> at{};      // in the world, halfway between the two surfaces
  VecN<S, 3> normal{};  // from b to a, of length 1
  S gap{};              // m; negative: the shapes overlap
  S weight{};           // the share of the contact law that acts here
  int id = 0;           // the features that meet; the same point has the same one, whoever is called a
};

template <class S>
struct Meeting {
  static constexpr int most = 8;
  std::array<MeetingPoint<S>, most> points;
  int count = 0;
  /// Where no feature of one is above a feature of the other there is no point: the shapes are at least so far apart, along
  /// `normal`, and `at` is a point between them.
  MeetingPoint<S> apart;

  constexpr void add(const VecN<S, 3>& at, const VecN<S, 3>& normal, const S& gap, const S& weight, int id) noexcept {
    points[std::size_t(count++)] = {at, normal, gap, weight, id};
  }
};

namespace meeting {

template <class S>
using Vector = VecN<S, 3>;

template <class S>
constexpr S clamp(const S& x, const S& low, const S& high) noexcept {
  return max(low, min(high, x));
}
/// 0 at 0 and below, 1 at 1 and above, smooth between.
template <class S>
constexpr S ramp(const S& x) noexcept {
  const S t = clamp(x, S(0.0), S(1.0));
  return t * t * (S(3.0) - S(2.0) * t);
}
/// A direction of length 1; where there is none, `other`.
template <class S>
constexpr Vector<S> direction(const Vector<S>& v, const Vector<S>& other) noexcept {
  const S length = magnitude(v);
  return length > S(0.0) ? v / length : other;
}
template <class S>
constexpr std::array<Vector<S>, 3> axes(const Quaternion<S>& q) noexcept {
  const S one(1.0), zero(0.0);
  return {rotate(q, Vector<S>{{one, zero, zero}}), rotate(q, Vector<S>{{zero, one, zero}}),
          rotate(q, Vector<S>{{zero, zero, one}})};
}

/// Two balls.
template <class S>
constexpr void balls(Meeting<S>& out, const Vector<S>& a, double radius_a, const Vector<S>& b, double radius_b, const S& weight,
                     int id) noexcept {
  const Vector<S> d = a - b;
  const S gap = magnitude(d) - S(radius_a + radius_b);
  const Vector<S> n = direction(d, Vector<S>{{S(0.0), S(0.0), S(1.0)}});
  out.add(b + (S(radius_b) + S(0.5) * gap) * n, n, gap, weight, id);
}
/// A ball and what is below a plane.
template <class S>
constexpr void ball_plane(Meeting<S>& out, const Vector<S>& centre, double radius, const Pose<S>& plane, const S& weight,
                          int id) noexcept {
  const Vector<S> n = rotate(plane.q, Vector<S>{{S(0.0), S(0.0), S(1.0)}});
  const S gap = dot(n, centre - plane.p) - S(radius);
  out.add(centre - (S(radius) + S(0.5) * gap) * n, n, gap, weight, id);
}
/// A ball and a box: the point of the box that is nearest to its centre; from within, the way out is that through the nearest face.
template <class S>
constexpr void ball_box(Meeting<S>& out, const Vector<S>& centre, double radius, const Shape& box, const Pose<S>& at,
                        const S& weight, int id) noexcept {
  const Vector<S> c = rotate(conjugate(at.q), centre - at.p);
  Vector<S> nearest = c, n{};
  int face = 0;
  for (int i = 0; i < 3; ++i) {
    nearest[i] = clamp(c[i], S(-box.half[i]), S(box.half[i]));
    if (S(box.half[i]) - abs(c[i]) < S(box.half[face]) - abs(c[face])) face = i;
  }
  S distance = magnitude(c - nearest);
  if (distance > S(0.0)) {
    n = (c - nearest) / distance;
  } else {
    n[face] = c[face] < S(0.0) ? S(-1.0) : S(1.0);
    distance = abs(c[face]) - S(box.half[face]);
  }
  n = rotate(at.q, n);
  const S gap = distance - S(radius);
  out.add(centre - (S(radius) + S(0.5) * gap) * n, n, gap, weight, id);
}

/// The middle line of a capsule.
template <class S>
struct Segment {
  Vector<S> middle, axis;
  S reach;
  constexpr Vector<S> at(const S& s) const noexcept { return middle + s * axis; }
  /// The place on it that is nearest to a point.
  constexpr S nearest(const Vector<S>& p) const noexcept { return clamp(dot(axis, p - middle), -reach, reach); }
};
template <class S>
constexpr Segment<S> segment(const Shape& capsule, const Pose<S>& at) noexcept {
  return {at.p, axes(at.q)[2], S(capsule.reach)};
}

/// The places on two segments that are nearest to each other; of parallel ones, some of them.
template <class S>
constexpr std::array<S, 2> nearest(const Segment<S>& a, const Segment<S>& b) noexcept {
  const Vector<S> d = a.middle - b.middle;
  const S c = dot(a.axis, b.axis), on_a = dot(a.axis, d), on_b = dot(b.axis, d), sine2 = S(1.0) - c * c;
  S s = sine2 > S(1e-12) ? clamp((c * on_b - on_a) / sine2, -a.reach, a.reach) : clamp(-on_a, -a.reach, a.reach);
  const S t = b.nearest(a.at(s));
  s = a.nearest(b.at(t));
  return {s, b.nearest(a.at(s))};
}

/// Two capsules: those that cross have one point, parallel ones the two ends of the stretch along which they lie side by side;
/// between the two the weight passes from one to the other.
template <class S>
constexpr void capsules(Meeting<S>& out, const Segment<S>& a, double radius_a, const Segment<S>& b, double radius_b) noexcept {
  const S c = dot(a.axis, b.axis);
  constexpr double crossed = 0.03;  // sine squared, about 10 degrees
  const S share = ramp((S(1.0) - c * c) / S(crossed));
  const auto st = nearest(a, b);
  balls(out, a.at(st[0]), radius_a, b.at(st[1]), radius_b, share, 1);
  if (!(share < S(1.0))) return;
  // The stretch along which they are side by side, on the mean of their axes.
  const S sense = c < S(0.0) ? S(-1.0) : S(1.0);
  const Vector<S> mean = direction(a.axis + sense * b.axis, a.axis);
  const S cosine = dot(mean, a.axis), middle_a = dot(mean, a.middle), middle_b = dot(mean, b.middle);
  const S low = max(middle_a - cosine * a.reach, middle_b - cosine * b.reach);
  const S high = min(middle_a + cosine * a.reach, middle_b + cosine * b.reach), middle = S(0.5) * (low + high);
  for (const bool second : {false, true}) {
    const S x = second ? max(high, middle) : min(low, middle);
    const S s = clamp((x - middle_a) / cosine, -a.reach, a.reach), t = sense * clamp((x - middle_b) / cosine, -b.reach, b.reach);
    balls(out, a.at(s), radius_a, b.at(t), radius_b, S(0.5) * (S(1.0) - share), second ? 3 : 2);
  }
}

/// A capsule and a box: its two ends, and where it crosses the nearest edge, which has no weight at the ends.
template <class S>
constexpr void capsule_box(Meeting<S>& out, const Shape& capsule, const Pose<S>& at, const Shape& box,
                           const Pose<S>& where) noexcept {
  const Segment<S> tube = segment(capsule, at);
  for (const double end : {-1.0, 1.0})
    ball_box(out, tube.at(S(end) * tube.reach), capsule.radius, box, where, S(0.5), end < 0 ? 1 : 2);
  const auto sides = axes(where.q);
  S best(std::numeric_limits<double>::infinity()), place(0.0);
  Vector<S> on_edge{};
  for (int i = 0; i < 3; ++i)
    for (int corner = 0; corner < 4; ++corner) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      const Segment<S> edge{where.p + S(corner & 1 ? box.half[j] : -box.half[j]) * sides[std::size_t(j)] +
                                S(corner & 2 ? box.half[k] : -box.half[k]) * sides[std::size_t(k)],
                            sides[std::size_t(i)], S(box.half[i])};
      const auto st = nearest(tube, edge);
      const S distance = magnitude(tube.at(st[0]) - edge.at(st[1]));
      if (distance < best) best = distance, place = st[0], on_edge = edge.at(st[1]);
    }
  const S share = place / tube.reach;
  balls(out, tube.at(place), capsule.radius, on_edge, 0.0, S(1.0) - share * share, 3);
}

/// A corner of the polygon in which two faces overlap, in the reference face; `leaves` is the edge that begins here.
template <class S>
struct Corner {
  S u, v, height;
  int leaves;
};
template <class S>
struct Polygon {
  std::array<Corner<S>, 12> corners;
  int count = 0;
  constexpr Corner<S>& operator[](int i) noexcept { return corners[std::size_t(i)]; }
  constexpr const Corner<S>& operator[](int i) const noexcept { return corners[std::size_t(i)]; }
  constexpr void add(const Corner<S>& corner) noexcept { corners[std::size_t(count++)] = corner; }
};
/// The part of a polygon where sign * (u or v) <= limit.
template <class S>
constexpr Polygon<S> clipped(const Polygon<S>& in, bool along_v, double sign, double limit, int edge) noexcept {
  Polygon<S> out;
  const auto beyond = [&](const Corner<S>& c) { return S(sign) * (along_v ? c.v : c.u) - S(limit); };
  for (int i = 0; i < in.count; ++i) {
    const Corner<S>&from = in[i], &to = in[(i + 1) % in.count];
    const S before = beyond(from), after = beyond(to);
    const bool inside = before <= S(0.0);
    if (inside) out.add(from);
    if (inside == (after <= S(0.0))) continue;
    const S share = before / (before - after);
    out.add({from.u + share * (to.u - from.u), from.v + share * (to.v - from.v), from.height + share * (to.height - from.height),
             inside ? edge : from.leaves});
  }
  return out;
}

/// Weights of the corners of a convex polygon, together 1: each has half of the triangles beside it that have their top in the
/// centroid. So the weighted mean of the corners is the centroid, and a corner that splits in two shares its weight.
template <class S>
constexpr std::array<S, 8> area_weights(const Polygon<S>& polygon, double smallest) noexcept {
  const int n = polygon.count;
  std::array<S, 8> weights{};
  const auto twice = [](const S& u, const S& v, const Corner<S>& a, const Corner<S>& b) {
    return (a.u - u) * (b.v - v) - (a.v - v) * (b.u - u);
  };
  S area(0.0), u(0.0), v(0.0);
  for (int i = 1; i + 1 < n; ++i) {
    const S part = twice(polygon[0].u, polygon[0].v, polygon[i], polygon[i + 1]);
    area = area + part;
    u = u + part * (polygon[0].u + polygon[i].u + polygon[i + 1].u) / S(3.0);
    v = v + part * (polygon[0].v + polygon[i].v + polygon[i + 1].v) / S(3.0);
  }
  if (!(abs(area) > S(smallest))) {  // a line, or a point
    for (int i = 0; i < n; ++i) weights[std::size_t(i)] = S(1.0 / n);
    return weights;
  }
  u = u / area, v = v / area;
  for (int i = 0; i < n; ++i) {
    const int next = (i + 1) % n;
    const S half = S(0.5) * twice(u, v, polygon[i], polygon[next]) / area;
    weights[std::size_t(i)] = weights[std::size_t(i)] + half;
    weights[std::size_t(next)] = weights[std::size_t(next)] + half;
  }
  return weights;
}

/// A box in the world.
template <class S>
struct Block {
  Vector<S> p;
  std::array<Vector<S>, 3> axis;
  const Shape* shape;
  constexpr double half(int i) const noexcept { return shape->half[i]; }
  /// Half of its extent along a direction.
  constexpr S extent(const Vector<S>& n) const noexcept {
    return S(half(0)) * abs(dot(axis[0], n)) + S(half(1)) * abs(dot(axis[1], n)) + S(half(2)) * abs(dot(axis[2], n));
  }
};

/// Two boxes whose faces are nearer to separate them than their edges. `first`: the reference is a, and its face pushes along
/// -normal.
template <class S>
constexpr void faces(Meeting<S>& out, const Block<S>& reference, const Block<S>& other, int r, const Vector<S>& outward,
                     bool first) noexcept {
  const int ru = (r + 1) % 3, rv = (r + 2) % 3;
  const Vector<S> face = reference.p + S(reference.half(r)) * outward;
  // The face of the other that looks at it most.
  int o = 0;
  for (int i = 1; i < 3; ++i)
    if (abs(dot(other.axis[std::size_t(i)], outward)) > abs(dot(other.axis[std::size_t(o)], outward))) o = i;
  const bool up = dot(other.axis[std::size_t(o)], outward) < S(0.0);  // which of its two
  const int ou = (o + 1) % 3, ov = (o + 2) % 3;
  const Vector<S> centre = other.p + S(up ? other.half(o) : -other.half(o)) * other.axis[std::size_t(o)];
  const auto &u = reference.axis[std::size_t(ru)], &v = reference.axis[std::size_t(rv)];
  // The edges of a are 0 ... 3, those of b 4 ... 7, whichever is the reference: 2 along u at +-v, and so on.
  const int own = first ? 0 : 4, others = 4 - own;
  Polygon<S> polygon;
  constexpr int signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  constexpr int edges[4] = {2, 1, 3, 0};  // edge 0: u = -, 1: u = +, 2: v = -, 3: v = +
  for (int k = 0; k < 4; ++k) {
    const Vector<S> d = centre + S(signs[k][0] * other.half(ou)) * other.axis[std::size_t(ou)] +
                        S(signs[k][1] * other.half(ov)) * other.axis[std::size_t(ov)] - face;
    polygon.add({dot(u, d), dot(v, d), dot(outward, d), others + edges[k]});
  }
  polygon = clipped(polygon, false, -1.0, reference.half(ru), own + 0);
  polygon = clipped(polygon, false, 1.0, reference.half(ru), own + 1);
  polygon = clipped(polygon, true, -1.0, reference.half(rv), own + 2);
  polygon = clipped(polygon, true, 1.0, reference.half(rv), own + 3);
  if (polygon.count == 0) return;
  const int n = polygon.count = std::min(polygon.count, Meeting<S>::most);
  const auto weights = area_weights(polygon, 1e-12 * reference.half(ru) * reference.half(rv));
  // Axis and side of the two faces, a's first.
  const bool beyond = dot(outward, reference.axis[std::size_t(r)]) > S(0.0);
  const int mine = 2 * r + (beyond ? 1 : 0), its = 2 * o + (up ? 1 : 0);
  const int pair = first ? 6 * mine + its : 6 * its + mine;
  const Vector<S> normal = first ? -outward : outward;
  for (int i = 0; i < n; ++i) {
    const Corner<S>& c = polygon[i];
    const int enters = polygon[(i + n - 1) % n].leaves, low = std::min(enters, c.leaves), high = std::max(enters, c.leaves);
    out.add(face + c.u * u + c.v * v + (S(0.5) * c.height) * outward, normal, c.height, weights[std::size_t(i)],
            1 + 64 * pair + 8 * low + high);
  }
}

/// Two boxes: the axis along which they overlap least, of the 15 that can separate them, then the overlap of the two faces or the
/// nearest points of the two edges. Where two edges make an axis that is nearly that of a face, the face is taken:
/// it sees the same overlap at the point where they cross, and those of the other points, and does not change with the noise.
template <class S>
constexpr void boxes(Meeting<S>& out, const Shape& shape_a, const Pose<S>& at_a, const Shape& shape_b,
                     const Pose<S>& at_b) noexcept {
  const Block<S> a{at_a.p, axes(at_a.q), &shape_a}, b{at_b.p, axes(at_b.q), &shape_b};
  const Vector<S> d = a.p - b.p;
  S face_gap(-std::numeric_limits<double>::infinity());
  Vector<S> face_normal{};
  int face = 0;
  for (int i = 0; i < 6; ++i) {
    const Vector<S>& axis = i < 3 ? a.axis[std::size_t(i)] : b.axis[std::size_t(i - 3)];
    const S along = dot(axis, d), gap = abs(along) - a.extent(axis) - b.extent(axis);
    if (gap > face_gap) face_gap = gap, face = i, face_normal = along < S(0.0) ? -axis : axis;
  }
  S edge_gap = face_gap + S(1e-12 * (shape_a.outer() + shape_b.outer()));
  Vector<S> edge_normal{};
  int edge = -1;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const Vector<S> across = cross(a.axis[std::size_t(i)], b.axis[std::size_t(j)]);
      const S sine = magnitude(across);
      if (!(sine > S(1e-6))) continue;
      const Vector<S> n = across / sine;
      const S along = dot(n, d), gap = abs(along) - a.extent(n) - b.extent(n);
      if (gap > edge_gap) edge_gap = gap, edge = 3 * i + j, edge_normal = along < S(0.0) ? -n : n;
    }
  if (edge >= 0) {
    constexpr double nearly = 0.9998;  // cosine of about 1 degree
    S most(nearly);
    for (int k = 0; k < 6; ++k) {
      const Vector<S>& axis = k < 3 ? a.axis[std::size_t(k)] : b.axis[std::size_t(k - 3)];
      const S cosine = dot(axis, edge_normal);
      if (abs(cosine) > most) most = abs(cosine), edge = -1, face = k, face_normal = cosine < S(0.0) ? -axis : axis;
    }
  }
  if (edge < 0) {
    if (face < 3) faces(out, a, b, face, -face_normal, true);
    else faces(out, b, a, face - 3, face_normal, false);
    // Nothing is above anything else: what is between them is seen along the axis.
    if (out.count == 0) out.apart = {S(0.5) * (a.p + b.p), face_normal, max(face_gap, edge_gap), S(0.0), 0};
    return;
  }
  // The edge of each that is farthest towards the other.
  const int i = edge / 3, j = edge % 3;
  Vector<S> on_a = a.p, on_b = b.p;
  int sides = 0;
  for (int k = 0; k < 3; ++k) {
    const bool minus = dot(edge_normal, a.axis[std::size_t(k)]) > S(0.0), plus = dot(edge_normal, b.axis[std::size_t(k)]) > S(0.0);
    if (k != i) on_a = on_a + S(minus ? -a.half(k) : a.half(k)) * a.axis[std::size_t(k)], sides = 2 * sides + minus;
    if (k != j) on_b = on_b + S(plus ? b.half(k) : -b.half(k)) * b.axis[std::size_t(k)], sides = 2 * sides + plus;
  }
  const auto &along_a = a.axis[std::size_t(i)], &along_b = b.axis[std::size_t(j)];
  const Vector<S> between = on_a - on_b;
  const S c = dot(along_a, along_b), to_a = dot(along_a, between), to_b = dot(along_b, between), sine2 = S(1.0) - c * c;
  const S s = (c * to_b - to_a) / sine2, t = (to_b - c * to_a) / sine2;
  const MeetingPoint<S> point{S(0.5) * (on_a + s * along_a + on_b + t * along_b), edge_normal, edge_gap, S(1.0),
                              1 + 64 * 36 + 16 * edge + sides};
  const bool crossing = abs(s) <= S(a.half(i)) && abs(t) <= S(b.half(j));
  if (crossing || edge_gap < S(0.0)) out.points[std::size_t(out.count++)] = point;
  else out.apart = point;
}

}  // namespace meeting

/// Where two shapes meet; a plane meets nothing of its kind.
template <class S>
constexpr Meeting<S> meet(const Shape& a, const Pose<S>& at_a, const Shape& b, const Pose<S>& at_b) noexcept {
  using Form = Shape::Kind;
  Meeting<S> out;
  if (int(a.kind) > int(b.kind)) {  // the simpler shape first
    out = meet(b, at_b, a, at_a);
    for (int i = 0; i < out.count; ++i) out.points[std::size_t(i)].normal = -out.points[std::size_t(i)].normal;
    out.apart.normal = -out.apart.normal;
    return out;
  }
  const S one(1.0), half(0.5);
  if (a.kind == Form::sphere) {
    if (b.kind == Form::sphere) {
      meeting::balls(out, at_a.p, a.radius, at_b.p, b.radius, one, 1);
    } else if (b.kind == Form::capsule) {
      const auto tube = meeting::segment(b, at_b);
      meeting::balls(out, at_a.p, a.radius, tube.at(tube.nearest(at_a.p)), b.radius, one, 1);
    } else if (b.kind == Form::box) {
      meeting::ball_box(out, at_a.p, a.radius, b, at_b, one, 1);
    } else {
      meeting::ball_plane(out, at_a.p, a.radius, at_b, one, 1);
    }
  } else if (a.kind == Form::capsule) {
    const auto tube = meeting::segment(a, at_a);
    if (b.kind == Form::capsule) meeting::capsules(out, tube, a.radius, meeting::segment(b, at_b), b.radius);
    else if (b.kind == Form::box) meeting::capsule_box(out, a, at_a, b, at_b);
    else
      for (const double end : {-1.0, 1.0})
        meeting::ball_plane(out, tube.at(S(end) * tube.reach), a.radius, at_b, half, end < 0 ? 1 : 2);
  } else if (a.kind == Form::box) {
    if (b.kind == Form::box) {
      meeting::boxes(out, a, at_a, b, at_b);
    } else {
      // A face that lies on the plane has four corners, which share it.
      const auto axis = meeting::axes(at_a.q);
      for (int k = 0; k < 8; ++k)
        meeting::ball_plane(out,
                            at_a.p + S(k & 1 ? a.half[0] : -a.half[0]) * axis[0] + S(k & 2 ? a.half[1] : -a.half[1]) * axis[1] +
                                S(k & 4 ? a.half[2] : -a.half[2]) * axis[2],
                            0.0, at_b, S(0.25), 1 + k);
    }
  }
  return out;
}

/// The most points at which two shapes can meet.
constexpr int most_points(Shape::Kind a, Shape::Kind b) noexcept {
  using Form = Shape::Kind;
  if (a == Form::plane && b == Form::plane) return 0;
  if (a == Form::sphere || b == Form::sphere) return 1;
  if (a == Form::capsule && b == Form::capsule) return 3;
  if (a == Form::capsule || b == Form::capsule) return a == Form::box || b == Form::box ? 3 : 2;
  return 8;
}

}  // namespace asperity
