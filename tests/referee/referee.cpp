// The referee: equations of motion of a resolved scene, written from the documentation alone, integrated by a method of its own
// with event location, compared with what the program recorded. It shares no code with the program on purpose: do not include its
// headers here.
//
// How: Dormand-Prince 5(4) at tolerances far below those of any run, started afresh at every corner of an input, every touch and
// release and every switch of a law. Three runs: coarse and fine tolerance, whose difference is the referee's own error, and one
// from a start that differs in the sixth digit. Where they part by a tenth of the tolerance the judgement ends: nobody can be sure
// beyond.
#include "referee.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numbers>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

namespace referee {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// ---------------------------------------------------------------------------------------------------------------- vectors

struct Vec {
  double x = 0, y = 0, z = 0;
  double& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  double operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
};
Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vec operator*(double s, Vec a) { return {s * a.x, s * a.y, s * a.z}; }
Vec& operator+=(Vec& a, Vec b) { return a = a + b; }
Vec& operator-=(Vec& a, Vec b) { return a = a - b; }
double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec cross(Vec a, Vec b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
double norm(Vec a) { return std::sqrt(dot(a, a)); }
Vec saturate(double limit, Vec a) {
  const double length = norm(a);
  return length > limit ? (limit / length) * a : a;
}
double sign(double x) { return (x > 0) - (x < 0); }

struct Matrix {
  std::array<Vec, 3> row;
  Vec operator*(Vec a) const { return {dot(row[0], a), dot(row[1], a), dot(row[2], a)}; }
};
Matrix transposed(const Matrix& m) {
  return {{Vec{m.row[0].x, m.row[1].x, m.row[2].x}, {m.row[0].y, m.row[1].y, m.row[2].y}, {m.row[0].z, m.row[1].z, m.row[2].z}}};
}
Matrix inverse(const Matrix& m) {
  const Vec a = cross(m.row[1], m.row[2]), b = cross(m.row[2], m.row[0]), c = cross(m.row[0], m.row[1]);
  const double d = 1 / dot(m.row[0], a);
  return {{Vec{d * a.x, d * b.x, d * c.x}, {d * a.y, d * b.y, d * c.y}, {d * a.z, d * b.z, d * c.z}}};
}
// The rotation of a unit quaternion (w, x, y, z).
Matrix rotation(double w, Vec q) {
  return {{Vec{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - w * q.z), 2 * (q.x * q.z + w * q.y)},
           {2 * (q.x * q.y + w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - w * q.x)},
           {2 * (q.x * q.z - w * q.y), 2 * (q.y * q.z + w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)}}};
}

// ---------------------------------------------------------------------------------------------------------------- formulas

// A formula of t, its derivative, and the branches that it took: where these change it has a corner.
struct Jet {
  double v = 0, d = 0;
};

class Formula {
 public:
  explicit Formula(double number) : root_{make('#', number)} {}
  explicit Formula(const std::string& text) : text_(text) {
    root_ = ternary();
    skip();
    if (at_ != text_.size()) fail();
  }
  Jet operator()(double t) const { return eval(*root_, t, nullptr); }
  std::string branches(double t) const {
    std::string b;
    eval(*root_, t, &b);
    return b;
  }
  const std::vector<double>& constants() const { return constants_; }

 private:
  struct Node {
    char op = '#';  // a number; otherwise an operator, or 'f' and the name of a function
    double number = 0;
    std::string name;
    std::vector<std::shared_ptr<Node>> of;
  };
  using Ptr = std::shared_ptr<Node>;
  std::string text_;
  std::size_t at_ = 0;
  std::vector<double> constants_;
  Ptr root_;

  static Ptr make(char op, double number = 0) {
    auto n = std::make_shared<Node>();
    n->op = op, n->number = number;
    return n;
  }
  static Ptr make(char op, Ptr a, Ptr b) {
    auto n = make(op);
    n->of.push_back(std::move(a));
    if (b) n->of.push_back(std::move(b));
    return n;
  }
  [[noreturn]] void fail() const { throw std::runtime_error("formula: " + text_ + " at " + std::to_string(at_)); }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(const char* word) {
    skip();
    const std::string w = word;
    if (text_.compare(at_, w.size(), w) != 0) return false;
    at_ += w.size();
    return true;
  }
  Ptr ternary() {
    Ptr condition = either();
    if (!take("?")) return condition;
    auto n = make('?');
    n->of.push_back(std::move(condition));
    n->of.push_back(ternary());
    if (!take(":")) fail();
    n->of.push_back(ternary());
    return n;
  }
  Ptr either() {
    Ptr a = both();
    while (take("||")) a = make('|', std::move(a), both());
    return a;
  }
  Ptr both() {
    Ptr a = comparison();
    while (take("&&")) a = make('&', std::move(a), comparison());
    return a;
  }
  Ptr comparison() {
    Ptr a = sum();
    for (;;) {
      const char op = take("<=")   ? 'l'
                      : take(">=") ? 'g'
                      : take("==") ? '='
                      : take("!=") ? 'n'
                      : take("<")  ? '<'
                      : take(">")  ? '>'
                                   : 0;
      if (!op) return a;
      a = make(op, std::move(a), sum());
    }
  }
  Ptr sum() {
    Ptr a = product();
    for (;;)
      if (take("+")) a = make('+', std::move(a), product());
      else if (take("-")) a = make('-', std::move(a), product());
      else return a;
  }
  Ptr product() {
    Ptr a = unary();
    for (;;)
      if (take("*")) a = make('*', std::move(a), unary());
      else if (take("/")) a = make('/', std::move(a), unary());
      else return a;
  }
  Ptr unary() {
    if (take("-")) return make('m', unary(), nullptr);
    if (take("+")) return unary();
    skip();
    if (text_.compare(at_, 2, "!=") != 0 && take("!")) return make('!', unary(), nullptr);
    return power();
  }
  Ptr power() {
    Ptr a = atom();
    if (take("^")) return make('^', std::move(a), unary());
    return a;
  }
  Ptr atom() {
    skip();
    if (take("(")) {
      Ptr a = ternary();
      if (!take(")")) fail();
      return a;
    }
    if (at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.')) {
      std::size_t used = 0;
      const double number = std::stod(text_.substr(at_), &used);
      at_ += used;
      constants_.push_back(number);
      return make('#', number);
    }
    std::string name;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) name += text_[at_++];
    if (name == "t") return make('t');
    if (name == "pi") return make('#', std::numbers::pi);
    if (name == "e") return make('#', std::numbers::e);
    if (name.empty() || !take("(")) fail();
    auto n = make('f');
    n->name = name;
    do n->of.push_back(ternary());
    while (take(","));
    if (!take(")")) fail();
    return n;
  }

  static Jet chosen(bool first, Jet a, Jet b, std::string* branches) {
    if (branches) *branches += first ? 'a' : 'b';
    return first ? a : b;
  }
  static Jet eval(const Node& n, double t, std::string* b) {
    const auto arg = [&](std::size_t i) { return eval(*n.of.at(i), t, b); };
    const auto truth = [&](bool yes) {
      if (b) *b += yes ? '1' : '0';
      return Jet{yes ? 1.0 : 0.0, 0};
    };
    switch (n.op) {
      case '#':
        return {n.number, 0};
      case 't':
        return {t, 1};
      case 'm': {
        const Jet x = arg(0);
        return {-x.v, -x.d};
      }
      case '+': {
        const Jet x = arg(0), y = arg(1);
        return {x.v + y.v, x.d + y.d};
      }
      case '-': {
        const Jet x = arg(0), y = arg(1);
        return {x.v - y.v, x.d - y.d};
      }
      case '*': {
        const Jet x = arg(0), y = arg(1);
        return {x.v * y.v, x.d * y.v + x.v * y.d};
      }
      case '/': {
        const Jet x = arg(0), y = arg(1);
        return {x.v / y.v, (x.d - x.v / y.v * y.d) / y.v};
      }
      case '^':
        return raised(arg(0), arg(1));
      case '<':
        return truth(arg(0).v < arg(1).v);
      case '>':
        return truth(arg(0).v > arg(1).v);
      case 'l':
        return truth(arg(0).v <= arg(1).v);
      case 'g':
        return truth(arg(0).v >= arg(1).v);
      case '=':
        return truth(arg(0).v == arg(1).v);
      case 'n':
        return truth(arg(0).v != arg(1).v);
      case '!':
        return truth(arg(0).v == 0);
      case '&': {
        const Jet x = arg(0), y = arg(1);
        return truth(x.v != 0 && y.v != 0);
      }
      case '|': {
        const Jet x = arg(0), y = arg(1);
        return truth(x.v != 0 || y.v != 0);
      }
      case '?': {
        const Jet c = arg(0), x = arg(1), y = arg(2);
        return chosen(c.v != 0, x, y, b);
      }
      default:
        break;
    }
    const Jet x = arg(0);
    const std::string& f = n.name;
    if (f == "sin") return {std::sin(x.v), std::cos(x.v) * x.d};
    if (f == "cos") return {std::cos(x.v), -std::sin(x.v) * x.d};
    if (f == "tan") return {std::tan(x.v), x.d / std::pow(std::cos(x.v), 2)};
    if (f == "exp") return {std::exp(x.v), std::exp(x.v) * x.d};
    if (f == "log") return {std::log(x.v), x.d / x.v};
    if (f == "sqrt") return {std::sqrt(x.v), x.d / (2 * std::sqrt(x.v))};
    if (f == "tanh") return {std::tanh(x.v), (1 - std::pow(std::tanh(x.v), 2)) * x.d};
    if (f == "abs") return chosen(x.v >= 0, x, {-x.v, -x.d}, b);
    if (f == "sign") return truth(x.v > 0), truth(x.v < 0), Jet{sign(x.v), 0};
    if (f == "step") return truth(x.v >= 0);
    if (f == "floor") {
      if (b) *b += std::to_string(static_cast<long>(std::floor(x.v)));
      return {std::floor(x.v), 0};
    }
    const Jet y = arg(1);
    if (f == "min") return chosen(x.v <= y.v, x, y, b);
    if (f == "max") return chosen(x.v >= y.v, x, y, b);
    if (f == "pow") return raised(x, y);
    if (f == "sat") {
      if (b) *b += y.v > x.v ? '+' : y.v < -x.v ? '-' : '0';
      return y.v > x.v ? x : y.v < -x.v ? Jet{-x.v, -x.d} : y;
    }
    if (f == "mod") {
      const double whole = std::floor(x.v / y.v);
      if (b) *b += std::to_string(static_cast<long>(whole));
      return {x.v - whole * y.v, x.d};
    }
    throw std::runtime_error("formula: no function " + f);
  }
  static Jet raised(Jet x, Jet y) {
    const double v = std::pow(x.v, y.v);
    double d = x.d == 0 ? 0 : y.v * std::pow(x.v, y.v - 1) * x.d;
    if (y.d != 0) d += v * std::log(x.v) * y.d;
    return {v, d};
  }
};

