#include "asperity/inclusion/world.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <memory>
#include <stdexcept>

#include "asperity/formula/outline.hpp"
#include "asperity/statics.hpp"

namespace asperity {
namespace {

using Model = std::shared_ptr<const TextInclusion>;

/// Time, for equations that depend on it: position t, velocity 1. Nobody sees it.
class Clock final : public BodyPool {
 public:
  Clock() {
    is_given = true;
    names.emplace_back("clock");
  }
  std::size_t count() const noexcept override { return 1; }
  std::size_t motion_numbers() const noexcept override { return 2; }
  std::size_t force_numbers() const noexcept override { return 1; }
  void write_start(double*) const noexcept override {}
  void rate(const double*, const double*, double*) const noexcept override {}
  void rate(const Dual8*, const Dual8*, Dual8*) const override {}
  double kinetic_of(std::size_t, const double*) const noexcept override { return 0; }
  double potential_of(std::size_t, const double*) const noexcept override { return 0; }
  void tidy(double*) const noexcept override {}
  void place(double t, double* given) const override { store(given, motion, 0, Port<double, 1>{t, 1}); }
  void each_constant(const std::function<void(double)>&) const override {}
  std::vector<Quantity> quantities() const override { return {}; }
  std::unique_ptr<BodyPool> pick(std::span<const std::uint32_t>) const override { return std::make_unique<Clock>(); }
};

/// All states of the inclusion, those of its terms included: one body without a name, whose forces are its rates.
class States final : public BodyPool {
 public:
  explicit States(Model model) : model_(std::move(model)) { names.emplace_back(); }
  std::size_t count() const noexcept override { return 1; }
  std::size_t motion_numbers() const noexcept override { return model_->size(); }
  std::size_t force_numbers() const noexcept override { return model_->size(); }
  void write_start(double* x) const noexcept override {
    const std::vector<double> start = model_->start();
    std::copy(start.begin(), start.end(), x + motion.first);
  }
  void rate(const double*, const double* f, double* xdot) const noexcept override { copy(f, xdot); }
  void rate(const Dual8*, const Dual8* f, Dual8* xdot) const override { copy(f, xdot); }
  double kinetic_of(std::size_t, const double*) const noexcept override { return 0; }
  double potential_of(std::size_t, const double*) const noexcept override { return 0; }
  bool knows_energy() const noexcept override { return false; }
  void tidy(double*) const noexcept override {}
  void place(double, double*) const override {}
  void each_constant(const std::function<void(double)>& f) const override {
    for (const auto& [name, value] : model_->let()) f(value);
  }
  std::vector<Quantity> quantities() const override {
    std::vector<Quantity> list;
    for (std::string& name : model_->state_names()) list.push_back({std::move(name), ""});
    return list;
  }
  std::unique_ptr<BodyPool> pick(std::span<const std::uint32_t>) const override {
    throw std::logic_error("an inclusion is one piece");
  }

 private:
  template <class S>
  void copy(const S* f, S* xdot) const noexcept {
    std::copy_n(f + force.first, model_->size(), xdot + motion.first);
  }
  Model model_;
};

/// Scratch numbers of an evaluation. A world may be at work in several threads: each has its own, for the last few models.
struct Scratch {
  explicit Scratch(const TextInclusion& model)
      : xdot(model.size()),
        dual_xdot(model.size()),
        work(model.work<double>()),
        dual_work(model.work<Dual8>()),
        course(model.work<Dual<1>>()) {}
  std::vector<double> xdot;
  std::vector<Dual8> dual_xdot;
  TextInclusion::Work<double> work;
  TextInclusion::Work<Dual8> dual_work;
  TextInclusion::Work<Dual<1>> course;
};
Scratch& scratch_of(const TextInclusion& model, std::uint64_t id) {
  struct Entry {
    std::uint64_t id = 0;
    std::unique_ptr<Scratch> scratch;
  };
  static thread_local std::array<Entry, 16> known;
  static thread_local std::size_t next = 0;
  for (Entry& entry : known)
    if (entry.id == id) return *entry.scratch;
  Entry& entry = known[next++ % known.size()];
  entry = {id, std::make_unique<Scratch>(model)};
  return *entry.scratch;
}
std::uint64_t new_id() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

/// What the pools of an inclusion's elements share.
class Part : public ElementPool {
 public:
  Part(Model model, const States& states, const Clock& clock) : model_(std::move(model)), states_(states), clock_(clock) {
    a.bodies = &states;
    b.bodies = &clock;
  }
  std::size_t state_numbers() const noexcept override { return 0; }
  void write_start(double*) const noexcept override {}
  bool has_derivatives() const noexcept override { return true; }
  std::unique_ptr<ElementPool> pick(std::span<const std::uint32_t>) const override {
    throw std::logic_error("an inclusion is one piece");
  }

