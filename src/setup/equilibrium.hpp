// The statics behind preload().
#pragma once

#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../integrate/implicit_lu.hpp"
#include "asperity/setup/preload.hpp"
#include "infinity.hpp"

namespace asperity {

/// Static equilibrium by implicit steps from rest, each so long that inertia hardly counts:
///   M w/T^2 = F(w)      contacts are springs N(depth + J w), friction yields:  f = limit(N) s/max(1, |s|),  s = (t + J w)/slip
/// The displacement w is virtual. Bodies follow only so far as contacts and joints are deflected by it: the smallest motion, in the
/// norm of the masses, that has the same J w there. What friction has been dragged by, t, is kept. So what is held comes to rest
/// where it is, friction shares its load in proportion to what it can hold, and what cannot be held slides virtually, its friction
/// at the limit against the motion, its contacts carrying what the sliding body leaves them, while it stays in place.
class Equilibrium {
 public:
  explicit Equilibrium(Network& network) : net_(network), start_(network.state) {}

  Preload find();

 private:
  static constexpr int most_in_all = 2000;  // steps of Newton's method
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  /// A part whose force is looked for, or a spring that feels the motion.
  struct Held {
    enum class Kind { contact, friction, joint, spring };
    Kind kind{};
    std::size_t part_index = 0;
    Network* net = nullptr;
    std::size_t row = 0;     // its first
    std::size_t normal = 0;  // the contact under friction, in held_
    std::size_t island = 0;
    bool slides = false;                // already at the start
    bool wanted = false;                // a contact that touches at the start, or nearly does
    double press = 0;                   // what may press it at first
    double depth = 0, K = 0;            // of a contact
    double sliding = 0, drag = 0;       // of friction that slides
    std::array<double, 3> way{};        // direction of that
    std::array<double, 3> dragged{};    // of friction that sticks
    std::array<double, 3> given_way{};  // of a joint, since the start
    std::array<double, 3> course{};     // relative acceleration that given bodies bring

    const Network::Part& part() const { return net->parts[part_index]; }
  };
  struct Role {  // of a pool of elements
    bool contact = false, holds = false;
  };
  struct Entry {
    std::size_t unknown;
    double push, seen;  // what a unit force does there, and minus what is seen of a motion
  };
  struct Row {
    struct End {
      std::size_t group = none, first = 0, last = 0;  // in entries_
    };
    std::array<End, 2> ends{};
    template <class F>
    void each(F&& f) const {
      for (const End& end : ends)
        for (std::size_t e = end.first; e < end.last; ++e) f(e);
    }
  };
  struct Group {  // a body, or bodies in one piece
    const BodyPool* pool = nullptr;
    std::size_t body = 0, first = 0, size = 0;
    std::size_t island = 0;
    std::vector<double> mass, inverse;  // size by size
    double load = 0, noise = 0;         // sum of the forces on it; how much of it may be left over
  };
  struct Island {
    double slip = 0;   // m, over which friction yields
    double time2 = 0;  // s^2, of a step
    double base = 0;   // the same at first
    double left = infinity,
           before = infinity;    // out of balance by, as a share of its forces
    double press = 0;            // N, all loads together
    double moved_by = infinity;  // a M a, least so far
    bool first = true;
  };

  // --- what is looked for

  double speed_of_end(const End& end, std::size_t i) const;

  /// Friction that holds, contacts that rest and touch or nearly do, joints.
  void choose();

  /// What acts besides the forces that are looked for: inputs, springs and joints as they are, friction that cannot hold.
  void act_of_others();

  // --- the system of equations

  void group();

  /// M^-1 of each group by unit forces, so hard that a body that rubs by itself shows its mass; and M.
  void weigh();

  static std::vector<double> inverted(std::size_t n, std::vector<double> a);

  /// What happens to the bodies at the present place: rows of J, depths, other forces.
  void place();

