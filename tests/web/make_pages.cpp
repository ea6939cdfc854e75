// Writes the pages that the browser tests open: make_pages FOLDER
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "asperity/report/report.hpp"
#include "run/worlds.hpp"

namespace asperity::testing {
namespace {

using Json = nlohmann::ordered_json;
using Contact3 = FrictionalContact<LinearCompliance<double>, SingleState<double, 3>>;

struct Example {
  std::string title, cite;
  World world{};
  RunOptions options{};
  Json bodies = Json::array(), elements = Json::array(), parameters = Json::array();
};

Json body(const std::string& name, const std::string& kind, int dimension, const std::string& shape,
          const std::vector<double>& size) {
  return {{"name", name}, {"kind", kind}, {"dimension", dimension}, {"shape", shape}, {"size", size}};
}
Json element(const std::string& name, const std::string& law, const std::string& kind, const std::string& a, const std::string& b,
             const std::vector<double>& normal = {}, const std::vector<double>& point_a = {}) {
  return {{"name", name},     {"law", law},    {"kind", kind},       {"between", {a, b}},
          {"normal", normal}, {"offset", 0.0}, {"point_a", point_a}, {"point_b", Json::array()}};
}
Json parameter(const std::string& component, const std::string& name, const std::string& value, const std::string& unit,
               const std::string& meaning) {
  return {{"component", component}, {"name", name}, {"value", value}, {"unit", unit}, {"meaning", meaning}};
}

struct Outcome {
  std::string facts;
  Table data;
};

Outcome outcome_of(Example& example) {
  const auto sink = std::make_shared<MemorySink>();
  example.options.record.columns = {"*"};
  example.options.record.sink = sink;
  Run run(example.world, example.options);
  const bool finished = run.go();

  Outcome outcome;
  for (const Quantity& column : sink->columns()) outcome.data.columns.push_back({column, sink->column(column.name)});
  Json facts{{"asperity", "0.1.0"}, {"title", example.title}, {"cite", example.cite}, {"scene", "example.toml"}};
  facts["run"] = {{"duration", example.options.duration},
                  {"step", example.options.step},
                  {"method", example.options.method},
                  {"finished", finished},
                  {"time", run.time()},
                  {"steps", run.statistics().steps},
                  {"evaluations", run.statistics().evaluations},
                  {"rejected", 0},
                  {"wall_seconds", 0.05}};
  if (run.failure())
    facts["failure"] = {{"time", run.failure()->time}, {"component", run.failure()->component}, {"text", run.failure()->text}};
  facts["warnings"] = Json::array();
  for (const Warning& w : run.warnings())
    facts["warnings"].push_back({{"component", w.component}, {"text", w.text}, {"alike", w.alike}});
  facts["events"] = {{"count", run.event_count()}, {"list", Json::array()}};
  for (const Event& e : run.events())
    facts["events"]["list"].push_back({{"time", e.time}, {"kind", to_text(e.kind)}, {"element", e.element}, {"speed", e.speed}});
  facts["impacts"] = Json::array();
  for (const Impact& i : run.impacts())
    facts["impacts"].push_back({{"element", i.element},
                                {"touch", i.touch},
                                {"release", i.release},
                                {"impact_speed", i.impact_speed},
                                {"separation_speed", i.separation_speed},
                                {"restitution", i.restitution()}});
  facts["final"] = Json::array();
  for (const Table::Column& column : outcome.data.columns)
    facts["final"].push_back(
        {{"name", column.quantity.name}, {"unit", column.quantity.unit}, {"value", run.value(column.quantity.name)}});
  const EnergyAccount energy = run.energy();
  facts["energy"] = {{"work_in", energy.work_in}, {"kinetic", energy.kinetic},       {"potential", energy.potential},
                     {"stored", energy.stored},   {"dissipated", energy.dissipated}, {"closing_error", energy.closing_error},
                     {"elements", Json::array()}};
  for (const Json& e : example.elements)
    facts["energy"]["elements"].push_back(
        {{"name", e["name"]}, {"dissipated", run.value(e["name"].get<std::string>() + ".dissipated")}});
  facts["bodies"] = example.bodies, facts["elements"] = example.elements, facts["parameters"] = example.parameters;
  facts["files"] = {{"data", "data.csv"}, {"scene", "scene.toml"}, {"report", "report.html"}};
  outcome.facts = facts.dump();
  return outcome;
}

void held(Example& example, bool lugre) {
  example.title = "Held by friction";
  example.cite = "xiong2013, Fig. 3.4";
  example.options.duration = 10;
  if (!lugre) {
    held_by_friction(example.world);
  } else {
    const auto block = example.world.add("block", PointMass<double>{1.0});
    LuGre<> law;
    example.world.add("floor", law, Line<double>{}, block, ground);
    example.world.push(block, 0, [](double t) { return t < 2 ? std::min(.55, .5 * t) : .35 + .15 * std::cos(100 * t); });
  }
  example.bodies = Json::array({body("block", "mass", 1, "point", {})});
  example.elements = Json::array({element("floor", lugre ? "lugre" : "single_state", "friction", "block", "ground")});
  example.parameters =
      Json::array({parameter("block", "mass", "1", "kg", "mass"), parameter("floor", "F", "0.5", "N", "sliding friction"),
                   parameter("floor", "K", lugre ? "100000" : "5000", "N/m", "asperity stiffness")});
}

void belt(Example& example) {
  example.title = "Two blocks, a wall and a conveyor";
  example.cite = "xiong2013, Example II";
  example.options.duration = 1;
  example.options.step = 1e-4;
  conveyor(example.world);
  example.bodies = Json::array(
      {body("m1", "mass", 2, "point", {}), body("m2", "mass", 2, "point", {}), body("belt", "prescribed", 2, "point", {})});
  example.elements = Json::array({element("wall", "frictional_contact", "composite", "m1", "ground", {1, 0}),
                                  element("between", "frictional_contact", "composite", "m2", "m1", {1, 0}),
                                  element("conveyor", "frictional_contact", "composite", "m2", "belt", {0, 1}),
                                  element("spring", "spring", "spring", "m1", "ground")});
}

Contact3 rubber() {
  Contact3 law;
  law.normal.K = 2e4;
  law.normal.beta = .004;
  law.normal.alpha = .003;
  law.tangential.F = .4;
  law.tangential.K = 1e4;
  law.tangential.beta = 2e-3;
  return law;
}

void ball(Example& example) {
  example.title = "A spinning ball bounces";
  example.options.duration = 2;
  example.options.step = 2e-4;
  auto sphere = RigidBody<double>::of(.5, inertia::sphere(.5, .1));
  sphere.gravity = {{0, 0, -9.81}};
  Frame<double> start;
  start.p = {{-1, 0, .8}};
  start.v = {{1.1, .3, 0}};
  start.w = {{0, -25, 6}};
  const auto id = example.world.add("ball", sphere, start);
  BallPlane<double, true> floor;
  floor.radius = .1;
  example.world.add("floor", rubber(), floor, id, ground);
  example.bodies = Json::array({body("ball", "rigid_body", 3, "sphere", {.1})});
  example.elements = Json::array({element("floor", "frictional_contact", "composite", "ball", "ground", {0, 0, 1})});
}

void box(Example& example) {
  example.title = "A box slides down and tips";
  example.options.duration = 0.8;
  example.options.step = 1e-4;
  const double a = .3, b = .2, c = .4, slope = .42;
  auto crate = RigidBody<double>::of(2, inertia::box(2, a, b, c));
  crate.gravity = {{9.81 * std::sin(slope), 0, -9.81 * std::cos(slope)}};
  Frame<double> start;
  start.p = {{-.8, 0, .201}};
  start.w = {{.2, 0, .8}};
  const auto id = example.world.add("box", crate, start);
  const auto corners = box_on({}, a, b, c);
  example.bodies = Json::array({body("box", "rigid_body", 3, "box", {a, b, c})});
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const std::string name = "corner" + std::to_string(i + 1);
    example.world.add(name, rubber(), corners[i], id, ground);
    example.elements.push_back(element(name, "frictional_contact", "composite", "box", "ground", {0, 0, 1},
                                       {corners[i].centre[0], corners[i].centre[1], corners[i].centre[2]}));
  }
}

void arm(Example& example) {
  example.title = "An arm with rubbing joints";
  example.cite = "kikuuwe_yamamoto, Simulation II";
  example.options.duration = 6;
  const auto id = example.world.add_arm("arm", {{.3, .4}, {.3, .4}}, {{0, 0}, {0, 0}}, {0, -2.0});
  for (const unsigned k : {1U, 2U}) {
    example.world.add("friction" + std::to_string(k), coulomb(.05, 500, 2e-3), Line<double>{}, World::joint(id, k), ground);
    example.elements.push_back(
        element("friction" + std::to_string(k), "single_state", "friction", "arm.joint" + std::to_string(k), "ground"));
  }
  example.bodies = Json::array({body("arm", "arm", 2, "rods", {.4, .4})});
}

/// A floor too stiff for the step.
void fails(Example& example) {
  example.title = "Too stiff </script><script>alert(1)</script> & <b>\"bold\"</b>";
  example.cite = "<img src=x onerror=alert(2)>";
  example.options.step = 1e-2;
  const auto mass = example.world.add("block", PointMass<double>{1.0}, {0, 1});
  Spring<> spring;
  spring.K = 1e9;
  example.world.add("spring", spring, Line<double>{}, mass, ground);
  example.bodies = Json::array({body("block", "mass", 1, "point", {})});
  example.elements = Json::array({element("spring", "spring", "spring", "block", "ground")});
}

void write(const std::filesystem::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

template <class Set>
Outcome report(const std::filesystem::path& folder, const std::string& name, Set&& set) {
  Example example;
  set(example);
  Outcome outcome = outcome_of(example);
  write(folder / (name + ".html"),
        report_page(outcome.facts, outcome.data, "title = \"" + example.title + "\"\n[run]\nduration = 10\n"));
  return outcome;
}

}  // namespace
}  // namespace asperity::testing

int main(int count, char** arguments) {
  using namespace asperity;
  using namespace asperity::testing;
  if (count != 2) return std::puts("usage: make_pages FOLDER"), 2;
  const std::filesystem::path folder = arguments[1];
  std::filesystem::create_directories(folder);

  const Outcome a = report(folder, "held", [](Example& e) { held(e, false); });
  const Outcome b = report(folder, "lugre", [](Example& e) { held(e, true); });
  report(folder, "conveyor", belt);
  report(folder, "ball", ball);
  report(folder, "box", box);
  report(folder, "arm", arm);
  report(folder, "failed", fails);
  write(folder / "compare.html", compare_page({"single state", a.facts, a.data}, {"LuGre", b.facts, b.data}));
  write(folder / "plot.html", plot_page({"Held by friction", "time", {"block.position", "floor.force", "block.velocity"}}, a.data));
  write(folder / "plane.html", plot_page({"Friction over displacement", "block.position", {"floor.force"}}, a.data));
  write(folder / "empty.html", report_page("{}", Table{}));
}