 protected:
  template <class S>
  const S* state_in(const InstantOf<S>& now) const noexcept {
    return now.state + states_.motion.first;
  }
  template <class S>
  S time_in(const InstantOf<S>& now) const noexcept {
    return now.given[clock_.motion.at(0, 0)];
  }
  /// Time stands still when a network is looked at: then motions are small ones around the start.
  bool runs(const Instant& now) const noexcept { return now.given[clock_.motion.at(1, 0)] != 0; }

  Scratch& scratch() const { return scratch_of(*model_, id_); }

  Model model_;
  const States& states_;
  const Clock& clock_;

 private:
  std::uint64_t id_ = new_id();
};

/// Works out all rates in one pass. It has no elements: those are in the pools of their laws.
class Equations final : public Part {
 public:
  using Part::Part;
  std::size_t count() const noexcept override { return 0; }
  void react(const Instant& now, double tau, double* force, double*) const noexcept override {
    react_with(now, tau, force, scratch().xdot, scratch().work);
  }
  void react(const InstantOf<Dual8>& now, double tau, Dual8* force, Dual8*) const override {
    react_with(now, tau, force, scratch().dual_xdot, scratch().dual_work);
  }
  Watch watch(const Instant&, double, std::size_t) const noexcept override { return {}; }
  void watch(const Instant&, double, std::size_t, std::size_t, Watch*) const noexcept override {}
  std::vector<Quantity> quantities(std::size_t) const override { return {}; }
  void read(const Instant&, double, std::size_t, std::vector<double>&) const override {}
  const About& about() const noexcept override { return SingleState<double>::about; }
  void each_constant(const std::function<void(double)>&) const override {}

 private:
  template <class S>
  void react_with(const InstantOf<S>& now, double tau, S* force, std::vector<S>& xdot, TextInclusion::Work<S>& work) const {
    model_->rate(time_in(now), state_in(now), tau, xdot.data(), work);
    for (std::size_t i = 0; i < xdot.size(); ++i) force[states_.force.first + i] += xdot[i];
  }
};

/// The terms of one kind, as a run watches and reads them, and as the set-up checks see them.
template <class Law>
class TermPool final : public Part {
 public:
  static constexpr bool is_dio = Law::about.kind == Kind::contact;
  static constexpr std::size_t D = std::size_t(Law::dimension);
  using State = typename Law::State;

  TermPool(const Model& model, const States& states, const Clock& clock) : Part(model, states, clock) {
    if constexpr (is_dio) {
      for (std::size_t i = 0; i < model->dios().size(); ++i) add(i, i, model->dios()[i].name);
    } else {
      for (std::size_t i = 0; i < model->sgns().size(); ++i)
        if (model->sgns()[i].theta.size() == D) add(i, model->dios().size() + model->first_component(i), model->sgns()[i].name);
    }
  }

  std::size_t count() const noexcept override { return items_.size(); }
  void react(const Instant&, double, double*, double*) const noexcept override {}
  void react(const InstantOf<Dual8>&, double, Dual8*, Dual8*) const override {}

  Watch watch(const Instant& now, double tau, std::size_t i) const noexcept override {
    look(now, tau);
    return watch(now, tau, items_[i]);
  }
  void watch(const Instant& now, double tau, std::size_t begin, std::size_t end, Watch* all) const noexcept override {
    look(now, tau);
    for (; begin < end; ++begin) *all++ = watch(now, tau, items_[begin]);
  }