// ---------------------------------------------------------------------------------------------------------------- laws

enum class Id {
  None,
  Threshold,
  SmoothStatic,
  Specker,
  Dahl,
  LuGre,
  Elastoplastic,
  ModifiedLeuven,
  Gms,
  SingleState,
  Stribeck,
  Falling,
  Multistate,
  KelvinVoigt,
  KelvinVoigtClamped,
  Hertz,
  HuntCrossley,
  LinearCompliance,
  NonlinearCompliance,
  Spring,
};
const std::map<std::string, Id> law_ids = {{"threshold", Id::Threshold},
                                           {"smooth_static", Id::SmoothStatic},
                                           {"specker", Id::Specker},
                                           {"dahl", Id::Dahl},
                                           {"lugre", Id::LuGre},
                                           {"elastoplastic", Id::Elastoplastic},
                                           {"modified_leuven", Id::ModifiedLeuven},
                                           {"gms", Id::Gms},
                                           {"single_state", Id::SingleState},
                                           {"single_state_stribeck", Id::Stribeck},
                                           {"single_state_falling", Id::Falling},
                                           {"multistate", Id::Multistate},
                                           {"kelvin_voigt", Id::KelvinVoigt},
                                           {"kelvin_voigt_clamped", Id::KelvinVoigtClamped},
                                           {"hertz", Id::Hertz},
                                           {"hunt_crossley", Id::HuntCrossley},
                                           {"linear_compliance", Id::LinearCompliance},
                                           {"nonlinear_compliance", Id::NonlinearCompliance},
                                           {"spring", Id::Spring}};

struct Law {
  Id id = Id::None;
  double F = 0, K = 0, beta = 0, V = 0, F_c = 0, F_s = 0, v_s = 1, alpha = 0, B = 0, D = 0, a_ba = 0, n = 0, C = 0, tau_d = 0,
         d = 0, v_t = 0, v_sp = 0, v_0 = 0, T_1 = 0, lambda = 1, b2 = 0, beta1 = 0, beta2 = 0, gamma = 0, K3 = 0;
  std::vector<double> kappa, sigma, share;

  bool contact() const { return id >= Id::KelvinVoigt && id <= Id::NonlinearCompliance; }
  bool friction() const { return id != Id::None && id < Id::KelvinVoigt; }
  double stribeck(double speed) const { return F_c + (F_s - F_c) * std::exp(-std::pow(speed / v_s, alpha)); }
  double limit(double speed) const {
    switch (id) {
      case Id::SingleState:
      case Id::Dahl:
      case Id::Threshold:
        return F;
      case Id::Falling:
        return F_s / (1 + speed / V);
      default:
        return stribeck(speed);
    }
  }
  double curve(double v, double load) const {  // smooth_static
    const double peak = std::max(0.0, load * F_s - load * F_c * std::tanh(v_sp / v_t) - d * v_sp);
    return d * v + load * F_c * std::tanh(v / v_t) + peak * (v / v_sp) * std::exp(0.5 - v * v / (2 * v_sp * v_sp));
  }
  // Numbers of state, for slip in so many directions.
  int size(int dim) const {
    switch (id) {
      case Id::Specker:
      case Id::LinearCompliance:
      case Id::NonlinearCompliance:
        return 1;
      case Id::Dahl:
      case Id::LuGre:
      case Id::SingleState:
      case Id::Stribeck:
      case Id::Falling:
        return dim;
      case Id::Elastoplastic:
        return 1;
      case Id::ModifiedLeuven:
        return static_cast<int>(kappa.size());
      case Id::Gms:
        return 2 * static_cast<int>(kappa.size());
      case Id::Multistate:
        return dim * static_cast<int>(kappa.size()) + 1;
      default:
        return 0;
    }
  }
  // Their names as columns, behind that of the element.
  std::vector<std::string> names(int dim) const {
    const auto vector = [&](const std::string& name) {
      std::vector<std::string> all;
      for (int i = 0; i < dim; ++i) all.push_back(name + (dim == 1 ? "" : i == 0 ? ".x" : i == 1 ? ".y" : ".z"));
      return all;
    };
    std::vector<std::string> all;
    switch (id) {
      case Id::Specker:
        return {"f"};
      case Id::LinearCompliance:
        return {"e"};
      case Id::NonlinearCompliance:
      case Id::Elastoplastic:
        return {"a"};
      case Id::Dahl:
      case Id::LuGre:
      case Id::SingleState:
      case Id::Stribeck:
      case Id::Falling:
        return vector("a");
      case Id::ModifiedLeuven:
      case Id::Gms:
      case Id::Multistate:
        for (std::size_t i = 0; i < kappa.size(); ++i)
          for (const std::string& name : vector("a[" + std::to_string(i + 1) + "]")) all.push_back(name);
        if (id == Id::Gms)
          for (std::size_t i = 0; i < kappa.size(); ++i) all.push_back("s[" + std::to_string(i + 1) + "]");
        if (id == Id::Multistate) all.push_back("gamma");
        return all;
      default:
        return {};
    }
  }

  // Friction that resists the slip v, and the rate of its state.
  Vec resist(Vec v, double load, int dim, const double* z, double* zdot) const {
    const double speed = norm(v);
    const auto get = [&](int at) { return Vec{z[at], dim > 1 ? z[at + 1] : 0, dim > 2 ? z[at + 2] : 0}; };
    const auto put = [&](int at, Vec a) {
      for (int i = 0; i < dim; ++i) zdot[at + i] = a[i];
    };
    switch (id) {
      case Id::Threshold:
        return speed <= V ? (load * F / V) * v : (load * F / speed) * v;
      case Id::SmoothStatic:
        return {curve(v.x, load), 0, 0};
      case Id::Specker:
        zdot[0] = (1 - std::exp(-std::pow(v.x / v_0, 2))) / T_1 * (curve(v.x, load) - z[0]);
        return {z[0], 0, 0};
      case Id::Dahl:
      case Id::LuGre: {
        // A load that has fallen carries 5/4 of the highest friction at most; the rest of the deflection is lost in 10 ms.
        const Vec a = get(0);
        const double g = limit(speed) * load, most = 1.25 * (id == Id::Dahl ? F : F_s) * load, bent = K * norm(a);
        const double share_borne = bent > most ? most / bent : most > 0 ? 1 : 0;
        const Vec carried = share_borne * a, slip = g > 0 ? share_borne * (v - (speed * K / g) * carried) : Vec{};
        put(0, slip - (1 / 0.01) * (a - carried));
        return K * carried + B * slip + D * v;
      }
      case Id::Elastoplastic: {
        const double g = std::max(stribeck(speed) * load, 1e-6 * K * std::abs(z[0])), a = std::abs(z[0]), low = a_ba * load,
                     high = g / K;
        double A = 0;
        if (z[0] * v.x > 0 && a > low)
          A = a >= high ? 1 : 0.5 + 0.5 * std::sin(std::numbers::pi * (a - (high + low) / 2) / (high - low));
        zdot[0] = v.x * (1 - A * K * z[0] * sign(v.x) / g);
        return {K * z[0] + B * zdot[0] + D * v.x, 0, 0};
      }
      case Id::ModifiedLeuven: {
        double held = 0;
        for (std::size_t i = 0; i < kappa.size(); ++i) held += kappa[i] * z[i];
        const double ratio = held / (sign(v.x) * std::max(stribeck(speed) * load, 1e-6 * std::abs(held)));
        const double rate = v.x == 0 ? 0 : v.x * (1 - sign(ratio) * std::pow(std::abs(ratio), n));
        for (std::size_t i = 0; i < kappa.size(); ++i)
          zdot[i] = (saturate(share[i] * F_s * load / kappa[i], {z[i] + beta * rate, 0, 0}).x - z[i]) / beta;
        return {held + B * rate + D * v.x, 0, 0};
      }
      case Id::Gms: {
        const double g = stribeck(speed) * load;
        const std::size_t N = kappa.size();
        double f = 0;
        for (std::size_t i = 0; i < N; ++i) {
          const double s = z[N + i];
          zdot[i] = s == 0 ? v.x : s * (C * share[i] / kappa[i]) * (1 - s * kappa[i] * z[i] / (share[i] * g));
          zdot[N + i] = 0;
          f += kappa[i] * z[i] + sigma[i] * zdot[i];
        }
        return {f, 0, 0};
      }
      case Id::SingleState:
      case Id::Stribeck:
      case Id::Falling: {
        const Vec a = get(0), held = saturate(limit(speed) * load / K, a + beta * v);
        put(0, (1 / beta) * (held - a));
        return K * held;
      }
      case Id::Multistate: {
        Vec f;
        const int at = dim * static_cast<int>(kappa.size());
        zdot[at] = (stribeck(speed) - z[at]) / tau_d;
        for (int i = 0; i < static_cast<int>(kappa.size()); ++i) {
          const Vec a = get(dim * i), part = saturate(share[i] * z[at] * load, kappa[i] * a + sigma[i] * v);
          put(dim * i, (1 / sigma[i]) * (part - kappa[i] * a));
          f += part;
        }
        return f;
      }
      default:
        return {};
    }
  }
  // The force that pushes apart, and the rate of its state.
  double push(double gap, double rate, const double* z, double* zdot) const {
    const double depth = -gap, in = -rate;
    switch (id) {
      case Id::KelvinVoigt:
        return depth >= 0 ? K * depth + B * in : 0;
      case Id::KelvinVoigtClamped:
        return depth >= 0 ? std::max(0.0, K * depth + B * in) : 0;
      case Id::Hertz:
        return depth > 0 ? K * std::pow(depth, lambda) : 0;
      case Id::HuntCrossley:
        return depth > 0 ? K * std::pow(depth, lambda) * (1 + b2 * in) : 0;
      case Id::LinearCompliance:
        zdot[0] = std::max(-z[0] / beta, -(gap + z[0]) / alpha);
        return K * std::max(0.0, z[0] - beta * (gap + z[0]) / alpha);
      case Id::NonlinearCompliance: {
        const double w = sign(depth) * std::pow(std::abs(depth), lambda), memory = gamma * (beta1 + beta2 * z[0]);
        zdot[0] = std::max(-gamma * z[0] / (1 + memory), gamma * (w - z[0]));
        return K * std::max(0.0, w + memory * (w - z[0]));
      }
      default:
        return 0;
    }
  }
};

