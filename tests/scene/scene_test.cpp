// The format: what can be written, what it means, and what is said about what cannot.
#include "asperity/scene/scene.hpp"

#include <gtest/gtest.h>

#include "asperity/any_law.hpp"

namespace asperity::scene_test {
namespace {

const std::string run_table = "[run]\nduration = 1\nstep = 1e-3\n";                                 // 3 lines
const std::string block = "[[body]]\nname = \"block\"\nkind = \"mass\"\nmass = 1\nposition = 0\n";  // 5 lines
const std::string floor_ = "[[element]]\nname = \"floor\"\nbetween = [\"block\", \"ground\"]\nlaw = \"single_state\"\n";
const std::string ball = "[[body]]\nname = \"ball\"\nkind = \"rigid_body\"\nmass = 1\nshape = \"sphere\"\nradius = 0.1\n";
const std::string contact = "[[element]]\nname = \"floor\"\nbetween = [\"ball\", \"ground\"]\nlaw = \"frictional_contact\"\n";

struct Answer {
  std::unique_ptr<Scene> scene;
  std::string problems;
};
Answer read(const std::string& text, const std::vector<std::string>& settings = {}) {
  std::vector<SceneProblem> problems;
  Answer answer{read_scene(text, "s.toml", settings, problems), ""};
  for (const SceneProblem& problem : problems) answer.problems += to_text(problem) + "\n";
  EXPECT_EQ(answer.scene == nullptr, !problems.empty());
  return answer;
}
/// The value of a parameter, as the tables of a report show it.
std::string parameter(const Answer& answer, const std::string& component, const std::string& name) {
  EXPECT_TRUE(answer.scene) << answer.problems;
  if (answer.scene)
    for (const SceneParameter& p : answer.scene->parameters)
      if (p.component == component && p.name == name) return p.value + " " + p.unit;
  return "none";
}
double after(const Answer& answer, const std::string& column) {
  EXPECT_TRUE(answer.scene) << answer.problems;
  if (!answer.scene) return 0;
  answer.scene->run.record = {};
  Run run(answer.scene->world, answer.scene->run);
  EXPECT_TRUE(run.go());
  return run.value(column);
}

TEST(Numbers, AreNumbersFormulasOrQuantities) {
  EXPECT_EQ(parameter(read(run_table + block + floor_ + "K = 5000"), "floor", "K"), "5000 N/m");
  EXPECT_EQ(parameter(read(run_table + block + floor_ + "K = \"5 N/mm\""), "floor", "K"), "5000 N/m");
  EXPECT_EQ(parameter(read("let = { a = 2, b = \"a*1e3\" }\n" + run_table + block + floor_ + "K = \"2.5*b\""), "floor", "K"),
            "5000 N/m");
  EXPECT_EQ(parameter(read(run_table + block + floor_ + "beta = \"0.5 ms\""), "floor", "beta"), "0.0005 s");
  // The exponent of a unit is a parameter of the same law.
  EXPECT_EQ(parameter(read(run_table + block +
                           "[[element]]\nname = \"w\"\nbetween = [\"block\", \"ground\"]\nlaw = \"hertz\"\n"
                           "K = \"1 N/mm^2\"\nlambda = 2"),
                      "w", "K"),
            "1000000 N/m^lambda");
}

TEST(Numbers, OfJointsAreAngles) {
  const std::string arm = "[[body]]\nname = \"arm\"\nkind = \"arm\"\nrods = [{ length = 1, mass = 1 }]\nangles = \"90 deg\"\n";
  const std::string joint = "[[element]]\nname = \"j\"\nbetween = [\"arm.joint1\", \"ground\"]\nlaw = \"single_state\"\n";
  EXPECT_EQ(parameter(read(run_table + arm + joint + "K = \"2 kN m/rad\""), "j", "K"), "2000 N m/rad");
  EXPECT_NEAR(after(read(run_table + arm), "arm.joint1.position"), 1.5707963267948966, 1e-12);
  EXPECT_NE(read(run_table + arm + joint + "F = \"1 N\"").problems.find("j.F"), std::string::npos);
  EXPECT_NE(read(run_table + arm + "[[input]]\non = \"arm.joint1\"\nforce = 1").problems.find("use torque"), std::string::npos);
}

TEST(Bodies, MoveInAsManyDimensionsAsTheirPositionHas) {
  EXPECT_NEAR(after(read("world.gravity = -2\n" + run_table + block), "block.velocity"), -2, 1e-12);
  const std::string flat = "[[body]]\nname = \"puck\"\nkind = \"mass\"\nmass = 1\nvelocity = [1, 2]\n";
  EXPECT_NEAR(after(read("world.gravity = [0, -1]\n" + run_table + flat), "puck.velocity.y"), 1, 1e-12);
  EXPECT_NEAR(after(read("world.gravity = [0, -1]\n" + run_table + flat + "gravity = [0, 0]"), "puck.velocity.y"), 2, 1e-12);
  EXPECT_NE(read("world.gravity = [0, 0, -1]\n" + run_table + flat).problems.find("world.gravity has 3"), std::string::npos);
}

// A prescribed body's velocity is the derivative of its position, that of its rotation its spin.
TEST(Bodies, FollowTheirFormulas) {
  const auto moved = read(run_table + "[[body]]\nname = \"hand\"\nkind = \"prescribed\"\nposition = \"2*t^3\"\n");
  EXPECT_NEAR(after(moved, "hand.position"), 2, 1e-12);
  EXPECT_NEAR(after(moved, "hand.velocity"), 6, 1e-12);
  const auto belt = read(run_table + "[[body]]\nname = \"belt\"\nkind = \"prescribed\"\nposition = [1, 0]\nvelocity = [-2, 0]\n");
  EXPECT_NEAR(after(belt, "belt.position.x"), -1, 1e-12);
  EXPECT_NEAR(after(belt, "belt.velocity.x"), -2, 1e-12);
  const auto turned =
      read(run_table + "[[body]]\nname = \"wheel\"\nkind = \"prescribed\"\nrotation = { axis = [0, 0, 2], angle = \"3*t^2\" }\n");
  EXPECT_NEAR(after(turned, "wheel.spin.z"), 6, 1e-12);
  EXPECT_NEAR(after(turned, "wheel.rotation.z"), std::sin(1.5), 1e-12);
}

TEST(Laws, OfAContactCanBeWrittenInSeveralWays) {
  const std::string expected = "0.3 1";
  for (const std::string text : {"friction = { mu = 0.3 }", "friction.mu = 0.3", "friction.F = 0.3", "tangential.F = 0.3",
                                 "\"tangential.F\" = 0.3", "tangential = { law = \"single_state\", F = 0.3 }"})
    EXPECT_EQ(parameter(read(run_table + ball + contact + text), "floor", "friction.F"), expected) << text;
  EXPECT_NE(read(run_table + ball + contact + "friction.mu = 0.3\nfriction.F = 0.3").problems.find("s.toml:15: friction.F"),
            std::string::npos);
}

TEST(Laws, ActAlongADirectionOfAnyLength) {
  const std::string puck = "[[body]]\nname = \"puck\"\nkind = \"mass\"\nmass = 1\nposition = [3, 4]\n";
  const std::string spring = "[[element]]\nname = \"s\"\nbetween = [\"puck\", \"ground\"]\nlaw = \"spring\"\nK = 1\n";
  const auto answer = read(run_table + puck + spring + "direction = [30, 40]\noffset = \"1 mm\"");
  EXPECT_EQ(parameter(answer, "s", "direction"), "[0.6, 0.8] 1");
  EXPECT_NEAR(after(answer, "puck.position.x"), .6 * (.001 + 4.999 * std::cos(1)), 1e-9);
}

TEST(Laws, TakeAsManyElementsAsTheirListsHave) {
  const std::string law = "[[element]]\nname = \"f\"\nbetween = [\"block\", \"ground\"]\nlaw = \"multistate\"\n";
  EXPECT_EQ(parameter(read(run_table + block + law + "elements = 3"), "f", "sigma"), "[20000, 20000, 20000] N s/m");
  EXPECT_EQ(parameter(read(run_table + block + law + "kappa = [1e6, 2e6]"), "f", "lambda"), "[0.5, 0.5] 1");
  EXPECT_NE(read(run_table + block + law + "kappa = [1e6, 2e6]\nsigma = [1, 2, 3]").problems.find("must have 2"),
            std::string::npos);
}

TEST(Shapes, BringTheirContacts) {
  const std::string box = "[[body]]\nname = \"ball\"\nkind = \"rigid_body\"\nmass = 1\nshape = \"box\"\nsides = [1, 2, 3]\n";
  const std::string pill =
      "[[body]]\nname = \"ball\"\nkind = \"rigid_body\"\nmass = 1\nshape = \"capsule\"\nradius = 0.1\nlength = 1\n";
  const auto names = [](const Answer& answer) {
    std::string list;
    if (answer.scene)
      for (const SceneElement& element : answer.scene->elements) list += element.name + " ";
    return list + answer.problems;
  };
  EXPECT_EQ(names(read(run_table + ball + contact)), "floor ");
  EXPECT_EQ(names(read(run_table + pill + contact)), "floor.1 floor.2 ");
  EXPECT_EQ(names(read(run_table + box + contact)), "floor.1 floor.2 floor.3 floor.4 floor.5 floor.6 floor.7 floor.8 ");
  EXPECT_EQ(names(read(run_table + box + contact + "radius = 0.5")), "floor ");
  const auto corner = read(run_table + box + contact);
  EXPECT_EQ(corner.scene->elements[7].point_a, (std::vector<double>{.5, 1, 1.5}));
  EXPECT_EQ(corner.scene->elements[7].normal, (std::vector<double>{0, 0, 1}));
}

TEST(Settings, ChangeTheSceneBeforeItIsRead) {
  const std::string text = "let.mu = 0.5\n" + run_table + block + floor_ + "F = \"mu\"\n";
  EXPECT_EQ(parameter(read(text, {"let.mu=0.25"}), "floor", "F"), "0.25 N");
  EXPECT_EQ(parameter(read(text, {"floor.F=2 mN"}), "floor", "F"), "0.002 N");
  EXPECT_EQ(parameter(read(text, {"block.position=[1, 2]"}), "block", "position"), "[1, 2] m");
  EXPECT_EQ(read(text, {"run.step=5e-4"}).scene->run.step, 5e-4);
  EXPECT_EQ(read(text, {"world.gravity=-9.81"}).problems, "");
  EXPECT_EQ(
      parameter(read(run_table + ball + contact, {"floor.normal.K=7", "floor.tangential.F_c=0.1", "floor.friction.law=lugre"}),
                "floor", "normal.K"),
      "7 N/m");
  const std::string wrong = read(text, {"flor.K=1", "floor.Q=1", "run.step=-1", "nonsense", "block.mass=heavy"}).problems;
  for (const char* expected : {"--set flor.K=1: there is no flor; did you mean floor?", "--set floor.Q=1: floor.Q: unknown key",
                               "--set run.step=-1: run.step = -1 s: must be > 0", "--set nonsense: must be path=value",
                               "--set block.mass=heavy: block.mass = \"heavy\""})
    EXPECT_NE(wrong.find(expected), std::string::npos) << expected << "\n" << wrong;
}

TEST(Resolved, HasEverySettingNameAndUnitWorkedOut) {
  const auto answer = read("let.mu = 0.5\n" + run_table + block + floor_ + "F = \"mu\"\nK = \"5 N/mm\"\n" +
                               "[[input]]\non = \"block\"\nforce = \"mu*sin(t)\"\n",
                           {"floor.beta=1 ms"});
  ASSERT_TRUE(answer.scene) << answer.problems;
  for (const char* expected : {"F = 0.5\n", "K = 5000\n", "beta = 0.001\n", "force = \"0.5*sin(t)\"\n", "velocity = 0\n",
                               "method = \"rk4\"\n", "columns = [\"*\"]\n"})
    EXPECT_NE(answer.scene->resolved.find(expected), std::string::npos) << expected << "\n" << answer.scene->resolved;
  EXPECT_EQ(answer.scene->resolved.find("let"), std::string::npos);
}

TEST(Problems, AreAllNamedAtOnceWithTheirLines) {
  const std::string problems = read(R"toml(title = "Many mistakes"
[let]
a = "b"
b = "a"
[run]
duration = 1e-4
step = 1e-3
stepp = 2
[[body]]
name = "block"
kind = "mass"
mass = -1
[[body]]
name = "block"
kind = "mass"
mass = "5 m"
position = [1, 2, 3, 4]
[[element]]
name = "floor"
between = ["blok", "ground"]
law = "single_stat"
[[input]]
on = "block"
force = "1/(t-t)"
[record]
every = 1.5e-3
columns = ["flor.force"]
)toml")
                                   .problems;
  for (const char* expected :
       {"s.toml:3: let: these need each other: a -> b -> a", "s.toml:6: run.duration = 0.0001 s: must be >= run.step = 0.001 s",
        "s.toml:8: run.stepp: unknown key; did you mean step?", "s.toml:12: block.mass = -1 kg: must be > 0",
        "s.toml:14: name = \"block\": there is one of that name in line 10", "s.toml:16: block.mass = \"5 m\"",
        "s.toml:17: block.position = [1, 2, 3, 4]: must be a number or a list of 2 or a list of 3",
        "s.toml:20: floor.between = \"blok\": there is no body of that name; did you mean block?",
        "s.toml:21: floor.law = \"single_stat\": unknown; did you mean single_state?", "s.toml:24: input 1.force",
        "s.toml:26: record.every", "s.toml:27: record.columns[1]: nothing is named flor.force; did you mean floor?"})
    EXPECT_NE(problems.find(expected), std::string::npos) << expected << "\n--\n" << problems;
}

TEST(Problems, OfBodiesAndElements) {
  struct Case {
    std::string text, expected;
  };
  const std::string rigid = "[[body]]\nname = \"r\"\nkind = \"rigid_body\"\nmass = 1\n";
  const std::string two = run_table + block + "[[body]]\nname = \"other\"\nkind = \"mass\"\nmass = 1\nposition = [0, 0]\n";
  for (const auto& [text, expected] : {
           Case{run_table + rigid, "s.toml:4: r: has no inertia"},
           {run_table + rigid + "inertia = [1, 1, 3]", "s.toml:8: r.inertia = [1, 1, 3] kg m^2: no body has it"},
           {run_table + rigid + "inertia = [1, 1, 1, 2, 0, 0]", "must be positive about every axis"},
           {run_table + rigid + "inertia = [1, 1, 1]\nrotation = [1, 1, 0, 0]",
            "s.toml:9: r.rotation = [1, 1, 0, 0]: has the length 1.41421"},
           {run_table + rigid + "shape = \"sphere\"", "r: radius is missing (m)"},
           {run_table + rigid + "shape = \"sphere\"\nradius = 1\nlength = 2", "s.toml:10: r.length: a sphere has none"},
           {run_table + rigid + "inertia = [1, 1, 1]\nrotation = { axis = [0, 0, 0], angle = 1 }", "must have a length > 0"},
           {run_table + "[[body]]\nname = \"ground\"\nkind = \"mass\"\nmass = 1", "there always is one"},
           {run_table + "[[body]]\nname = \"time\"\nkind = \"mass\"\nmass = 1", "this word has a meaning of its own"},
           {run_table + "[[body]]\nname = \"a.b\"\nkind = \"mass\"\nmass = 1", "must be made of letters"},
           {run_table + "[[body]]\nname = \"a\"\nkind = \"mas\"", "did you mean mass?"},
           {run_table + "[[body]]\nname = \"a\"\nkind = \"mass\"", "a: mass is missing (kg)"},
           {run_table + "[[body]]\nname = \"a\"\nkind = \"arm\"\nrods = []", "a.rods: must be a list"},
           {run_table + "[[body]]\nname = \"a\"\nkind = \"arm\"\nrods = [{ length = 1 }]", "a.rods[1]: mass is missing"},
           {run_table + "body = 1", "[[body]]"},
           {run_table + "[body]\nname = \"a\"", "two brackets"},
           {run_table, "there is no [[body]]"},
           {block, "run: duration is missing (s)"},
           {run_table + "method = \"rk5\"\n" + block, "s.toml:4: run.method = \"rk5\": unknown; did you mean rk4?"},
           {run_table + block + floor_ + "K = [1, 2]", "floor.K = [1, 2]: must be a number"},
           {run_table + block + floor_ + "K = true", "floor.K = true: must be a number"},
           {run_table + block + floor_ + "kk = 3", "s.toml:13: floor.kk: unknown key"},
           {run_table + block + floor_ + "K = \"2*mu\"", "mu"},
           {run_table + block + floor_ + "K = \"5 kg\"", "s.toml:13: floor.K = \"5 kg\""},
           {two + "[[element]]\nname = \"e\"\nbetween = [\"block\", \"other\"]\nlaw = \"single_state\"", "e: block moves "},
           {two + "[[element]]\nname = \"e\"\nbetween = [\"other\", \"ground\"]\nlaw = \"spring\"", "direction is missing"},
           {two + "[[element]]\nname = \"e\"\nbetween = [\"other\", \"other\"]\nlaw = \"single_state\"", "the same body"},
           {two + "[[element]]\nname = \"e\"\nbetween = [\"ground\", \"ground\"]\nlaw = \"single_state\"",
            "both ends are the ground"},
           {two + "[[element]]\nname = \"e\"\nbetween = [\"other\"]\nlaw = \"single_state\"", "must be two names"},
           {two + "[[element]]\nname = \"e\"\nbetween = [\"other\", \"ground\"]\nlaw = \"specker\"", "direction is missing"},
           {run_table + block + floor_ + "law2 = 1\n", "unknown key"},
           {run_table + ball + "[[element]]\nname = \"e\"\nbetween = [\"ball\", \"ground\"]\nlaw = \"single_state\"",
            "use law = \"frictional_contact\""},
           {run_table + ball + "[[element]]\nname = \"e\"\nbetween = [\"ground\", \"ball\"]\nlaw = \"frictional_contact\"",
            "the body that touches comes first"},
           {run_table + ball + "[[element]]\nname = \"e\"\nbetween = [\"ball@top\", \"ground\"]\nlaw = \"frictional_contact\"",
            "has no point of that name"},
           {run_table + ball + contact + "normal.law = \"hertz\"\nfriction.law = \"dahl\"", "dahl goes with: linear_compliance"},
           {run_table + ball + contact + "normal.law = \"dahl\"", "floor.normal.law = \"dahl\": must be a contact law"},
           {run_table + ball + contact + "friction.law = \"gms\"", "there is no frictional contact of linear_compliance and gms"},
           {run_table + ball + contact + "normal = [0, 0, 1]", "the normal of a plane is its direction"},
           {run_table + ball + contact + "normal.alpha = 1\nnormal.beta = 0.5",
            "s.toml:15: floor.normal.beta = 0.5: must be >= normal.alpha = 1"},
           {run_table + ball + contact + "friction.Q = 1", "floor.friction.Q: single_state has no such parameter"},
           {run_table + ball + contact + "direction = [0, 0, 0]", "must have a length > 0"},
           {run_table + block + "[[input]]\non = \"blok\"\nforce = 1", "did you mean block?"},
           {run_table + block + "[[input]]\non = \"block\"\nforce = [1, 2]", "input 1.force = [1, 2]: must be a number"},
           {run_table + block + "[[input]]\non = \"block\"\ntorque = 1", "a mass cannot be turned"},
           {run_table + block + "[[input]]\non = \"block\"", "input 1: force is missing"},
           {run_table + block + "[[input]]\non = \"block\"\nforce = \"1/(t - 0.5)\"", "at t = 0.5 s: must be a finite number"},
           {run_table + block + "[record]\ncolumns = [\"block.positon\"]", "did you mean block.position?"},
           {run_table + block + "[let]\nt = 1", "t is the time"},
           {run_table + block + "[let]\nx = \"x + 1\"", "let.x = \"x + 1\": needs itself"},
       }) {
    const std::string problems = read(text).problems;
    EXPECT_NE(problems.find(expected), std::string::npos) << "expected: " << expected << "\ngot: " << problems << "\nof:\n" << text;
  }
}

TEST(Problems, OfTextThatIsNoScene) {
  EXPECT_NE(read("a = [").problems.find("s.toml:1: "), std::string::npos);
  EXPECT_NE(read("x = 1\ny = \"\xff\xfe\"\n").problems.find("s.toml:2: "), std::string::npos);
  EXPECT_NE(read("").problems.find("there is no [[body]]"), std::string::npos);
  EXPECT_NE(read(std::string(49 << 20, '#')).problems.find("bytes"), std::string::npos);
  EXPECT_FALSE(read("a = " + std::string(100000, '[')).scene);
  std::string deep = "a", chain = "[let]\nn0 = 1\n";
  for (int i = 0; i < 1000000; ++i) deep += ".a";
  EXPECT_FALSE(read(deep + " = 1").scene);
  EXPECT_FALSE(read("[" + deep + "]").scene);
  // A long chain of names is fine.
  for (int i = 1; i < 20000; ++i) chain += "n" + std::to_string(i) + " = \"n" + std::to_string(i - 1) + "\"\n";
  EXPECT_EQ(read(run_table + block + chain).problems, "");
}

TEST(Problems, OfLongScenesAreCounted) {
  std::string text = run_table;
  for (int i = 0; i < 2000; ++i) text += "[[body]]\nname = \"b" + std::to_string(i) + "\"\nkind = \"mass\"\nmass = -1\n";
  const std::string problems = read(text).problems;
  EXPECT_NE(problems.find("there may be more"), std::string::npos);
  EXPECT_LT(std::count(problems.begin(), problems.end(), '\n'), 300);
}

TEST(Format, IsDescribedForEveryKeyAndLaw) {
  const std::string page = scene_format_markdown();
  for (const std::string& law : law_names()) EXPECT_NE(page.find("`" + law + "`"), std::string::npos) << law;
  for (const char* key : {"`duration`", "`gravity`", "`inertia`", "`between`", "`direction`", "`load`", "`torque`", "`columns`",
                          "`anchor_a`", "`K_turn`", "`point_a`", "`radius`"})
    EXPECT_NE(page.find(key), std::string::npos) << key;
}

}  // namespace
}  // namespace asperity::scene_test
