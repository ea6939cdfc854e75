#include "asperity/identify/model.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "asperity/friction/dahl.hpp"
#include "asperity/friction/elastoplastic.hpp"
#include "asperity/friction/gms.hpp"
#include "asperity/friction/lugre.hpp"
#include "asperity/friction/multistate.hpp"
#include "asperity/friction/single_state.hpp"
#include "asperity/friction/smooth_static.hpp"
#include "asperity/friction/specker.hpp"
#include "asperity/scalar/dual.hpp"
#include "asperity/step.hpp"

namespace asperity::identify {
namespace {

// --- how samples drive a law -----------------------------------------------------------------------------------------------------

/// What drives a law from sample k - 1 to sample k: two implicit stages, so that its state follows the law in continuous time to
/// second order in the step and forgets what is faster than a sample (SDIRK2, L-stable: Alexander 1977). The last stage is at the
/// sample itself and gives the force; the first has the velocity with which both travel as far as was measured.
struct Drive {
  static constexpr double part = 1 - 0.5 * std::numbers::sqrt2;

  Slip<double> first, last;
  double h;

  Drive(const Samples& samples, std::size_t k)
      : first{samples.velocity[k], samples.load[k]}, last{samples.velocity[k], samples.load[k]}, h(samples.step[k]) {
    if (k == 0 || h == 0) return;
    const double mean = (samples.position[k] - samples.position[k - 1]) / h;
    first.v = (mean - part * last.v) / (1 - part);
    first.load = (1 - part) * samples.load[k - 1] + part * last.load;
  }
};

template <class Law>
constexpr typename Law::Input input(const Slip<double>& slip) {
  using S = typename Law::Scalar;
  return {S(slip.v), S(slip.load)};
}

/// The first stage; the state goes to where the last one starts.
template <class Law>
auto first_stage(const Law& law, typename Law::State& z, const Drive& drive) {
  using S = typename Law::Scalar;
  const auto reaction = law.react(z, input<Law>(drive.first), S(Drive::part * drive.h));
  advance<Law>(z, reaction.rate, S((1 - Drive::part) * drive.h));
  return reaction;
}

/// Both stages: the state goes to sample k, and this is the force there.
template <class Law>
auto follow(const Law& law, typename Law::State& z, const Drive& drive) {
  using S = typename Law::Scalar;
  if constexpr (!std::is_same_v<typename Law::State, NoState>) first_stage(law, z, drive);
  const S tau(Drive::part * drive.h);
  const auto in = input<Law>(drive.last);
  const auto reaction = law.react(z, in, tau);
  advance<Law>(z, reaction.rate, tau);
  if constexpr (Hybrid<Law>) law.transit(z, in);
  return reaction.f;
}

/// Of the friction that an element may carry, in each stage.
struct Limits {
  double first, last;
};

// --- what a law is fitted in ---------------------------------------------------------------------------------------------------

/// Collects coordinates; each kind of quantity is looked for where the data can show it.
class List {
 public:
  List(const Scales& scales, std::vector<Coordinate>& all) : s_(scales), all_(all) {}