  std::vector<Quantity> quantities(std::size_t i) const override {
    std::vector<Quantity> list;
    each_shown(items_[i], {}, {}, {}, Mode::none, [&](const std::string& name, const std::string& unit, const auto& value) {
      each_component(name, value, [&](const std::string& full, double) { list.push_back({full, unit}); });
    });
    return list;
  }
  void read(const Instant& now, double tau, std::size_t i, std::vector<double>& values) const override {
    const Mode mode = watch(now, tau, i).mode;
    const Item& item = items_[i];
    const State z = state_of(now, item);
    const auto in = input(item);
    values.clear();
    each_shown(item, z, in, law(item).react(z, in, tau).f, mode, [&](const auto&, const auto&, const auto& value) {
      each_number([&](double number) { values.push_back(number); }, value);
    });
  }

  const About& about() const noexcept override { return Law::about; }
  std::size_t force_numbers() const noexcept override { return D; }
  void push(const Instant&, std::size_t i, const double* f, double* force) const noexcept override {
    for (std::size_t k = 0; k < D; ++k)
      for (const auto& [number, slope] : model_->push(items_[i].result + k)) force[states_.force.first + number] += f[k] * slope;
  }
  void relative(const Instant& now, std::size_t i, double* v) const noexcept override {
    if (runs(now)) {
      look(now, 0);
      const auto in = input(items_[i]);
      if constexpr (is_dio) *v = -in.rate;
      else each_number([&](const double& number) { *v++ = number; }, in.v);
      return;
    }
    for (std::size_t k = 0; k < D; ++k) {
      v[k] = 0;
      for (const auto& [number, slope] : model_->seen(items_[i].result + k)) v[k] += slope * state_in(now)[number];
    }
  }
  std::vector<Stiffness> stiffness(const Instant&, std::size_t i) const override {
    Stiffness part = statics::stiffness(law(items_[i]), 0.0);
    part.count = D;
    part.unilateral = is_dio;
    part.hold = part.slide = 0;  // its preload is in its start
    return {part};
  }
  /// psi of a dio that pushes a mass, so that an implicit step sees its strikes. Others do not strike; and a network, which is
  /// about the start, has nothing to find here.
  double gap(const Instant& now, std::size_t i) const noexcept override {
    if constexpr (is_dio) {
      if (runs(now) && model_->dios()[items_[i].term].mass > 0) {
        look(now, 0);
        return input(items_[i]).gap;
      }
    }
    return std::numeric_limits<double>::infinity();
  }
  double strike_depth(std::size_t i, double energy, double load) const override {
    if constexpr (is_dio) return statics::strike_depth(law(items_[i]), energy, load);
    else return 0;
  }
  void each_constant(const std::function<void(double)>& f) const override {
    for (const Item& item : items_) each_constant_of(law(item), f);
  }

 private:
  struct Item {
    std::size_t term;    // among the dio or the sgn
    std::size_t result;  // its first among the results of all terms, and among their states
  };

  void add(std::size_t term, std::size_t result, const std::string& name) {
    items_.push_back({term, result});
    names.push_back(name);
    a.index.push_back(0);
    b.index.push_back(0);
  }

  /// Works out the equations, and where they lead.
  void look(const Instant& now, double tau) const noexcept {
    Scratch& own = scratch();
    model_->rate(time_in(now), state_in(now), tau, own.xdot.data(), own.work);
    if constexpr (is_dio) model_->follow(time_in(now), state_in(now), own.xdot.data(), own.course);
  }

