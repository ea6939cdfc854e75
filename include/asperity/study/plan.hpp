// What a study asks: a scene, what is varied in it, what is measured. docs/guides/studies.md is the guide.
//
//   std::vector<std::string> problems;
//   const auto plan = study::read_plan("stick_slip_map.toml", {}, problems);
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace asperity::study {

/// Of a parameter that is not known exactly.
struct Distribution {
  enum class Kind : std::uint8_t { uniform, loguniform, normal, lognormal };
  Kind kind = Kind::uniform;
  double a = 0, b = 1;  // the ends; or mean and standard deviation; or median and standard deviation of the logarithm
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();  // cut off there

  /// The value below which a share u of the values lies, 0 < u < 1.
  double quantile(double u) const;
};

/// One varied parameter: a list of values, all of which are taken, or a distribution.
struct Axis {
  std::string path{};                    // as after --set: "spring.K", "let.mu"
  std::string unit{};                    // as far as it is known
  std::vector<double> values{};          // in SI units; of words, their places in the list
  std::vector<std::string> words{};      // of a list that is not of numbers, as TOML
  bool log = false;                      // values evenly spaced by ratio
  std::optional<Distribution> random{};  // then there are no values

  /// "spring.K=100", as after --set
  std::string setting(double value) const;
};

struct Measure {
  std::string name{}, formula{};
};

enum class Design : std::uint8_t {
  sobol,   // low-discrepancy sequence, shifted by the seed
  latin,   // Latin hypercube
  random,  // independent
};
enum class Sensitivity : std::uint8_t {
  none,
  sobol,  // first and total order, from samples (k + 2) points [Saltelli et al. 2010]
  morris  // elementary effects, from samples (k + 1) points [Morris 1991; Campolongo et al. 2007]
};

/// Refines the line along which a yes/no measure changes, over two axes; over one axis, its place.
struct Border {
  std::string measure{};
  double resolution = 1e-3;  // of the range of each axis
};

struct Plan {
  std::string title{};
  std::string scene_file{}, scene_text{};
  std::vector<std::string> settings{};  // for all points, "path=value"
  std::vector<Axis> axes{};             // the first one varies most slowly; random ones last
  std::vector<Measure> measures{};
  std::uint64_t samples = 0;  // 0: nothing is random
  Design design = Design::sobol;
  std::uint64_t seed = 1;
  Sensitivity sensitivity = Sensitivity::none;
  std::optional<Border> border{};
  std::string version{};            // of the program that wrote this; empty: not written yet
  bool measured_elsewhere = false;  // by functions of the caller: there may be no measures

  std::size_t grid_axes() const noexcept;
  bool is_random() const noexcept { return grid_axes() < axes.size(); }
  /// Of the grid, one if there is none.
  std::uint64_t grid_points() const noexcept;
  std::uint64_t points() const noexcept;
  /// "60 x 40 = 2400 points"
  std::string total() const;
};

/// What the command line says on top of a file.
struct PlanOptions {
  std::vector<std::string> set{};                              // "path=value"
  std::vector<std::string> vary{};                             // "path=from:to:count[:log]", "path=a,b,c", "path=normal(1.5, 0.15)"
  std::vector<std::string> measure{};                          // "name=formula"
  std::optional<std::pair<std::string, std::string>> scene{};  // file and text of the scene, instead of what the study says
  std::optional<std::string> samples{}, design{}, seed{}, sensitivity{}, border{}, resolution{};
  std::string more{};  // a study as TOML, without a scene: its keys stand in for those of the file, or beside them
  bool measured_elsewhere = false;
};

/// Of a study, or of a scene with what the options add. Nothing, and every problem, if it cannot be.
std::optional<Plan> read_plan(const std::string& path, const PlanOptions& options, std::vector<std::string>& problems);
/// The same from text; `folder` is where its scene is looked for.
std::optional<Plan> plan_of(const std::string& text, const std::string& file, const PlanOptions& options,
                            std::vector<std::string>& problems);
/// A plan made by hand: everything that is wrong with it; measures and paths are held against the scene.
std::vector<std::string> problems_of(const Plan& plan);

/// study.toml: everything worked out. It reads back to the same study; its scene is `scene.toml` beside it.
std::string to_toml(const Plan& plan);
/// Of that text and of the scene: two studies with the same one have the same table.
std::uint64_t identity_of(const Plan& plan);

/// The values of every axis at every point, from any thread.
class Points {
 public:
  explicit Points(const Plan& plan);
  ~Points();
  std::uint64_t count() const noexcept { return count_; }
  /// One number for each axis.
  void at(std::uint64_t point, std::span<double> values) const;
  /// Between 0 and 1, of a random axis at a point: the share of its distribution below the value.
  double share(std::uint64_t point, std::size_t axis) const;
  /// "path=value" for each axis, as after --set; every number reads back to itself.
  std::vector<std::string> settings(std::span<const double> values) const;

 private:
  double unit(std::uint64_t sample, std::size_t dimension) const;
  struct Sequence;
  const Plan& plan_;
  std::uint64_t count_;
  std::size_t grid_axes_;
  std::unique_ptr<const Sequence> sequence_;
};

}  // namespace asperity::study