  void force(const char* name, int group, double part = 1) {
    add(name, "N", group, 1e-9 * s_.force, 1e4 * s_.force, 0.3 * part * s_.force, 3 * part * s_.force);
  }
  /// F/K between a fraction of what is travelled in a sample and the whole travel.
  void stiffness(const char* name, int group) {
    const double longest = 2 * s_.travel, shortest = std::min(0.1 * s_.increment, 1e-4 * s_.travel);
    add(name, "N/m", group, 0.1 * s_.force / longest, 10 * s_.force / shortest, s_.force / (0.3 * s_.travel),
        s_.force / std::max(s_.increment, 1e-4 * s_.travel));
  }
  void viscosity(const char* name, int group) {
    const double of_force = s_.force / s_.velocity;
    add(name, "N s/m", group, 1e-12 * of_force, 1e3 * of_force, 0.01 * of_force, of_force);
  }
  /// Speeds below which something happens: within those that were measured.
  void velocity(const char* name) {
    add(name, "m/s", -1, 1e-4 * s_.velocity, 10 * s_.velocity, 5e-3 * s_.velocity, 0.5 * s_.velocity);
  }
  void time(const char* name) { add(name, "s", -1, 1e-3 * s_.step, 1e5 * s_.step, 0.3 * s_.step, 300 * s_.step); }
  void rate(const char* name) { add(name, "1/s", -1, 1e-5 / s_.step, 1e3 / s_.step, 1e-3 / s_.step, 1 / s_.step); }
  void number(const char* name, double low, double high, double from, double to) { add(name, "1", -1, low, high, from, to); }
  /// The Stribeck exponent is hardly ever told by data: 2 unless a bound asks for it.
  void exponent() {
    number("alpha", 0.1, 10, 0.5, 3);
    all_.back().is_free = false, all_.back().fixed = 2;
  }
  /// Static friction is at most four times the kinetic one: beyond, the term would be bent to explain something else.
  void rise() { number("F_s/F_c - 1", 1e-6, 3, 0.05, 1.5); }
  void stribeck(int group) {
    force("F_c", group);
    rise();
    velocity("v_s");
    exponent();
  }
  void elements(int first_group, int count) {
    for (int i = 1; i <= count; ++i) {
      force("F", first_group + i - 1, 1.0 / count);
      all_.back().name += "[" + std::to_string(i) + "]";
    }
    for (int i = 1; i <= count; ++i) {
      stiffness("kappa", first_group + i - 1);
      all_.back().name += "[" + std::to_string(i) + "]";
    }
  }