  /// A spring sees of a virtual motion only what contacts and joints allow the body to follow: P = Q Q^T M, where Q, orthonormal in
  /// the norm of the masses, spans the motions M^-1 J^T that they can give it.
  void see_by_springs();
  static std::vector<double> product(std::size_t n, const std::vector<double>& a, const std::vector<double>& b);
  static double dot(const std::vector<double>& a, const std::vector<double>& b);
  /// Bodies follow what contacts and joints give way by.
  static bool moves(const Held& held);

  /// The lengths and times of each island.
  void scale();
  /// Of the two ends of a row, the mass of the one that is heavier to it.
  double heaviest(const Row& row) const;
  /// J M^-1 J^T of one end.
  double lightness(const Row::End& end) const;

  // --- forces

  /// Of all parts at a virtual displacement w: by number of rows.
  struct Forces {
    std::vector<double> f;     // of each row
    std::vector<double> N, K;  // of contacts, by held
  };
  double closing(std::size_t row, const std::vector<double>& w) const;
  double deflection(const Held& held, std::size_t k, const std::vector<double>& w) const;
  double limit(const Held& held, const Forces& at) const;
  void react(const std::vector<double>& w, bool displaced, Forces& at) const;
  std::vector<double> total(const Forces& at) const;
  std::vector<double> accelerations(const std::vector<double>& forces);

  // --- one step

  /// r = w/T^2 - a and M r, and r M r of each island.
  struct Residual {
    Forces at;
    std::vector<double> force;  // M r
    std::vector<double> merit;
  };
  void residual(const std::vector<double>& w, Residual& left);

  /// Newton's method, each island by itself; then bodies follow and friction remembers.
  void step();

  /// The slope of M r.
  void assemble(const std::vector<double>& w, const Residual& now, bool guess);

  /// The smallest motion of the bodies under which contacts and joints give way as under w; friction is dragged. Not where Newton's
  /// method got stuck.
  void follow(const std::vector<double>& w, const Forces& at, const std::vector<bool>& stuck);

  /// u = M^-1 J^T l with J u = wanted: conjugate gradients on J M^-1 J^T, which has its own diagonal in front.
  struct Wanted {
    std::size_t row;
    double by;
  };
  std::vector<double> smallest(const std::vector<Wanted>& wanted) const;

  /// The bodies' own rate of position under the velocity u, for one second.
  void move(const std::vector<double>& u);

  // --- what is left

  struct Left {
    double acceleration = 0, force = 0, load = 0, bound = 0;  // load: of the bodies
    bool holds = false;
  };
  Left left_of(const Held& held, std::size_t h) const;

  /// Forces and accelerations as they are; the largest share of the forces on its bodies that a part is out of balance by.
  double measure();

  /// Whether an island has lost half of what moves it: a M a, which falls to that of what cannot be held.
  bool come_nearer();

  [[noreturn]] static void fail(const std::string& component, double value, double bound, const std::string& text);
  [[noreturn]] static void fail_at(const Network::Part& part, std::string_view what);
  static std::string body_name(const Group& g, std::size_t k = 0);

  void verify(Preload& found) const;

  /// Bodies that were moved farther than what is under them gives way.
  void how_far() const;

  /// The states in which the laws have these forces.
  void rest();
  double load_on(const Held& held) const;

  // --- what cannot stand still

  void say_what_strikes(Preload& found) const;

  void say_what_moves(Preload& found) const;
  /// The first unknown of the body that an entry belongs to.
  std::size_t body_at(const Group& at, std::size_t entry) const;

  Network& net_;
  int steps_ = 0;
  bool within_ = false;  // what is left over is below its bound everywhere
  std::vector<double> start_;
  std::map<const ElementPool*, Role> roles_;
  std::vector<Held> held_;
  std::vector<std::size_t> strikes_;  // parts that do not rest
  std::vector<Group> groups_;
  std::vector<Island> islands_;
  std::optional<detail::BlockLu> lu_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> place_of_;
  std::vector<std::size_t> force_at_, velocity_at_, group_of_unknown_, unknown_of_force_;
  std::vector<Row> rows_;
  std::vector<Entry> entries_;
  std::vector<double> others_, courses_, turning_, acceleration_;
  Forces now_;
  std::vector<double> force_, motion_, scratch_, unloaded_, unused_;
};

}  // namespace asperity