// ---------------------------------------------------------------------------------------------------------------- the world

// One thing that has a place: a mass, a rigid body, a body on a given course, a joint of an arm, the ground.
struct Place {
  Vec p, v, w;      // position, velocity, spin
  double turn = 1;  // the real part of its quaternion
  Vec axis;         // and the others
  Matrix R{{Vec{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Vec force, torque;  // what acts on it
};

enum class Kind { Ground, Mass, Rigid, Course, Joint };

struct Body {
  Kind kind = Kind::Ground;
  std::string name;
  int dim = 3;
  int at = -1;  // where its state begins
  double mass = 1;
  Vec gravity;
  Matrix inertia{{Vec{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  std::string shape;
  double radius = 0, length = 0;
  Vec sides;
  std::map<std::string, Vec> points;
  std::vector<Formula> course, angle;  // of a Course
  Vec about, constant;                 // axis of its angle; its constant velocity
  bool moves_evenly = false;
};

struct Arm {
  std::vector<double> length, mass;
  Vec gravity;
  int first = 0;  // its first joint among the places
  int at = 0;     // angles, then rates
};

enum class Acts { Line, Direction, Everywhere, Plane, Balls, Points, Hinge };

struct Element {
  std::string name;
  Acts acts = Acts::Line;
  int a = 0, b = 0;          // places
  Law law, slide;            // of a frictional contact law is the normal one
  int dim = 1;               // of slip
  int at = 0, slide_at = 0;  // where their states begin
  double load = 1;
  Vec direction;
  double offset = 0, radius_a = 0, radius_b = 0;
  Vec point_a, point_b, axis_a, axis_b;                   // in the bodies
  double pull_K = 0, pull_B = 0, turn_K = 0, turn_B = 0;  // of a hinge
};

struct Push {
  int place = 0;
  bool turns = false;
  std::vector<Formula> of;
};

struct Run {
  double duration = 0, step = 0, rtol = 0, atol = 0;
  std::string method;
  bool preload = false;
};

using State = std::vector<double>;

// What an evaluation saw, of each element that touches or switches.
struct Seen {
  std::vector<double> gap, rate, force;    // of each contact
  std::vector<double> guard;               // of each element of a gms: changes sign where it switches
  std::vector<double> use;                 // of each element with friction: its force as a share of its limit
  std::vector<Vec> acceleration, angular;  // of each place
};

class Scene {
 public:
  explicit Scene(const std::string& file);

  Run run;
  std::vector<Body> bodies;  // the first is the ground
  std::vector<Arm> arms;
  std::vector<Element> elements;
  std::vector<Push> pushes;
  State start;
  std::vector<std::string> columns;  // of the state, as the program names them
  std::vector<double> corners;

  void rate(double t, const State& x, State& xdot, Seen* seen = nullptr) const;
  void places(double t, const State& x) const;
  mutable std::vector<Place> place;
  mutable long evaluations = 0;
  // What is compared: of each body position, velocity, rotation, spin, and their columns.
  struct Group {
    std::string name;
    int place;
    char what;  // p v q w
    std::vector<std::string> columns;
  };
  std::vector<Group> groups;
  static double value(const Place& p, char what, int i) {
    return what == 'p' ? p.p[i] : what == 'v' ? p.v[i] : what == 'w' ? p.w[i] : i == 0 ? p.turn : p.axis[i - 1];
  }
  void switch_modes(const State& before, State& x, double t) const;
  bool has_switches() const { return switches_; }

 private:
  bool switches_ = false;
  void react(const Element& e, const State& x, State& xdot, Seen* seen) const;
  int find(const std::string& end, std::optional<Vec>* point) const;
  void add_columns(int index);
  void add_element(const toml::table& t);
  void find_corners();
};

double number(const toml::node_view<const toml::node>& n, double otherwise = 0) {
  const auto v = n.value<double>();
  return v ? *v : otherwise;
}
std::vector<double> numbers(const toml::node_view<const toml::node>& n) {
  std::vector<double> all;
  if (const auto* list = n.as_array())
    for (const auto& v : *list) all.push_back(v.value<double>().value_or(0));
  else if (n.value<double>()) all.push_back(*n.value<double>());
  return all;
}
Vec vec(const std::vector<double>& all) {
  return {!all.empty() ? all[0] : 0, all.size() > 1 ? all[1] : 0, all.size() > 2 ? all[2] : 0};
}
std::vector<Formula> formulas(const toml::node_view<const toml::node>& n) {
  std::vector<Formula> all;
  const auto one = [&](const toml::node& v) {
    if (const auto text = v.value<std::string>()) all.emplace_back(*text);
    else all.emplace_back(v.value<double>().value_or(0));
  };
  if (const auto* list = n.as_array())
    for (const auto& v : *list) one(v);
  else if (n) one(*n.node());
  return all;
}

Law read_law(const toml::table& t) {
  Law l;
  const std::string name = t["law"].value_or(std::string{});
  if (!law_ids.count(name)) throw std::runtime_error("no law " + name + " here");
  l.id = law_ids.at(name);
  const std::map<std::string, double*> fields = {
      {"F", &l.F},     {"K", &l.K},         {"beta", &l.beta},   {"V", &l.V},         {"F_c", &l.F_c},     {"F_s", &l.F_s},
      {"v_s", &l.v_s}, {"alpha", &l.alpha}, {"B", &l.B},         {"D", &l.D},         {"a_ba", &l.a_ba},   {"n", &l.n},
      {"C", &l.C},     {"tau_d", &l.tau_d}, {"d", &l.d},         {"v_t", &l.v_t},     {"v_sp", &l.v_sp},   {"v_0", &l.v_0},
      {"T_1", &l.T_1}, {"b2", &l.b2},       {"beta1", &l.beta1}, {"beta2", &l.beta2}, {"gamma", &l.gamma}, {"K3", &l.K3}};
  for (const auto& [key, to] : fields) *to = number(t[key], *to);
  l.kappa = numbers(t["kappa"]);
  l.sigma = numbers(t["sigma"]);
  if (l.contact()) l.lambda = number(t["lambda"], 1);
  else l.share = numbers(t["lambda"]);
  return l;
}

Scene::Scene(const std::string& file) {
  const toml::table root = toml::parse_file(file);
  const toml::table empty;
  const auto view = [](const toml::table& t) { return toml::node_view<const toml::node>(static_cast<const toml::node*>(&t)); };
  const auto r = view(root)["run"];
  run = {number(r["duration"]),       number(r["step"]), number(r["rtol"]), number(r["atol"]), r["method"].value_or(std::string{}),
         r["preload"].value_or(false)};
  bodies.emplace_back().name = "ground";
  const auto world_gravity = view(root)["world"]["gravity"];

  if (const auto* list = root["body"].as_array())
    for (const auto& node : *list) {
      const toml::table& t = *node.as_table();
      const auto b = view(t);
      const std::string kind = b["kind"].value_or(std::string{}), name = b["name"].value_or(std::string{});
      const auto gravity = b["gravity"] ? b["gravity"] : world_gravity;
      const std::vector<double> g = numbers(gravity);
      if (kind == "arm") {
        Arm arm;
        for (const auto& rod : *t["rods"].as_array()) {
          arm.length.push_back(number(view(*rod.as_table())["length"]));
          arm.mass.push_back(number(view(*rod.as_table())["mass"]));
        }
        if (g.size() == 2) arm.gravity = vec(g);
        arm.first = static_cast<int>(bodies.size());
        arm.at = static_cast<int>(start.size());
        std::vector<double> angles = numbers(b["angles"]), rates = numbers(b["rates"]);
        angles.resize(arm.length.size());
        rates.resize(arm.length.size());
        for (std::size_t i = 0; i < arm.length.size(); ++i) {
          Body joint;
          joint.kind = Kind::Joint, joint.name = name + ".joint" + std::to_string(i + 1), joint.dim = 1;
          joint.at = static_cast<int>(start.size() + i);
          bodies.push_back(joint);
          groups.push_back({joint.name + ".position", static_cast<int>(bodies.size()) - 1, 'p', {joint.name + ".position"}});
          groups.push_back({joint.name + ".velocity", static_cast<int>(bodies.size()) - 1, 'v', {joint.name + ".velocity"}});
        }
        for (std::size_t i = 0; i < angles.size(); ++i)
          start.push_back(angles[i]), columns.push_back(name + ".joint" + std::to_string(i + 1) + ".position");
        for (std::size_t i = 0; i < rates.size(); ++i)
          start.push_back(rates[i]), columns.push_back(name + ".joint" + std::to_string(i + 1) + ".velocity");
        arms.push_back(arm);
        continue;
      }
      Body body;
      body.name = name;
      body.mass = number(b["mass"], 1);
      body.shape = b["shape"].value_or(std::string{});
      body.radius = number(b["radius"]), body.length = number(b["length"]), body.sides = vec(numbers(b["sides"]));
      if (const auto* points = t["points"].as_table())
        for (const auto& [key, value] : *points) body.points[std::string{key.str()}] = vec(numbers(view(*points)[key.str()]));
      if (kind == "mass") {
        body.kind = Kind::Mass;
        const std::vector<double> p = numbers(b["position"]), v = numbers(b["velocity"]);
        body.dim = static_cast<int>(std::max<std::size_t>({p.size(), v.size(), 1}));
        if (body.dim > 1 || g.size() == 1) body.gravity = vec(g);
        body.at = static_cast<int>(start.size());
        for (int i = 0; i < body.dim; ++i) start.push_back(vec(p)[i]);
        for (int i = 0; i < body.dim; ++i) start.push_back(vec(v)[i]);
      } else if (kind == "rigid_body") {
        body.kind = Kind::Rigid;
        body.gravity = vec(g);
        const double m = body.mass, R = body.radius, L = body.length;
        Vec I;
        if (body.shape == "sphere") I = (0.4 * m * R * R) * Vec{1, 1, 1};
        const Vec s = body.sides;
        if (body.shape == "box") I = (m / 12) * Vec{s.y * s.y + s.z * s.z, s.x * s.x + s.z * s.z, s.x * s.x + s.y * s.y};
        if (body.shape == "cylinder") I = {m * (3 * R * R + L * L) / 12, m * (3 * R * R + L * L) / 12, m * R * R / 2};
        if (body.shape == "capsule") {  // a cylinder and two half spheres, whose centres of mass are 3R/8 from their faces
          const double tube = L / (L + 4 * R / 3) * m, caps = m - tube, out = L / 2 + 3 * R / 8;
          const double across = tube * (3 * R * R + L * L) / 12 + caps * (0.4 * R * R - std::pow(3 * R / 8, 2) + out * out);
          I = {across, across, tube * R * R / 2 + caps * 0.4 * R * R};
        }
        std::vector<double> given = numbers(b["inertia"]);
        if (given.size() >= 3) I = vec(given);
        given.resize(6);
        body.inertia = {{Vec{I.x, given[3], given[4]}, {given[3], I.y, given[5]}, {given[4], given[5], I.z}}};
        body.at = static_cast<int>(start.size());
        const Vec p = vec(numbers(b["position"])), v = vec(numbers(b["velocity"])), w = vec(numbers(b["spin"]));
        std::vector<double> q = numbers(b["rotation"]);
        if (q.size() != 4) q = {1, 0, 0, 0};
        for (const double x : {p.x, p.y, p.z, q[0], q[1], q[2], q[3], v.x, v.y, v.z, w.x, w.y, w.z}) start.push_back(x);
      } else if (kind == "prescribed") {
        body.kind = Kind::Course;
        body.course = formulas(b["position"]);
        if (body.course.empty()) body.course.emplace_back(0.0);
        if (b["velocity"]) body.moves_evenly = true, body.constant = vec(numbers(b["velocity"]));
        body.dim = static_cast<int>(std::max(body.course.size(), numbers(b["velocity"]).size()));
        if (b["rotation"].is_table()) {
          body.about = vec(numbers(b["rotation"]["axis"]));
          body.about = (1 / norm(body.about)) * body.about;
          body.angle = formulas(b["rotation"]["angle"]);
        }
      } else {
        throw std::runtime_error("no body " + kind + " here");
      }
      bodies.push_back(body);
      add_columns(static_cast<int>(bodies.size()) - 1);
    }
  place.resize(bodies.size());

  if (const auto* list = root["element"].as_array())
    for (const auto& node : *list) add_element(*node.as_table());
  if (const auto* list = root["input"].as_array())
    for (const auto& node : *list) {
      const auto in = view(*node.as_table());
      const int on = find(in["on"].value_or(std::string{}), nullptr);
      if (in["force"]) pushes.push_back({on, false, formulas(in["force"])});
      if (in["torque"]) pushes.push_back({on, bodies[on].kind == Kind::Rigid, formulas(in["torque"])});
    }
  find_corners();
}

void Scene::add_columns(int index) {
  const Body& b = bodies[index];
  const bool turns = b.kind == Kind::Rigid;
  const auto group = [&](const std::string& what, char key, int dim, const char* letters) {
    Group g{b.name + "." + what, index, key, {}};
    for (int i = 0; i < dim; ++i) g.columns.push_back(g.name + (dim == 1 ? "" : std::string{"."} + letters[i]));
    if (b.kind != Kind::Course) {
      groups.push_back(g);
      columns.insert(columns.end(), g.columns.begin(), g.columns.end());
    }
  };
  group("position", 'p', b.dim, "xyz");
  if (turns) group("rotation", 'q', 4, "wxyz");
  group("velocity", 'v', b.dim, "xyz");
  if (turns) group("spin", 'w', 3, "xyz");
}

int Scene::find(const std::string& end, std::optional<Vec>* point) const {
  const auto at = end.find('@');
  const std::string name = end.substr(0, at);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].name == name) {
      if (at != std::string::npos && point) *point = bodies[i].points.at(end.substr(at + 1));
      return static_cast<int>(i);
    }
  throw std::runtime_error("no body " + end);
}

void Scene::add_element(const toml::table& table) {
  const toml::node_view<const toml::node> t(static_cast<const toml::node*>(&table));
  Element e;
  e.name = t["name"].value_or(std::string{});
  std::optional<Vec> on_a, on_b;
  e.a = find(t["between"][0].value_or(std::string{}), &on_a);
  e.b = find(t["between"][1].value_or(std::string{}), &on_b);
  const Body &a = bodies[e.a], &b = bodies[e.b];
  const std::string law = t["law"].value_or(std::string{});
  e.load = number(t["load"], 1);
  e.offset = number(t["offset"]);
  e.direction = vec(numbers(t["direction"]));
  if (on_a) e.point_a = *on_a;
  if (on_b) e.point_b = *on_b;

  const auto add = [&](Element each) {
    const bool twice = each.law.id == Id::NonlinearCompliance;  // both laws of the contact have a state a
    const auto state = [&](const Law& l) {
      const int at = static_cast<int>(start.size());
      for (const std::string& name : l.names(each.dim))
        columns.push_back(each.name + (twice && l.friction() ? ".tangential." : ".") + name);
      for (int i = 0; i < l.size(each.dim); ++i) start.push_back(0);
      if (l.id == Id::Multistate) start.back() = l.F_s;
      if (l.id == Id::Gms) switches_ = true;
      return at;
    };
    each.at = state(each.law);
    each.slide_at = state(each.slide);
    elements.push_back(each);
  };

  if (law == "hinge") {
    e.acts = Acts::Hinge;
    e.slide = read_law(*table["friction"].as_table());
    e.pull_K = number(t["K"]), e.pull_B = number(t["B_pull"]), e.turn_K = number(t["K_turn"]), e.turn_B = number(t["B_turn"]);
    if (t["anchor_a"]) e.point_a = vec(numbers(t["anchor_a"]));
    if (t["anchor_b"]) e.point_b = vec(numbers(t["anchor_b"]));
    e.axis_a = vec(numbers(t["axis_a"])), e.axis_b = vec(numbers(t["axis_b"]));
    return add(e);
  }
  if (law == "frictional_contact") {
    e.law = read_law(*table["normal"].as_table());
    e.slide = read_law(*table["friction"].as_table());
    e.dim = a.kind == Kind::Mass ? a.dim : 3;
    if (t["direction"]) {
      e.acts = Acts::Plane;
      if (a.kind != Kind::Rigid || t["centre"] || t["radius"] || on_a || a.shape == "sphere") {
        if (t["centre"]) e.point_a = vec(numbers(t["centre"]));
        e.radius_a = t["radius"] ? number(t["radius"]) : a.shape == "sphere" && !on_a ? a.radius : 0;
        return add(e);
      }
      std::vector<Vec> balls;
      if (a.shape == "capsule") balls = {{0, 0, -a.length / 2}, {0, 0, a.length / 2}}, e.radius_a = a.radius;
      else if (a.shape == "box")
        for (const double z : {-1, 1})
          for (const double y : {-1, 1})
            for (const double x : {-1, 1}) balls.push_back(0.5 * Vec{x * a.sides.x, y * a.sides.y, z * a.sides.z});
      else throw std::runtime_error("no points of contact: " + e.name);
      const std::string name = e.name;
      for (std::size_t i = 0; i < balls.size(); ++i) {
        e.name = name + "." + std::to_string(i + 1);
        e.point_a = balls[i];
        add(e);
      }
      return;
    }
    e.acts = Acts::Balls;
    e.radius_a = t["radius_a"] ? number(t["radius_a"]) : a.radius;
    e.radius_b = t["radius_b"] ? number(t["radius_b"]) : b.radius;
    return add(e);
  }
  const Law read = read_law(table);
  (read.friction() ? e.slide : e.law) = read;
  if (a.kind == Kind::Rigid || b.kind == Kind::Rigid) {
    e.acts = Acts::Points;
    if (t["point_a"]) e.point_a = vec(numbers(t["point_a"]));
    if (t["point_b"]) e.point_b = vec(numbers(t["point_b"]));
    return add(e);
  }
  const int dim = e.a == 0 ? b.dim : a.dim;
  e.acts = dim == 1 ? Acts::Line : t["direction"] ? Acts::Direction : Acts::Everywhere;
  if (e.acts == Acts::Line) e.direction = {1, 0, 0};
  e.dim = e.acts == Acts::Everywhere ? dim : 1;
  add(e);
}

// Where the branches of a formula change: between samples, and beside every constant that is written in it.
void Scene::find_corners() {
  std::set<double> found;
  const auto look = [&](const Formula& f) {
    std::vector<double> times;
    for (int i = 0; i <= 20000; ++i) times.push_back(run.duration * i / 20000);
    for (const double c : f.constants())
      for (const double side : {-1e-9, 0.0, 1e-9})
        if (c + side > 0 && c + side < run.duration) times.push_back(c + side);
    std::sort(times.begin(), times.end());
    for (std::size_t i = 1; i < times.size(); ++i) {
      double low = times[i - 1], high = times[i];
      if (low == high || f.branches(low) == f.branches(high)) continue;
      const std::string before = f.branches(low);
      while (high - low > 1e-15 * (1 + high)) {
        const double middle = (low + high) / 2;
        if (middle <= low || middle >= high) break;
        (f.branches(middle) == before ? low : high) = middle;
      }
      found.insert(high);
    }
  };
  for (const Push& p : pushes)
    for (const Formula& f : p.of) look(f);
  for (const Body& b : bodies) {
    for (const Formula& f : b.course) look(f);
    for (const Formula& f : b.angle) look(f);
  }
  for (const double c : found)
    if (c > 0 && c < run.duration) corners.push_back(c);
}

void Scene::places(double t, const State& x) const {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& b = bodies[i];
    Place& p = place[i];
    p.force = p.torque = {};
    switch (b.kind) {
      case Kind::Ground:
        break;
      case Kind::Mass:
        for (int k = 0; k < b.dim; ++k) p.p[k] = x[b.at + k], p.v[k] = x[b.at + b.dim + k];
        break;
      case Kind::Rigid: {
        const double* s = &x[b.at];
        const double length = std::sqrt(s[3] * s[3] + s[4] * s[4] + s[5] * s[5] + s[6] * s[6]);
        p.p = {s[0], s[1], s[2]};
        p.turn = s[3] / length, p.axis = {s[4] / length, s[5] / length, s[6] / length};
        p.v = {s[7], s[8], s[9]}, p.w = {s[10], s[11], s[12]};
        p.R = rotation(p.turn, p.axis);
        break;
      }
      case Kind::Course: {
        for (std::size_t k = 0; k < b.course.size(); ++k) {
          const Jet j = b.course[k](t);
          p.p[static_cast<int>(k)] = j.v, p.v[static_cast<int>(k)] = j.d;
        }
        if (b.moves_evenly) p.p += t * b.constant, p.v = b.constant;
        if (!b.angle.empty()) {
          const Jet j = b.angle[0](t);
          p.turn = std::cos(j.v / 2), p.axis = std::sin(j.v / 2) * b.about;
          p.w = j.d * b.about;
          p.R = rotation(p.turn, p.axis);
        }
        break;
      }
      case Kind::Joint:
        break;
    }
  }
  for (const Arm& arm : arms)
    for (std::size_t k = 0; k < arm.length.size(); ++k) {
      place[arm.first + k].p = {x[arm.at + k], 0, 0};
      place[arm.first + k].v = {x[arm.at + arm.length.size() + k], 0, 0};
    }
}

void Scene::react(const Element& e, const State& x, State& xdot, Seen* seen) const {
  Place &a = place[e.a], &b = place[e.b];
  const double *z = x.data() + e.at, *y = x.data() + e.slide_at;
  double *zdot = xdot.data() + e.at, *ydot = xdot.data() + e.slide_at;
  const auto contact = [&](double gap, double rate) {
    const double f = e.law.push(gap, rate, z, zdot);
    if (seen) seen->gap.push_back(gap), seen->rate.push_back(rate), seen->force.push_back(f);
    return f;
  };
  const auto friction = [&](Vec v, double load) {
    if (e.law.contact() && load <= 0) v = {};  // what is open neither slips nor rubs
    Vec f = e.slide.resist(v, load, e.dim, y, ydot);
    if (e.law.contact() && load <= 0) f = {};
    if (seen) {
      const double limit =
          e.slide.id == Id::SmoothStatic || e.slide.id == Id::Specker ? e.slide.F_s * load : e.slide.limit(norm(v)) * load;
      seen->use.push_back(limit > 0 ? norm(f) / limit : 0);
      if (e.slide.id == Id::Gms) {
        const std::size_t N = e.slide.kappa.size();
        for (std::size_t i = 0; i < N; ++i)
          seen->guard.push_back(y[N + i] == 0
                                    ? e.slide.share[i] * e.slide.stribeck(norm(v)) * load - std::abs(e.slide.kappa[i] * y[i])
                                    : v.x * y[N + i]);
      }
    }
    return f;
  };
  const auto both = [&](Vec f, Vec arm_a, Vec arm_b) {  // f on a, -f on b
    a.force += f, b.force -= f;
    a.torque += cross(arm_a, f), b.torque -= cross(arm_b, f);
  };
  switch (e.acts) {
    case Acts::Line:
    case Acts::Direction: {
      const Vec n = e.direction;
      const double s = dot(n, a.p - b.p) - e.offset, v = dot(n, a.v - b.v);
      double f = 0;
      if (e.law.id == Id::Spring) f = -(e.law.K * s + e.law.K3 * s * s * s + e.law.B * v);
      else if (e.law.contact()) f = contact(s, v);
      else f = -friction({v, 0, 0}, e.load).x;
      both(f * n, {}, {});
      break;
    }
    case Acts::Everywhere:
      both(-1 * friction(a.v - b.v, e.load), {}, {});
      break;
    case Acts::Plane: {
      const Vec n = e.direction, centre = a.R * e.point_a, arm = centre - e.radius_a * n;
      const Vec v = a.v + cross(a.w, arm) - b.v;
      const double rate = dot(n, v), N = contact(dot(n, a.p + centre - b.p) - e.offset - e.radius_a, rate);
      const Vec f = friction(v - rate * n, std::max(0.0, N));
      both(N * n - f, arm, {});
      break;
    }
    case Acts::Balls: {
      const Vec apart = a.p - b.p, n = (1 / norm(apart)) * apart;
      const double gap = norm(apart) - e.radius_a - e.radius_b;
      const Vec arm_a = -(e.radius_a + gap / 2) * n, arm_b = (e.radius_b + gap / 2) * n;  // one point, halfway between the surfaces
      const Vec v = a.v + cross(a.w, arm_a) - b.v - cross(b.w, arm_b);
      const double rate = dot(n, v), N = contact(gap, rate);
      const Vec f = friction(v - rate * n, std::max(0.0, N));
      both(N * n - (f - dot(f, n) * n), arm_a, arm_b);
      break;
    }
    case Acts::Points: {
      const Vec arm_a = a.R * e.point_a, arm_b = b.R * e.point_b, apart = a.p + arm_a - b.p - arm_b;
      const double length = norm(apart);
      if (length == 0) break;
      const Vec n = (1 / length) * apart, v = a.v + cross(a.w, arm_a) - b.v - cross(b.w, arm_b);
      const double s = length - e.offset;
      both(-(e.law.K * s + e.law.K3 * s * s * s + e.law.B * dot(n, v)) * n, arm_a, arm_b);
      break;
    }
    case Acts::Hinge: {
      const Vec arm_a = a.R * e.point_a, arm_b = b.R * e.point_b, axis_a = a.R * e.axis_a, axis_b = b.R * e.axis_b;
      const Vec apart = a.p + arm_a - b.p - arm_b, v = a.v + cross(a.w, arm_a) - b.v - cross(b.w, arm_b), w = a.w - b.w;
      both(-e.pull_K * apart - e.pull_B * v, arm_a, arm_b);
      const double about = dot(w, axis_a);
      const Vec torque = e.turn_K * cross(axis_a, axis_b) - e.turn_B * (w - about * axis_a) - friction({about, 0, 0}, 1).x * axis_a;
      a.torque += torque, b.torque -= torque;
      break;
    }
  }
}

void Scene::rate(double t, const State& x, State& xdot, Seen* seen) const {
  ++evaluations;
  places(t, x);
  for (const Push& p : pushes) {
    Vec f;
    for (std::size_t k = 0; k < p.of.size(); ++k) f[static_cast<int>(k)] = p.of[k](t).v;
    (p.turns ? place[p.place].torque : place[p.place].force) += f;
  }
  if (seen) {
    *seen = {};
    seen->acceleration.resize(bodies.size()), seen->angular.resize(bodies.size());
  }
  for (const Element& e : elements) react(e, x, xdot, seen);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& b = bodies[i];
    const Place& p = place[i];
    if (b.kind == Kind::Mass) {
      const Vec acceleration = b.gravity + (1 / b.mass) * p.force;
      for (int k = 0; k < b.dim; ++k) xdot[b.at + k] = p.v[k], xdot[b.at + b.dim + k] = acceleration[k];
      if (seen) seen->acceleration[i] = acceleration;
    } else if (b.kind == Kind::Rigid) {
      const Vec acceleration = b.gravity + (1 / b.mass) * p.force;
      const Matrix back = transposed(p.R);
      const Vec w = back * p.w, turned = p.R * (inverse(b.inertia) * (back * p.torque - cross(w, b.inertia * w)));
      double* d = &xdot[b.at];
      d[0] = p.v.x, d[1] = p.v.y, d[2] = p.v.z;
      const Vec q = p.turn * p.w + cross(p.w, p.axis);
      d[3] = -dot(p.w, p.axis) / 2, d[4] = q.x / 2, d[5] = q.y / 2, d[6] = q.z / 2;
      d[7] = acceleration.x, d[8] = acceleration.y, d[9] = acceleration.z;
      d[10] = turned.x, d[11] = turned.y, d[12] = turned.z;
      if (seen) seen->acceleration[i] = acceleration, seen->angular[i] = turned;
    }
  }
  // Lagrange's equations of a chain of rods in absolute angles; c[k][i] is the lever of rod k's centre of mass about joint i.
  for (const Arm& arm : arms) {
    const std::size_t n = arm.length.size();
    std::vector<double> angle(n), spin(n), right(n);
    std::vector<std::vector<double>> M(n, std::vector<double>(n));
    for (std::size_t i = 0; i < n; ++i) {
      angle[i] = x[arm.at + i] + (i ? angle[i - 1] : 0);
      spin[i] = x[arm.at + n + i] + (i ? spin[i - 1] : 0);
    }
    const auto lever = [&](std::size_t k, std::size_t i) { return i < k ? arm.length[i] : i == k ? arm.length[i] / 2 : 0; };
    for (std::size_t i = 0; i < n; ++i) {
      right[i] = place[arm.first + i].force.x - (i + 1 < n ? place[arm.first + i + 1].force.x : 0);
      for (std::size_t k = i; k < n; ++k)
        right[i] += arm.mass[k] * lever(k, i) * (-std::sin(angle[i]) * arm.gravity.x + std::cos(angle[i]) * arm.gravity.y);
      for (std::size_t j = 0; j < n; ++j) {
        double coupling = i == j ? arm.mass[i] * arm.length[i] * arm.length[i] / 12 : 0, sweep = 0;
        for (std::size_t k = std::max(i, j); k < n; ++k)
          coupling += arm.mass[k] * lever(k, i) * lever(k, j), sweep += arm.mass[k] * lever(k, i) * lever(k, j);
        M[i][j] = i == j ? coupling : sweep * std::cos(angle[i] - angle[j]);
        right[i] -= i == j ? 0 : sweep * std::sin(angle[i] - angle[j]) * spin[j] * spin[j];
      }
    }
    for (std::size_t i = 0; i < n; ++i)  // the matrix is positive definite: no pivots
      for (std::size_t j = i + 1; j < n; ++j) {
        const double factor = M[j][i] / M[i][i];
        for (std::size_t k = i; k < n; ++k) M[j][k] -= factor * M[i][k];
        right[j] -= factor * right[i];
      }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k) right[i] -= M[i][k] * right[k];
      right[i] /= M[i][i];
    }
    for (std::size_t i = 0; i < n; ++i) {
      xdot[arm.at + i] = x[arm.at + n + i];
      xdot[arm.at + n + i] = right[i] - (i ? right[i - 1] : 0);
      if (seen) seen->acceleration[arm.first + i].x = xdot[arm.at + n + i];
    }
  }
}