 private:
  void add(const char* name, const char* unit, int group, double low, double high, double from, double to) {
    all_.push_back({name, unit, group, low, high, from, to, true, false, 0});
  }
  const Scales& s_;
  std::vector<Coordinate>& all_;
};

/// One for each law: its coordinates, and the law they make. Force and stiffness of a law are one group, 0; its viscosity, if it
/// has one, is another.
struct SingleStateFit {
  template <class S>
  using Law = SingleState<S>;
  static constexpr bool elements = false, viscosity = false;
  static void coordinates(List& list, int) {
    list.force("F", 0);
    list.stiffness("K", 0);
    list.time("beta");
  }
  template <class S>
  static void set(Law<S>& law, std::span<const S> q) {
    law.F = q[0], law.K = q[1], law.beta = q[2];
  }
};

template <class S>
void set_stribeck(Stribeck<S>& limit, std::span<const S> q) {
  limit.F_c = q[0], limit.F_s = q[0] * (S(1.0) + q[1]), limit.v_s = q[2], limit.alpha = q[3];
}

struct SingleStateStribeckFit {
  template <class S>
  using Law = SingleState<S, 1, Stribeck>;
  static constexpr bool elements = false, viscosity = false;
  static void coordinates(List& list, int) {
    list.stribeck(0);
    list.stiffness("K", 0);
    list.time("beta");
  }
  template <class S>
  static void set(Law<S>& law, std::span<const S> q) {
    set_stribeck(law, q);
    law.K = q[4], law.beta = q[5];
  }
};

struct DahlFit {
  template <class S>
  using Law = Dahl<S>;
  static constexpr bool elements = false, viscosity = false;
  static void coordinates(List& list, int) {
    list.force("F", 0);
    list.stiffness("K", 0);
  }
  template <class S>
  static void set(Law<S>& law, std::span<const S> q) {
    law.F = q[0], law.K = q[1];
  }
};

struct LuGreFit {
  template <class S>
  using Law = LuGre<S>;
  static constexpr bool elements = false, viscosity = true;
  static void coordinates(List& list, int) {
    list.stribeck(0);
    list.stiffness("K", 0);
    list.viscosity("B", 0);
    list.viscosity("D", 1);
  }
  template <class S>
  static void set(Law<S>& law, std::span<const S> q) {
    set_stribeck(law, q);
    law.K = q[4], law.B = q[5], law.D = q[6];
  }
};

struct ElastoplasticFit {
  template <class S>
  using Law = Elastoplastic<S>;
  static constexpr bool elements = false, viscosity = true;
  static void coordinates(List& list, int) {
    LuGreFit::coordinates(list, 0);
    list.number("a_ba K/F_c", 1e-3, 0.98, 0.1, 0.9);
  }
  template <class S>
  static void set(Law<S>& law, std::span<const S> q) {
    set_stribeck(law, q);
    law.K = q[4], law.B = q[5], law.D = q[6];
    law.a_ba = q[7] * q[0] / q[4];
  }
};

template <template <class> class Curve>
struct StaticFit {
  template <class S>
  using Law = Curve<S>;
  static constexpr bool elements = false, viscosity = true;
  static void coordinates(List& list, int) {
    list.force("F_c", 0);
    list.rise();
    list.velocity("v_t");
    list.velocity("v_sp");
    list.viscosity("d", 1);
  }
  template <class S>
  static void set(Law<S>& law, std::span<const S> q) {
    law.F_c = q[0], law.F_s = q[0] * (S(1.0) + q[1]), law.v_t = q[2], law.v_sp = q[3], law.d = q[4];
  }
};

struct SpeckerFit : StaticFit<Specker> {
  static void coordinates(List& list, int) {
    StaticFit<Specker>::coordinates(list, 0);
    list.velocity("v_0");
    list.time("T_1");
  }
  template <class S>
  static void set(Law<S>& law, std::span<const S> q) {
    StaticFit<Specker>::set(law, q);
    law.v_0 = q[5], law.T_1 = q[6];
  }
};

/// The shares of N elements: F[i] is the kinetic friction that element i carries, beta its damping time, so that an element scales
/// with F[i] and kappa[i] as a whole.
template <class L, class S>
void set_elements(L& law, const S& rise, const S& v_s, const S& alpha, const S& beta, std::span<const S> q) {
  const std::size_t n = q.size() / 2;
  S sum = S(0.0);
  for (std::size_t i = 0; i < n; ++i) sum += q[i];
  law.F_c = sum, law.F_s = sum * (S(1.0) + rise), law.v_s = v_s, law.alpha = alpha;
  law.kappa.resize(n), law.sigma.resize(n), law.lambda.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    law.lambda[i] = q[i] / sum;
    law.kappa[i] = q[n + i];
    law.sigma[i] = beta * q[n + i];
  }
}

struct ElementsFit {
  static constexpr bool elements = true, viscosity = false;
  static constexpr std::size_t shared = 5;  // coordinates before those of the elements: these four and one of the law's own
  static void coordinates(List& list) {
    list.rise();
    list.velocity("v_s");
    list.exponent();
    list.time("beta");
  }
};

struct MultistateFit : ElementsFit {
  template <class S>
  using Law = Multistate<S, dynamic>;
  static void coordinates(List& list, int count) {
    ElementsFit::coordinates(list);
    list.time("tau_d");
    list.elements(0, count);
  }
  template <class S>
  static void set(Law<S>& law, std::span<const S> q) {
    set_elements(law, q[0], q[1], q[2], q[3], q.subspan(shared));
    law.tau_d = q[4];
  }
  /// The limit that all elements share, over F_c, is the law's own state; ...
  static std::vector<Limits> limits(const Samples& samples, std::size_t count, std::span<const double> q) {
    std::vector<double> one(q.begin(), q.begin() + shared);
    std::vector<Limits> gamma(count);
    one.insert(one.end(), {1.0, 1.0});
    Law<double> law(1);
    set<double>(law, one);
    auto z = law.start();
    for (std::size_t k = 0; k < count; ++k) {
      const Drive drive(samples, k);
      auto trial = z;
      gamma[k].first = z.gamma + Drive::part * drive.h * first_stage(law, trial, drive).rate.gamma;
      follow(law, z, drive);
      gamma[k].last = z.gamma;
    }
    return gamma;
  }
  /// ... and with it as load, an element is a single state.
  template <class S>
  static SingleState<S> element(std::span<const double> q, const S& F, const S& kappa) {
    SingleState<S> law;
    law.F = F, law.K = kappa, law.beta = S(q[3]);
    return law;
  }
};

struct GmsFit : ElementsFit {
  template <class S>
  using Law = Gms<S, dynamic>;
  static void coordinates(List& list, int count) {
    ElementsFit::coordinates(list);
    list.rate("C/F_c");
    list.elements(0, count);
  }
  template <class S>
  static void set(Law<S>& law, std::span<const S> q) {
    set_elements(law, q[0], q[1], q[2], q[3], q.subspan(shared));
    law.C = q[4] * law.F_c;
  }
  static std::vector<Limits> limits(const Samples& samples, std::size_t count, std::span<const double> q) {
    const Stribeck<double> over_kinetic{1.0, 1.0 + q[0], q[1], q[2]};
    std::vector<Limits> g(count);
    for (std::size_t k = 0; k < count; ++k) {
      const Drive drive(samples, k);
      g[k] = {over_kinetic.limit(std::abs(drive.first.v)), over_kinetic.limit(std::abs(drive.last.v))};
    }
    return g;
  }
  /// One element alone, its limit coming as load.
  template <class S>
  static Gms<S, 1> element(std::span<const double> q, const S& F, const S& kappa) {
    Gms<S, 1> law;
    law.F_c = law.F_s = F;
    law.C = S(q[4]) * F;
    law.kappa[0] = kappa, law.sigma[0] = S(q[3]) * kappa, law.lambda[0] = S(1.0);
    return law;
  }
};

// --- the law driven by the measured motion ---------------------------------------------------------------------------------------

template <class Fit>
class LawModel final : public Model {
 public:
  LawModel() {
    if (Fit::elements) return;
    const auto all = coordinates({}, 0);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].group >= 0) carriers_.push_back(i);
  }
  const About& about() const noexcept override { return Fit::template Law<double>::about; }
  bool has_elements() const noexcept override { return Fit::elements; }
  bool has_own_viscosity() const noexcept override { return Fit::viscosity; }
  int states(int elements) const override {
    typename Fit::template Law<double> law{};
    if constexpr (Fit::elements) law = typename Fit::template Law<double>(elements);
    return state_size(law);
  }
  std::vector<Coordinate> coordinates(const Scales& scales, int elements) const override {
    std::vector<Coordinate> all;
    List list(scales, all);
    Fit::coordinates(list, elements);
    return all;
  }

  void force(const Samples& samples, std::size_t count, std::span<const double> q, std::span<double> f) const override {
    drive<double>(samples, count, q, [&](std::size_t k, double value) { f[k] = value; });
  }

  void slopes(const Samples& samples, std::size_t count, std::span<const double> q, std::span<const Direction> directions,
              std::span<double> f, std::span<double> slopes) const override {
    std::vector<std::size_t> left;  // directions that need the whole law
    if constexpr (requires { Fit::limits(samples, count, q); }) left = slopes_of_elements(samples, count, q, directions, slopes);
    else
      for (std::size_t d = 0; d < directions.size(); ++d) left.push_back(d);
    // All that carries a force, scaled together: by Euler's theorem the slope is the force.
    if (directions.size() == 1 && !left.empty() && directions[0] == carriers_) {
      force(samples, count, q, f);
      std::copy_n(f.begin(), count, slopes.begin());
      return;
    }
    // As narrow as will do: the scales of one or two groups are asked for most often.
    if (left.size() <= 2) passes<2>(samples, count, q, directions, left, f, slopes);
    else if (left.size() <= 4) passes<4>(samples, count, q, directions, left, f, slopes);
    else passes<8>(samples, count, q, directions, left, f, slopes);
    if (left.empty()) force(samples, count, q, f);
  }

  std::vector<Parameter> parameters(std::span<const double> q) const override { return parameters_of(make<double>(q)); }

  std::vector<double> parameter_slopes(std::span<const double> q) const override {
    std::vector<double> rows;
    for (std::size_t i = 0; i < q.size(); ++i) {
      std::vector<Dual<1>> seeded(q.begin(), q.end());
      seeded[i].v[0] = q[i];
      auto law = make<Dual<1>>(seeded);
      std::size_t p = 0;
      each_parameter(law, [&](const Dual<1>& value) {
        if (i == 0) rows.resize((p + 1) * q.size());
        rows[p++ * q.size() + i] = value.v[0];
      });
    }
    return rows;
  }

 private:
  /// The element to which all coordinates of a direction belong.
  static std::optional<std::size_t> only_element(const Direction& direction, std::size_t size) {
    const std::size_t n = (size - Fit::shared) / 2;
    std::optional<std::size_t> only;
    for (const std::size_t i : direction) {
      if (i < Fit::shared) return std::nullopt;
      const std::size_t element = (i - Fit::shared) % n;
      if (only && *only != element) return std::nullopt;
      only = element;
    }
    return only;
  }

  /// Elements side by side do not know of each other: a direction within one of them needs no other. By Euler's theorem the slopes
  /// by F[i] and by kappa[i] add up to the force of element i, so that one pass is enough for all its directions. Returns those
  /// that are left.
  static std::vector<std::size_t> slopes_of_elements(const Samples& samples, std::size_t count, std::span<const double> q,
                                                     std::span<const Direction> directions, std::span<double> slopes) {
    std::vector<std::size_t> left;
    std::vector<std::vector<std::size_t>> wanted((q.size() - Fit::shared) / 2);
    for (std::size_t d = 0; d < directions.size(); ++d) {
      const auto i = only_element(directions[d], q.size());
      (i ? wanted[*i] : left).push_back(d);
    }
    std::vector<Limits> limits;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i].empty()) continue;
      if (limits.empty()) limits = Fit::limits(samples, count, q);
      const std::size_t F = Fit::shared + i, kappa = F + wanted.size();
      const auto take = [&](std::size_t k, double whole, double by_F) {
        for (const std::size_t d : wanted[i])
          slopes[d * count + k] = directions[d].size() == 2 ? whole : directions[d].front() == F ? by_F : whole - by_F;
      };
      const bool only_whole =
          std::all_of(wanted[i].begin(), wanted[i].end(), [&](std::size_t d) { return directions[d].size() == 2; });
      if (only_whole)
        drive_element(Fit::template element<double>(q, q[F], q[kappa]), samples, limits,
                      [&](std::size_t k, double f) { take(k, f, 0); });
      else
        drive_element(Fit::template element<Dual<1>>(q, seeded(q[F]), Dual<1>(q[kappa])), samples, limits,
                      [&](std::size_t k, const Dual<1>& f) { take(k, f.a, f.v[0]); });
    }
    return left;
  }
  static Dual<1> seeded(double value) {
    Dual<1> x(value);
    x.v[0] = value;
    return x;
  }
  template <class Element, class Take>
  [[gnu::flatten]] static void drive_element(const Element& law, const Samples& samples, const std::vector<Limits>& limits,
                                             Take&& take) {
    auto z = law.start();
    for (std::size_t k = 0; k < limits.size(); ++k) {
      Drive drive(samples, k);
      drive.first.load *= limits[k].first, drive.last.load *= limits[k].last;
      take(k, follow(law, z, drive));
    }
  }

  /// Through the data with as many directions at once as there are lanes, until all those in `left` are done.
  template <std::size_t lanes>
  static void passes(const Samples& samples, std::size_t count, std::span<const double> q, std::span<const Direction> directions,
                     const std::vector<std::size_t>& left, std::span<double> f, std::span<double> slopes) {
    using Number = Dual<static_cast<int>(lanes)>;
    for (std::size_t first = 0; first < left.size(); first += lanes) {
      const std::size_t n = std::min(lanes, left.size() - first);
      std::vector<Number> seeded(q.begin(), q.end());
      for (std::size_t d = 0; d < n; ++d)
        for (const std::size_t i : directions[left[first + d]]) seeded[i].v[d] = q[i];  // dq = q dlog q
      drive<Number>(samples, count, seeded, [&](std::size_t k, const Number& value) {
        f[k] = value.a;
        for (std::size_t d = 0; d < n; ++d) slopes[left[first + d] * count + k] = value.v[d];
      });
    }
  }

  template <class S>
  static auto make(std::span<const S> q) {
    typename Fit::template Law<S> law{};
    Fit::template set<S>(law, q);
    return law;
  }
  template <class S>
  static auto make(const std::vector<S>& q) {
    return make<S>(std::span<const S>(q));
  }

  /// Flat: duals passed on through memory would cost more than the law.
  template <class S, class Range, class Take>
  [[gnu::flatten]] static void drive(const Samples& samples, std::size_t count, const Range& q, Take&& take) {
    const auto law = make<S>(std::span<const S>(q.data(), q.size()));
    auto z = law.start();
    for (std::size_t k = 0; k < count; ++k) take(k, follow(law, z, Drive(samples, k)));
  }

  Direction carriers_;  // of a law that is not made of elements: the coordinates in groups
};