  Law law(const Item& item) const noexcept {
    Law law;
    if constexpr (is_dio) {
      const Dio& by = model_->dios()[item.term].by;
      law = {by.K, by.alpha, by.beta};
    } else {
      const Sgn& by = model_->sgns()[item.term].by;
      law.K = by.K;
      law.beta = by.beta;
    }
    return law;
  }
  State state_of(const Instant& now, const Item& item) const noexcept {
    State z{};
    const double* number = state_in(now) + model_->states().size() + item.result;
    each_state<Law>([&](double& x) { x = *number++; }, z);
    return z;
  }
  /// What the term sees; after the equations have been worked out.
  typename Law::Input input(const Item& item) const noexcept {
    const Scratch& own = scratch();
    if constexpr (is_dio) {
      return {model_->psi(item.term, own.work), model_->psi_rate(item.term, own.course)};
    } else {
      typename Law::Input in{{}, model_->chi(item.term, own.work)};
      std::size_t component = model_->first_component(item.term);
      each_number([&](double& number) { number = model_->theta(component++, own.work); }, in.v);
      return in;
    }
  }
  Watch watch(const Instant& now, double tau, const Item& item) const noexcept {
    const State z = state_of(now, item);
    const auto in = input(item);
    const Law term = law(item);
    const auto r = term.react(z, in, tau);
    Watch seen{mode_of(term, z, in, r.f, r.rate, tau), 0, 0, 0};
    if constexpr (is_dio) {
      seen.power = -r.f * in.rate;
      seen.gap_rate = in.rate;
    } else {
      // As in a frictional contact: where nothing presses, nothing is held.
      if (!(in.load > 0)) seen.mode = Mode::open;
      seen.power = dot(r.f, in.v);
    }
    return seen;
  }
  /// What the law shows but its state, which is among the states of the inclusion.
  template <class F>
  void each_shown(const Item& item, const State& z, const typename Law::Input& in, const typename Law::Force& f, Mode mode,
                  F&& show) const {
    each_quantity<Law>(z, in, f, mode, [&](const std::string& name, const std::string& unit, const auto& value) {
      bool own = false;
      Law::states([&](std::string_view known, std::string_view, std::string_view, const auto&) { own = own || known == name; }, z);
      if (!own) show(name, unit, value);
    });
    if constexpr (!is_dio)
      if (model_->sgns()[item.term].vanishes) show(std::string("touching"), std::string("1"), mode == Mode::open ? 0.0 : 1.0);
  }

  std::vector<Item> items_;
};

template <class Law>
void add_terms(Pools& pools, const Model& model, const States& states, const Clock& clock) {
  auto pool = std::make_unique<TermPool<Law>>(model, states, clock);
  if (pool->count() > 0) pools.adopt(std::move(pool));
}

/// The parts of the rates that depend on the states alone, and not by a term: a step may pass over a place where they act.
void note_parts(World& world, const TextInclusion& model, BodyPool& states) {
  const std::vector<std::string> names = model.state_names();
  for (std::size_t i = 0; i < model.states().size(); ++i)
    for (const Formula& part : summands_of(model.states()[i].rate, names)) {
      OfMotion one{.name = model.states()[i].name, .body = {&states, 0}, .coordinate = i};
      for (const std::string& name : part.names())
        if (name != "t") one.of.push_back({{&states, 0}, std::size_t(std::find(names.begin(), names.end(), name) - names.begin())});
      // Its names in their order: the time, or the next of what it sees.
      const auto values = [part](const auto& t, auto seen, auto& list) {
        std::size_t next = 0;
        for (const std::string& name : part.names()) list.push_back(name == "t" ? t : seen[next++]);
      };
      one.value = [part, values](double t, std::span<const double> seen) {
        std::vector<double> list;
        values(t, seen, list);
        return part.value<double>(std::span<const double>(list));
      };
      one.bounds = [part, values](ValueRange t, std::span<const ValueRange> seen) {
        std::vector<ValueRange> list;
        values(t, seen, list);
        return bounds_of(part, list);
      };
      world.note(std::move(one));
    }
}

}  // namespace

World make_world(const std::shared_ptr<const TextInclusion>& model) {
  Pools pools;
  const auto& clock = static_cast<const Clock&>(pools.adopt(std::make_unique<Clock>()));
  auto& states = static_cast<States&>(pools.adopt(std::make_unique<States>(model)));
  pools.adopt(std::make_unique<Equations>(model, states, clock));
  add_terms<LinearCompliance<double>>(pools, model, states, clock);
  add_terms<SingleState<double, 1>>(pools, model, states, clock);
  add_terms<SingleState<double, 2>>(pools, model, states, clock);
  add_terms<SingleState<double, 3>>(pools, model, states, clock);
  World world(std::move(pools));
  for (const TextInclusion::State& state : model->states()) world.note(state.name, outline_of(state.rate));
  for (const TextInclusion::DioTerm& term : model->dios()) world.note(term.name, outline_of(term.psi));
  for (const TextInclusion::SgnTerm& term : model->sgns()) {
    world.note(term.name, outline_of(term.chi));
    for (const Formula& theta : term.theta) world.note(term.name, outline_of(theta));
  }
  note_parts(world, *model, states);
  return world;
}

}  // namespace asperity