// The elements of gms whose guard has changed its sign: from stick to slip in the direction of motion, from slip to stick.
void Scene::switch_modes(const State& before, State& x, double t) const {
  (void)before;
  places(t, x);
  for (const Element& e : elements) {
    if (e.slide.id != Id::Gms) continue;
    const double v = dot(e.direction, place[e.a].v - place[e.b].v), g = e.slide.stribeck(std::abs(v)) * e.load;
    const std::size_t N = e.slide.kappa.size();
    for (std::size_t i = 0; i < N; ++i) {
      double& s = x[e.slide_at + N + i];
      const double held = e.slide.kappa[i] * x[e.slide_at + i];
      if (s == 0 && std::abs(held) >= e.slide.share[i] * g && held * v > 0) s = sign(v);
      else if (s != 0 && v * s <= 0) s = 0;
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------- integration

struct TooMuchWork : std::runtime_error {
  TooMuchWork() : std::runtime_error("too much work") {}
};

struct Impact {
  std::size_t contact;
  double touch, release, in, out;
};

// Dormand and Prince, 5(4).
class Integrator {
 public:
  Integrator(const Scene& scene, State x, double rtol, double atol, long work)
      : scene_(scene), x_(std::move(x)), rtol_(rtol), atol_(atol), work_(work) {
    for (State& k : k_) k.resize(x_.size());
    h_max_ = scene.run.duration / 500;
    h_ = h_max_ / 1000;
    for (const Element& e : scene.elements)
      if (e.law.contact()) sticky_.push_back(e.law.id == Id::KelvinVoigt || e.law.id == Id::HuntCrossley);
    look();
  }
  const State& state() const { return x_; }
  double time() const { return t_; }
  const std::vector<Impact>& impacts() const { return impacts_; }

  template <typename Watch>
  void advance(double end, const Watch& watch) {
    while (t_ < end) {
      while (corner_ < scene_.corners.size() && scene_.corners[corner_] <= t_ * (1 + 1e-15)) ++corner_;
      const double next = std::min(end, corner_ < scene_.corners.size() ? scene_.corners[corner_] : infinity);
      double h = std::min({h_, h_max_, next - t_});
      for (std::size_t i = 0; i < seen_.gap.size(); ++i)
        if (seen_.gap[i] > 0 && seen_.rate[i] < 0) h = std::min(h, 1.05 * seen_.gap[i] / -seen_.rate[i] + 1e-7);
      // Right at a corner its left limit counts: the formulas are looked at a hair before.
      const bool last = h >= next - t_;
      State to;
      double error = try_step(h, to, last);
      while (error > 1 && h > 1e-12) {
        h *= std::clamp(0.9 * std::pow(error, -0.2), 0.1, 0.5);
        error = try_step(h, to, false);
      }
      const bool whole = last && h >= next - t_;
      const double wish = h * std::clamp(0.9 * std::pow(std::max(error, 1e-9), -0.2), 0.2, 5.0);
      Seen after;
      scene_.rate(t_ + h, to, k_[6], &after);
      if (crossed(after)) {  // shorten the step until it ends just behind the event
        double low = 0, high = h;
        while (high - low > 1e-13 + 1e-15 * t_) {
          const double middle = (low + high) / 2;
          if (middle <= low || middle >= high) break;
          State there;
          try_step(middle, there, false);
          Seen seen;
          scene_.rate(t_ + middle, there, k_[6], &seen);
          if (crossed(seen)) high = middle, to = there, after = seen;
          else low = middle;
        }
        if (high < h) {
          h = high;
          h_ = std::max(1e-9, std::min(wish, h_));
          finish(h, std::move(to), t_ + h, watch);
          continue;
        }
      }
      h_ = wish;
      finish(h, std::move(to), whole ? next : t_ + h, watch);
    }
  }

 private:
  const Scene& scene_;
  State x_;
  double rtol_, atol_, t_ = 0, h_ = 1e-6, h_max_ = 1;
  long work_;
  std::size_t corner_ = 0;
  Seen seen_;
  std::array<State, 7> k_;
  std::vector<Impact> impacts_;
  std::map<std::size_t, Impact> open_;
  std::vector<bool> sticky_;  // contacts that may pull: they let go where the gap opens, others where the force ends

  void look() {
    State xdot(x_.size());
    scene_.rate(t_, x_, xdot, &seen_);
  }
  bool crossed(const Seen& after) const {
    for (std::size_t i = 0; i < seen_.gap.size(); ++i)
      if ((seen_.gap[i] > 0) != (after.gap[i] > 0)) return true;
    for (std::size_t i = 0; i < seen_.guard.size(); ++i)
      if (seen_.guard[i] > 0 && after.guard[i] <= 0) return true;
    return false;
  }
  template <typename Watch>
  void finish(double, State to, double t, const Watch& watch) {
    if (scene_.has_switches()) scene_.switch_modes(x_, to, t);
    x_ = std::move(to);
    t_ = t;
    for (const Body& b : scene_.bodies)  // a quaternion stays of length 1
      if (b.kind == Kind::Rigid) {
        double length = 0;
        for (int i = 3; i < 7; ++i) length += x_[b.at + i] * x_[b.at + i];
        for (int i = 3; i < 7; ++i) x_[b.at + i] /= std::sqrt(length);
      }
    const Seen before = seen_;
    look();
    for (std::size_t i = 0; i < seen_.gap.size(); ++i) {
      if (before.gap[i] > 0 && seen_.gap[i] <= 0) open_[i] = {i, t_, 0, -seen_.rate[i], 0};
      if (open_.count(i) && t_ > open_[i].touch && (seen_.gap[i] > 0 || (seen_.force[i] <= 0 && !sticky_[i])) &&
          seen_.rate[i] > 0) {
        open_[i].release = t_, open_[i].out = seen_.rate[i];
        impacts_.push_back(open_[i]);
        open_.erase(i);
      }
    }
    watch(t_, scene_.place);
    for (const double x : x_)
      if (!std::isfinite(x)) throw std::runtime_error("the referee itself found no finite motion");
    if (scene_.evaluations > work_) throw TooMuchWork();
  }
  double try_step(double h, State& to, bool to_corner) {
    static constexpr double c[7] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
    static constexpr double a[7][6] = {{},
                                       {1. / 5},
                                       {3. / 40, 9. / 40},
                                       {44. / 45, -56. / 15, 32. / 9},
                                       {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
                                       {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
                                       {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}};
    static constexpr double e[7] = {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40};
    const double end = to_corner ? t_ + h - 1e-13 * (t_ + h) : t_ + h;
    const std::size_t n = x_.size();
    State y = x_;
    for (int s = 0; s < 7; ++s) {
      for (std::size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (int r = 0; r < s; ++r) sum += a[s][r] * k_[r][i];
        y[i] = x_[i] + h * sum;
      }
      if (s == 6) to = y;
      scene_.rate(std::min(t_ + c[s] * h, end), y, k_[s]);
    }
    double worst = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (int s = 0; s < 7; ++s) sum += e[s] * k_[s][i];
      worst = std::max(worst, std::abs(h * sum) / (atol_ + rtol_ * std::max(std::abs(x_[i]), std::abs(to[i]))));
    }
    return std::isfinite(worst) ? worst : 1e10;
  }
};

// ---------------------------------------------------------------------------------------------------------------- JSON and CSV

struct Json {
  enum { Null, Bool, Number, Text, List, Object } kind = Null;
  double number = 0;
  std::string text;
  std::vector<Json> list;
  std::map<std::string, Json> object;
  const Json& operator[](const std::string& key) const {
    static const Json nothing;
    const auto it = object.find(key);
    return it == object.end() ? nothing : it->second;
  }
  bool has(const std::string& key) const { return object.count(key) > 0; }
};

struct JsonReader {
  const std::string& s;
  std::size_t at = 0;
  void skip() {
    while (at < s.size() && std::isspace(static_cast<unsigned char>(s[at]))) ++at;
  }
  Json read() {
    skip();
    Json j;
    if (s.at(at) == '{') {
      j.kind = Json::Object;
      ++at;
      for (skip(); s.at(at) != '}'; skip()) {
        const std::string key = read().text;
        skip(), ++at;
        j.object[key] = read();
        skip();
        if (s.at(at) == ',') ++at;
      }
      ++at;
    } else if (s.at(at) == '[') {
      j.kind = Json::List;
      ++at;
      for (skip(); s.at(at) != ']'; skip()) {
        j.list.push_back(read());
        skip();
        if (s.at(at) == ',') ++at;
      }
      ++at;
    } else if (s.at(at) == '"') {
      j.kind = Json::Text;
      for (++at; s.at(at) != '"'; ++at) {
        if (s[at] == '\\') ++at;
        j.text += s.at(at);
      }
      ++at;
    } else if (s.at(at) == 't' || s.at(at) == 'f' || s.at(at) == 'n') {
      j.kind = s[at] == 'n' ? Json::Null : Json::Bool;
      j.number = s[at] == 't';
      at += s[at] == 'f' ? 5 : 4;
    } else {
      char* end = nullptr;
      j.kind = Json::Number;
      j.number = std::strtod(s.c_str() + at, &end);
      if (end == s.c_str() + at) throw std::runtime_error("summary.json: no number at " + std::to_string(at));
      at = static_cast<std::size_t>(end - s.c_str());
    }
    return j;
  }
};

struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<double>> rows;
  int column(const std::string& name) const {
    const auto it = std::find(header.begin(), header.end(), name);
    if (it == header.end()) throw std::runtime_error("no column " + name);
    return static_cast<int>(it - header.begin());
  }
};

Table read_csv(const std::string& file) {
  Table t;
  std::ifstream in(file);
  std::string line;
  const auto cells = [](const std::string& text) {
    std::vector<std::string> all;
    std::istringstream stream(text);
    for (std::string cell; std::getline(stream, cell, ',');) all.push_back(cell);
    return all;
  };
  std::getline(in, line);
  t.header = cells(line);
  while (std::getline(in, line)) {
    std::vector<double> row;
    for (const std::string& cell : cells(line)) row.push_back(std::strtod(cell.c_str(), nullptr));
    if (row.size() == t.header.size()) t.rows.push_back(row);
  }
  return t;
}

std::string slurp(const std::string& file) {
  std::ifstream in(file);
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

// ---------------------------------------------------------------------------------------------------------------- judgement

constexpr int buckets = 2000;
constexpr long most_work = 1'500'000;  // evaluations of a run of the referee

// What one run of the referee found: each compared number at the recorded times, and its extremes in each bucket of time.
struct Course {
  std::vector<std::vector<double>> rows;
  std::vector<std::vector<double>> low, high;  // [bucket][number]
  std::vector<Impact> impacts;
  std::size_t sure = 0;  // rows that were reached
};

std::size_t numbers_of(const Scene& scene) {
  std::size_t n = 0;
  for (const auto& g : scene.groups) n += g.columns.size();
  return n;
}

std::vector<double> read_numbers(const Scene& scene) {
  std::vector<double> all;
  for (const auto& g : scene.groups)
    for (std::size_t i = 0; i < g.columns.size(); ++i)
      all.push_back(Scene::value(scene.place[g.place], g.what, static_cast<int>(i)));
  return all;
}

Course course(const Scene& scene, const State& start, const std::vector<double>& times, double rtol, double atol) {
  Course c;
  const std::size_t n = numbers_of(scene);
  c.low.assign(buckets + 1, std::vector<double>(n, infinity));
  c.high.assign(buckets + 1, std::vector<double>(n, -infinity));
  scene.evaluations = 0;
  Integrator integrator(scene, start, rtol, atol, most_work);
  const auto watch = [&](double t, const std::vector<Place>&) {
    const auto bucket = static_cast<std::size_t>(std::clamp(t / scene.run.duration, 0.0, 1.0) * buckets);
    const std::vector<double> now = read_numbers(scene);
    for (std::size_t i = 0; i < n; ++i) {
      c.low[bucket][i] = std::min(c.low[bucket][i], now[i]);
      c.high[bucket][i] = std::max(c.high[bucket][i], now[i]);
    }
  };
  try {
    for (const double t : times) {
      integrator.advance(t, watch);
      scene.places(t, integrator.state());
      c.rows.push_back(read_numbers(scene));
      watch(t, scene.place);
    }
  } catch (const TooMuchWork&) {
  }
  c.impacts = integrator.impacts();
  c.sure = c.rows.size();
  return c;
}

// The band in which a number may be at a time: what the referee found up to `slack` before and after.
struct Band {
  double low, high;
  double outside(double x) const { return x < low ? low - x : x > high ? x - high : std::isfinite(x) ? 0 : infinity; }
};
Band band(const Scene& scene, const Course& c, std::size_t row, std::size_t i, double t, double slack) {
  Band b{c.rows[row][i], c.rows[row][i]};
  const auto bucket = [&](double time) { return static_cast<int>(std::clamp(time / scene.run.duration, 0.0, 1.0) * buckets); };
  for (int k = bucket(t - slack); k <= bucket(t + slack); ++k)
    b.low = std::min(b.low, c.low[k][i]), b.high = std::max(b.high, c.high[k][i]);
  return b;
}

bool adaptive(const std::string& method) { return method == "dopri5" || method == "cvode" || method == "auto"; }

// What the program doubts. Warnings about physics (a loaded start, friction that may not hold) say nothing about the numbers, and
// notes of the set-up say that there is no reason to doubt them.
std::string doubts(const Json& facts, int exit_code) {
  if (exit_code != 0) {
    std::string text = facts["failure"]["text"].text;
    for (const Json& f : facts["findings"].list)
      if (text.empty()) text = f["text"].text;
    return "exit " + std::to_string(exit_code) + (text.empty() ? "" : ": " + text);
  }
  for (const Json& f : facts["findings"].list)
    if (f["severity"].text != "remark") return f["kind"].text + ": " + f["text"].text;
  const std::set<std::string> physics = {"preload", "holding", "support", "depth"};
  for (const Json& w : facts["warnings"].list)
    if (w["severity"].text != "note" && !physics.count(w["kind"].text)) return w["kind"].text + ": " + w["text"].text;
  for (const Json& n : facts["notes"].list)
    if (n.text.find("auto") == std::string::npos && n.text.find("cvode") == std::string::npos) return "note: " + n.text;
  return "";
}

bool holds(Id id) { return id != Id::Threshold && id != Id::SmoothStatic && id != Id::Specker; }

// What is wrong with a start that was preloaded: bodies that were moved farther than contacts give way; elements that touch, do not
// slip and yet let what they hold accelerate. Only of a scene that starts at rest. Empty: nothing is.
std::string wrong_start(const Scene& scene, const State& x) {
  Seen seen;
  State xdot(x.size());
  scene.rate(0, x, xdot, &seen);
  double scale = 0, load = 0, shift = 0, gives = 0;  // m/s^2, N, m, m
  for (const Arm& a : scene.arms) scale = std::max(scale, norm(a.gravity));
  for (std::size_t i = 1; i < scene.bodies.size(); ++i) {
    const Body& b = scene.bodies[i];
    if (norm(scene.place[i].v) + norm(scene.place[i].w) > 0) return "";
    Vec pushed = b.mass * b.gravity;
    for (const Push& p : scene.pushes)
      if (p.place == static_cast<int>(i))
        for (std::size_t k = 0; k < p.of.size(); ++k) pushed[static_cast<int>(k)] += p.of[k](0).v;
    scale = std::max(scale, norm(pushed) / b.mass);
    load += norm(pushed);
    if (b.kind == Kind::Mass || b.kind == Kind::Rigid)
      for (int k = 0; k < b.dim; ++k) shift = std::max(shift, std::abs(x[b.at + k] - scene.start[b.at + k]));
  }
  for (const Element& e : scene.elements)
    if (e.law.contact()) gives = std::max(gives, std::pow(load / e.law.K, 1 / e.law.lambda));
  std::ostringstream text;
  if (shift > 10 * gives + 1e-12) {
    text << "preload moves a body by " << shift << " m, contacts give way by " << gives << " m";
    return text.str();
  }
  std::size_t contact = 0, friction = 0;
  for (const Element& e : scene.elements) {
    const bool touches = e.law.contact() && seen.force[contact] > 0;
    if (e.law.contact()) ++contact;
    const bool rubs = e.slide.id != Id::None, held = rubs && holds(e.slide.id) && seen.use[friction] < 0.99;
    if (rubs) ++friction;
    const Place& a = scene.place[e.a];
    const Vec arm = e.acts == Acts::Plane ? a.R * e.point_a - e.radius_a * e.direction : Vec{};
    const Vec gains = seen.acceleration[e.a] + cross(seen.angular[e.a], arm) - seen.acceleration[e.b];
    double left = 0;
    if (e.acts == Acts::Plane && touches) {
      const double apart = dot(gains, e.direction);
      left = std::max(std::abs(apart), held ? norm(gains - apart * e.direction) : 0);
    } else if (e.acts == Acts::Line || e.acts == Acts::Direction) {
      if (touches || held) left = std::abs(dot(gains, e.direction));
    } else if (e.acts == Acts::Everywhere && held) {
      left = norm(gains);
    }
    if (left > 1e-3 * scale && scale > 0) {
      text << "preload leaves " << left << " m/s^2 at " << e.name << ", which does not slip";
      return text.str();
    }
  }
  return "";
}

}  // namespace

Judgement judge(const std::string& folder, int exit_code) {
  Judgement j;
  if (exit_code == 2) return {Outcome::Refused, "exit 2", 0, "", 0};
  if (exit_code == -1) return {Outcome::Silent, "it does not end", infinity, "time", 0};
  if (exit_code > 2) return {Outcome::Silent, "ended by a signal, or exit " + std::to_string(exit_code), infinity, "exit code", 0};
  const std::string json = slurp(folder + "/summary.json");
  Json facts;
  if (!json.empty()) facts = JsonReader{json}.read();
  j.word = doubts(facts, exit_code);
  const Scene scene(folder + "/scene.toml");
  const Table table = read_csv(folder + "/data.csv");
  if (table.rows.empty()) {
    if (exit_code == 1) return {Outcome::Told, j.word, infinity, "nothing recorded", 0};
    return {Outcome::Silent, "no rows", infinity, "data.csv", 0};
  }

  State start = scene.start;
  for (std::size_t i = 0; i < start.size(); ++i) {
    const double recorded = table.rows[0][table.column(scene.columns[i])];
    if (scene.run.preload) start[i] = recorded;
    else if (std::abs(recorded - start[i]) > 1e-12 * (1 + std::abs(start[i])))
      return {j.word.empty() ? Outcome::Silent : Outcome::Told, "starts elsewhere", infinity, scene.columns[i], 0};
  }
  if (scene.run.preload)
    if (const std::string wrong = wrong_start(scene, start); !wrong.empty()) {
      j.outcome = j.word.empty() ? Outcome::Silent : Outcome::Told;
      j.worst = wrong, j.error = infinity;
      return j;
    }

  const int time_column = table.column("time");
  std::vector<double> times;
  for (const auto& row : table.rows) times.push_back(row[time_column]);
  const Course fine = course(scene, start, times, 1e-9, 1e-13);
  times.resize(fine.sure);
  if (times.empty()) {
    j.outcome = exit_code == 0 ? Outcome::Unjudged : Outcome::Told;
    return j;
  }
  const Course coarse = course(scene, start, times, 1e-7, 1e-11);

  // Tolerances: 2 % of the range of motion of each body, or what an adaptive method is allowed to miss.
  const std::size_t n = numbers_of(scene);
  std::vector<double> tolerance(n);
  std::size_t at = 0;
  double span = 0, speeds = 0;
  for (const auto& g : scene.groups) {
    double range = 0, largest = 0;
    for (std::size_t i = at; i < at + g.columns.size(); ++i) {
      double low = infinity, high = -infinity;
      for (int k = 0; k <= buckets; ++k) low = std::min(low, fine.low[k][i]), high = std::max(high, fine.high[k][i]);
      range = std::max(range, high - low), largest = std::max({largest, std::abs(low), std::abs(high)});
    }
    double floor = g.what == 'p' ? 1e-8 : g.what == 'v' ? 1e-6 : g.what == 'q' ? 1e-7 : 1e-5;
    floor += 1e-9 * largest;
    if (adaptive(scene.run.method)) floor = std::max(floor, 100 * (scene.run.atol + scene.run.rtol * largest));
    for (std::size_t i = at; i < at + g.columns.size(); ++i) tolerance[i] = 0.02 * range + floor;
    if (g.what == 'p') span = std::max(span, range);
    if (g.what == 'v') speeds = std::max(speeds, range);
    at += g.columns.size();
  }

  // The third run: from a start that is off by a millionth of the motion.
  State off = start;
  {
    std::size_t k = 0;
    for (const auto& g : scene.groups)
      for (const std::string& name : g.columns) {
        const auto it = std::find(scene.columns.begin(), scene.columns.end(), name) - scene.columns.begin();
        off[it] += (k % 2 ? -1 : 1) * 5e-5 * tolerance[k];
        ++k;
      }
  }
  const Course other = course(scene, off, times, 1e-8, 1e-12);

  const double slack = 0.005 * scene.run.duration;
  const std::size_t reached = std::min({fine.sure, coarse.sure, other.sure});
  std::size_t sure = 0;
  for (; sure < reached; ++sure) {
    bool agree = true;
    for (std::size_t i = 0; i < n && agree; ++i) {
      const Band b = band(scene, fine, sure, i, times[sure], slack);
      agree = b.outside(coarse.rows[sure][i]) < 0.1 * tolerance[i] && b.outside(other.rows[sure][i]) < 0.1 * tolerance[i];
    }
    if (!agree) break;
  }
  j.horizon = sure ? times[sure - 1] : 0;

  std::vector<std::vector<int>> columns;
  for (const auto& g : scene.groups) {
    columns.emplace_back();
    for (const std::string& name : g.columns) columns.back().push_back(table.column(name));
  }
  for (std::size_t row = 0; row < sure; ++row) {
    std::size_t k = 0;
    for (std::size_t g = 0; g < scene.groups.size(); ++g) {
      double same = 0, mirrored = 0;  // q and -q are one rotation
      for (std::size_t i = 0; i < columns[g].size(); ++i) {
        const double value = table.rows[row][columns[g][i]];
        const Band b = band(scene, fine, row, k + i, times[row], slack);
        same = std::max(same, b.outside(value) / tolerance[k + i]);
        mirrored = std::max(mirrored, b.outside(-value) / tolerance[k + i]);
      }
      const double error = scene.groups[g].what == 'q' ? std::min(same, mirrored) : same;
      if (error > j.error) {
        j.error = error;
        std::ostringstream worst;
        worst << scene.groups[g].name << " at " << times[row] << " s:";
        for (std::size_t i = 0; i < columns[g].size(); ++i)
          worst << " " << table.rows[row][columns[g][i]] << " (" << fine.rows[row][k + i] << ")";
        j.worst = worst.str();
      }
      k += columns[g].size();
    }
  }
  // Restitution of impacts: those that are worth the name, within the horizon. Of what is slower than a tenth of the motion the
  // velocities say nothing: they are right within 2 % of their range.
  double fastest = 0;
  for (const Impact& i : fine.impacts) fastest = std::max(fastest, i.in);
  std::vector<std::string> contacts;
  for (const Element& e : scene.elements)
    if (e.law.contact()) contacts.push_back(e.name);
  for (const Json& reported : facts["impacts"].list)
    for (const Impact& i : fine.impacts) {
      if (contacts[i.contact] != reported["element"].text || i.in < std::max(0.2 * fastest, 0.1 * speeds) || i.release > j.horizon)
        continue;
      if (std::abs(i.touch - reported["touch"].number) > slack) continue;
      bool alone = true;
      for (const Impact& k : fine.impacts)
        if (&k != &i && k.touch < i.release + slack && k.release > i.touch - slack) alone = false;
      if (!alone) continue;
      const double off_by = std::abs(i.out / i.in - reported["restitution"].number) / 0.02;
      if (off_by > j.error) {
        j.error = off_by;
        std::ostringstream worst;
        worst << "restitution of " << contacts[i.contact] << " at " << i.touch << " s: " << reported["restitution"].number << " ("
              << i.out / i.in << ")";
        j.worst = worst.str();
      }
    }

  if (j.error > 1) j.outcome = j.word.empty() ? Outcome::Silent : Outcome::Told;
  else if (j.horizon < 0.2 * scene.run.duration && exit_code == 0) j.outcome = Outcome::Unjudged;
  else if (exit_code == 1 && j.horizon < 0.2 * scene.run.duration) j.outcome = Outcome::Told;
  else j.outcome = j.word.empty() ? Outcome::Right : Outcome::FalseAlarm;
  return j;
}

double found(const std::string& scene_file, const std::string& what) {
  const Scene scene(scene_file);
  Integrator integrator(scene, scene.start, 1e-10, 1e-14, 20 * most_work);
  const auto energy = [&] {
    double sum = 0;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      const Body& b = scene.bodies[i];
      const Place& p = scene.place[i];
      if (b.kind != Kind::Rigid) continue;
      const Vec w = transposed(p.R) * p.w;
      sum += b.mass * dot(p.v, p.v) / 2 + dot(w, b.inertia * w) / 2 - b.mass * dot(b.gravity, p.p);
    }
    for (const Arm& arm : scene.arms) {  // rods one by one, as a check of the matrix
      double angle = 0, spin = 0;
      Vec root, root_speed;
      for (std::size_t k = 0; k < arm.length.size(); ++k) {
        angle += scene.place[arm.first + k].p.x, spin += scene.place[arm.first + k].v.x;
        const Vec along{std::cos(angle), std::sin(angle), 0}, across{-std::sin(angle), std::cos(angle), 0};
        const Vec middle = root + (arm.length[k] / 2) * along, speed = root_speed + (spin * arm.length[k] / 2) * across;
        const double m = arm.mass[k];
        sum += m * dot(speed, speed) / 2 + m * arm.length[k] * arm.length[k] / 24 * spin * spin - m * dot(arm.gravity, middle);
        root += arm.length[k] * along, root_speed += (spin * arm.length[k]) * across;
      }
    }
    return sum;
  };
  const auto momentum = [&] {
    return scene.place[1].R * (scene.bodies[1].inertia * (transposed(scene.place[1].R) * scene.place[1].w));
  };
  scene.places(0, scene.start);
  const double before = energy();
  const Vec turned = what == "momentum" ? momentum() : Vec{};
  integrator.advance(scene.run.duration, [](double, const std::vector<Place>&) {});
  scene.places(scene.run.duration, integrator.state());
  if (what == "energy") return (energy() - before) / std::abs(before);
  if (what == "momentum") return norm(momentum() - turned) / norm(turned);
  if (what == "impact") return integrator.impacts().at(0).out / integrator.impacts().at(0).in;
  const auto at = std::find(scene.columns.begin(), scene.columns.end(), what) - scene.columns.begin();
  return integrator.state().at(at);
}

}  // namespace referee