template <class... Fits>
struct FitList {
  template <class Visit>
  static void each(Visit&& visit) {
    (visit.template operator()<Fits>(), ...);
  }
};
using AllFits = FitList<StaticFit<SmoothStatic>, SpeckerFit, DahlFit, LuGreFit, ElastoplasticFit, GmsFit, SingleStateFit,
                        SingleStateStribeckFit, MultistateFit>;

double quantile(std::vector<double> values, double part) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

Rows rows_between(const Samples& samples, double from, double to) {
  Rows rows;
  for (std::size_t k = 0; k < samples.size(); ++k)
    if (samples.is_usable[k] && samples.t[k] >= from && samples.t[k] <= to) rows.push_back(k);
  return rows;
}

Scales scales_of(const Samples& samples, const Rows& rows) {
  std::vector<double> speed, travel, force, position, step;
  for (const std::size_t k : rows) {
    speed.push_back(std::abs(samples.velocity[k]));
    travel.push_back(std::abs(samples.velocity[k]) * samples.step[k]);
    force.push_back(samples.load[k] > 0 ? samples.force[k] / samples.load[k] : 0);
    position.push_back(samples.position[k]);
    step.push_back(samples.step[k]);
  }
  double mean = 0, square = 0;
  for (const double f : force) mean += f / static_cast<double>(force.size());
  for (const double f : force) square += (f - mean) * (f - mean) / static_cast<double>(force.size());
  const auto [lowest, highest] = std::minmax_element(position.begin(), position.end());
  return {std::sqrt(square), *highest - *lowest, quantile(speed, 0.95), quantile(step, 0.5), quantile(travel, 0.5)};
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  AllFits::each([&]<class Fit>() { names.emplace_back(Fit::template Law<double>::about.name); });
  return names;
}

std::unique_ptr<Model> make_model(std::string_view name) {
  std::unique_ptr<Model> model;
  AllFits::each([&]<class Fit>() {
    if (Fit::template Law<double>::about.name == name) model = std::make_unique<LawModel<Fit>>();
  });
  return model;
}

}  // namespace asperity::identify
