#include "keys.hpp"

#include <array>
#include <stdexcept>

#include "asperity/contact/defaults.hpp"

namespace asperity::scene {

using enum Key::Takes;

std::string_view to_text(Key::Takes takes) {
  switch (takes) {
    case text:
      return "text";
    case word:
      return "word";
    case flag:
      return "true or false";
    case number:
      return "number";
    case count:
      return "whole number";
    case numbers:
      return "number or list of numbers";
    case course:
      return "formula of t or list of them";
    case texts:
      return "list of texts";
    case table:
      return "table";
    case tables:
      return "list of tables";
  }
  return "";
}

const Key* Section::find(std::string_view name) const noexcept {
  for (const Key& key : keys)
    if (key.name == name) return &key;
  return nullptr;
}
const Key& Section::at(std::string_view name) const {
  if (const Key* key = find(name)) return *key;
  throw std::logic_error("the table of keys has no " + std::string(name) + " in " + std::string(heading));
}
std::vector<std::string> Section::names() const {
  std::vector<std::string> list;
  for (const Key& key : keys) list.emplace_back(key.name);
  return list;
}

namespace {

const Key gravity_of_body{.name = "gravity",
                          .takes = numbers,
                          .meaning = "acceleration by gravity of this body",
                          .unit = "m/s^2",
                          .fallback = "that of the world"};
const Key mass_of_body{.name = "mass", .takes = number, .meaning = "mass", .unit = "kg", .range = positive, .required = true};
const Key start_position{.name = "position",
                         .takes = numbers,
                         .meaning = "where it starts; a number or a list of 2 or 3: the dimension",
                         .unit = "m",
                         .fallback = "0"};
const Key start_velocity{.name = "velocity", .takes = numbers, .meaning = "how fast it starts", .unit = "m/s", .fallback = "0"};
const Key shape_of_body{
    .name = "shape",
    .takes = word,
    .meaning =
        "sphere, box, capsule or cylinder (axis z): inertia of a uniform body, points of contact, picture. With its size in "
        "one: `{ sphere = 0.1 }`, `{ box = [0.1, 0.2, 0.3] }`, `{ capsule = [0.05, 0.2] }` (radius, length). A prescribed body "
        "may be a plane, too: all that is below its z = 0"};
const Key groups_of_body{.name = "group",
                         .takes = texts,
                         .meaning = "names that `[[contacts]]` can use for several bodies: `[\"boxes\"]`",
                         .fallback = "none"};
const Key radius_of_shape{
    .name = "radius", .takes = number, .meaning = "of a sphere, a capsule, a cylinder", .unit = "m", .range = positive};
const Key length_of_shape{
    .name = "length", .takes = number, .meaning = "of a cylinder; of a capsule without its caps", .unit = "m", .range = positive};
const Key sides_of_shape{
    .name = "sides", .takes = numbers, .meaning = "of a box, along its x, y, z", .unit = "m", .range = positive};
const Key points_of_body{.name = "points",
                         .takes = table,
                         .meaning = "named points in the body, from its centre of mass: { tip = [0, 0, 0.1] } is body@tip",
                         .unit = "m"};

}  // namespace

const Section top_keys{"The scene",
                       "",
                       {
                           {.name = "title", .takes = text, .meaning = "what it shows", .fallback = "the name of the file"},
                           {.name = "cite", .takes = text, .meaning = "where it comes from", .fallback = "nothing"},
                           {.name = "world", .takes = table, .meaning = "what acts everywhere"},
                           {.name = "run", .takes = table, .meaning = "how long, how fine, by which method"},
                           {.name = "let", .takes = table, .meaning = "names for numbers and formulas, to be used everywhere else"},
                           {.name = "body", .takes = tables, .meaning = "what moves, `[[body]]` each", .required = true},
                           {.name = "inclusion", .takes = table, .meaning = "equations of motion, instead of bodies"},
                           {.name = "element", .takes = tables, .meaning = "what acts between bodies, `[[element]]` each"},
                           {.name = "contacts",
                            .takes = tables,
                            .meaning = "which bodies with shapes can touch each other, and by which law, `[[contacts]]` each"},
                           {.name = "input", .takes = tables, .meaning = "what pushes, `[[input]]` each"},
                           {.name = "controller", .takes = tables, .meaning = "sampled feedback, `[[controller]]` each"},
                           {.name = "record", .takes = table, .meaning = "what to write down"},
                       }};

const Section world_keys{"[world]",
                         "",
                         {{.name = "gravity",
                           .takes = numbers,
                           .meaning = "of every body that has none of its own; a body on a line feels only a single number",
                           .unit = "m/s^2",
                           .fallback = "none"}}};

const Section run_keys{
    "[run]",
    "",
    {
        {.name = "duration", .takes = number, .meaning = "simulated time", .unit = "s", .range = positive, .required = true},
        {.name = "step",
         .takes = number,
         .meaning = "of the fixed-step methods",
         .unit = "s",
         .range = positive,
         .fallback = "1e-3"},
        {.name = "method", .takes = word, .meaning = "of integration", .fallback = "rk4"},
        {.name = "rtol",
         .takes = number,
         .meaning = "relative tolerance of the adaptive methods",
         .unit = "1",
         .range = positive,
         .fallback = "1e-6"},
        {.name = "atol",
         .takes = number,
         .meaning = "absolute tolerance of the adaptive methods",
         .unit = "1",
         .range = positive,
         .fallback = "1e-9"},
        {.name = "max_step",
         .takes = number,
         .meaning = "longest step of the adaptive methods",
         .unit = "s",
         .range = positive,
         .fallback = "inf"},
        {.name = "max_steps",
         .takes = number,
         .meaning =
             "most steps of the run. A fixed step that needs more is refused; an adaptive method stops early if it would need a "
             "hundredth of it and more than a hundred for each `step`",
         .unit = "1",
         .range = positive,
         .fallback = "1e8"},
        {.name = "subdivide",
         .takes = flag,
         .meaning = "of implicit2: shorter steps during an impact, so that it bounces as designed",
         .fallback = "true"},
        {.name = "preload",
         .takes = flag,
         .meaning = "start in static equilibrium: asperities deflected, contacts compressed",
         .fallback = "false"},
        {.name = "threads",
         .takes = number,
         .meaning = "for worlds of many thousands of bodies; 0: all cores. The results do not depend on it",
         .unit = "1",
         .range = nonnegative,
         .fallback = "0"},
        {.name = "strict",
         .takes = flag,
         .meaning = "warnings of the set-up checks are errors, and so are doubts about the numbers after the run",
         .fallback = "false"},
        {.name = "energy",
         .takes = word,
         .meaning = "`judge`: a run whose energy balance is off by more than 5 % has failed; `ignore`: only a note",
         .fallback = "judge"},
        {.name = "verify",
         .takes = flag,
         .meaning =
             "run a second time with half the step (adaptive methods: a hundredth of the tolerances) and report by how much the "
             "two differ",
         .fallback = "false"},
    }};

const Section record_keys{"[record]",
                          "",
                          {
                              {.name = "every",
                               .takes = number,
                               .meaning = "time between rows, a multiple of a fixed step; 0: after every step",
                               .unit = "s",
                               .range = nonnegative,
                               .fallback = "0"},
                              {.name = "columns",
                               .takes = texts,
                               .meaning = "names such as block.position; a star at the end takes all that start so; [] is all",
                               .fallback = "[\"*\"]"},
                          }};

const Section body_keys{"[[body]]",
                        "",
                        {
                            {.name = "name", .takes = text, .meaning = "letters, digits, _ and -", .required = true},
                            {.name = "kind", .takes = word, .meaning = "which of the following it is", .required = true},
                        }};

const Section mass_keys{"kind = \"mass\"",
                        "A point that moves along a line, in a plane or in space.",
                        {mass_of_body, start_position, start_velocity, gravity_of_body}};

const Section friction_mass_keys{
    "kind = \"friction_mass\"",
    "A mass with friction of its own that stops exactly, in sampled time: for the method euler.",
    {mass_of_body,
     {.name = "F", .takes = number, .meaning = "sliding friction", .unit = "N", .range = nonnegative, .required = true},
     start_position,
     start_velocity,
     gravity_of_body}};

const Section rigid_body_keys{
    "kind = \"rigid_body\"",
    "A body that moves and turns in space. It has a shape, an inertia, or both.",
    {mass_of_body,
     shape_of_body,
     groups_of_body,
     radius_of_shape,
     length_of_shape,
     sides_of_shape,
     {.name = "inertia",
      .takes = numbers,
      .meaning = "about the centre of mass, in the body: [xx, yy, zz] or [xx, yy, zz, xy, xz, yz]",
      .unit = "kg m^2",
      .fallback = "that of the shape"},
     {.name = "position", .takes = numbers, .meaning = "of the centre of mass, a list of 3", .unit = "m", .fallback = "[0, 0, 0]"},
     {.name = "rotation",
      .takes = table,
      .meaning = "from the body to the world: a quaternion [w, x, y, z] of length 1, or { axis = [..], angle = .. }",
      .fallback = "none"},
     {.name = "velocity", .takes = numbers, .meaning = "of the centre of mass", .unit = "m/s", .fallback = "[0, 0, 0]"},
     {.name = "spin", .takes = numbers, .meaning = "angular velocity in the world", .unit = "rad/s", .fallback = "[0, 0, 0]"},
     gravity_of_body,
     points_of_body}};

const Section prescribed_keys{
    "kind = \"prescribed\"",
    "A body with prescribed motion, whatever forces act on it: a conveyor, a shaker, a hand. Its velocity is the exact derivative "
    "of its "
    "position; or its velocity is constant, and its position is where it starts. With a rotation, a shape or points it is a rigid "
    "body in space.",
    {{.name = "position", .takes = course, .meaning = "a number or a list of 2 or 3: the dimension", .unit = "m", .fallback = "0"},
     {.name = "velocity", .takes = numbers, .meaning = "constant; the position is then where it starts", .unit = "m/s"},
     {.name = "rotation",
      .takes = table,
      .meaning = "from the body to the world: { axis = [..], angle = formula of t }, or a constant quaternion [w, x, y, z]",
      .fallback = "none"},
     shape_of_body,
     groups_of_body,
     radius_of_shape,
     length_of_shape,
     sides_of_shape,
     points_of_body}};

const Section arm_keys{
    "kind = \"arm\"",
    "A planar chain of uniform rods. Its joints are arm.joint1, arm.joint2, ...: joint friction is an element between a joint and "
    "the ground.",
    {{.name = "rods", .takes = tables, .meaning = "from the base to the tip, { length = .., mass = .. } each", .required = true},
     {.name = "angles",
      .takes = numbers,
      .meaning = "at which it starts, one for each rod: the first from the x axis, the others from the rod before",
      .unit = "rad",
      .fallback = "0"},
     {.name = "rates", .takes = numbers, .meaning = "with which they start to change", .unit = "rad/s", .fallback = "0"},
     {.name = "gravity",
      .takes = numbers,
      .meaning = "in the plane of the arm, a list of 2",
      .unit = "m/s^2",
      .fallback = "that of the world, if it has 2 components"}}};

const Section rod_keys{
    "rods",
    "",
    {{.name = "length", .takes = number, .meaning = "length", .unit = "m", .range = positive, .required = true}, mass_of_body}};

const Section rotation_keys{
    "rotation",
    "",
    {{.name = "axis", .takes = numbers, .meaning = "a list of 3, of any length but zero", .unit = "1", .required = true},
     {.name = "angle", .takes = course, .meaning = "about the axis", .unit = "rad", .required = true}}};

const Section element_keys{
    "[[element]]",
    "",
    {{.name = "name", .takes = text, .meaning = "letters, digits, _ and -", .required = true},
     {.name = "between",
      .takes = texts,
      .meaning = "its two ends: a body, a point of it (body@point), a joint of an arm (arm.joint1), or ground, which always exists",
      .required = true},
     {.name = "law", .takes = word, .meaning = "a law of the catalogue, spring, or hinge", .required = true}}};

const std::string default_contact = "{ law = \"" + std::string(DefaultContact<>::about.name) + "\" }";
const std::string default_friction = "{ law = \"" + std::string(DefaultFriction<>::about.name) + "\" }";
const Section law_keys{
    "laws in an element",
    "",
    {{.name = "elements",
      .takes = count,
      .meaning = "of a law made of elements: how many",
      .unit = "1",
      .range = between(1, 1000),
      .fallback = "10, or as many as a list has"},
     {.name = "normal",
      .takes = table,
      .meaning = "of a frictional contact: its normal law and the parameters of that",
      .fallback = default_contact},
     {.name = "friction",
      .takes = table,
      .meaning = "of a frictional contact and of a hinge: its friction law and the parameters of that; in a contact forces are "
                 "shares of the normal force, and mu, mu_c, mu_s are other names of F, F_c, F_s",
      .fallback = default_friction},
     {.name = "load",
      .takes = number,
      .meaning = "of a friction law: normal force; the limits of the law are then shares of it",
      .unit = "N",
      .range = nonnegative,
      .fallback = "none: limits in N"},
     {.name = "stiffness",
      .takes = word,
      .meaning =
          "rigid: K, and the damping that is left out, are chosen so that the load that it has to carry hardly moves it; of every "
          "law that has a stiffness and runs with an implicit method",
      .fallback = "none: by K"},
     {.name = "held",
      .takes = number,
      .meaning = "with stiffness = \"rigid\": how far that load may move it",
      .unit = "m",
      .range = positive,
      .fallback = "1e-9"},
     {.name = "design",
      .takes = table,
      .meaning = "what its parameters are to do: `asperity design scene` reads it, a run does not",
      .fallback = "nothing"}}};

const Section contacts_keys{
    "[[contacts]]",
    "Bodies with shapes that find each other: spheres, boxes, capsules and planes. The last rule that fits a pair decides. Of two "
    "bodies at least one moves. See [shapes and contact](guides/shapes-and-contact.md).",
    {{.name = "between",
      .takes = texts,
      .meaning = "two names of bodies or groups; `*` stands for any letters",
      .fallback = "[\"*\", \"*\"]"},
     {.name = "law",
      .takes = word,
      .meaning = "a law with a normal and a friction part, or `never`: these pass through each other",
      .fallback = "the one with both parts"},
     {.name = "normal",
      .takes = table,
      .meaning =
          "its normal law and the parameters of that. A stiffness is that of two shapes that lie flat on each other. What is "
          "left out is designed from masses, sizes and step",
      .fallback = default_contact},
     {.name = "friction",
      .takes = table,
      .meaning = "its friction law and the parameters of that, as of an element",
      .fallback = default_friction}}};

const Section design_keys{
    "design",
    "",
    {{.name = "restitution",
      .takes = number,
      .meaning = "of a contact: speed after an impact over speed before",
      .unit = "1",
      .range = between(0, 1),
      .fallback = "0.5"},
     {.name = "speed", .takes = number, .meaning = "of a contact: of that impact", .unit = "m/s", .range = positive},
     {.name = "penetration", .takes = number, .meaning = "of a contact: how deep it goes", .unit = "m", .range = positive},
     {.name = "displacement",
      .takes = number,
      .meaning = "of friction: the largest displacement before it slides",
      .unit = "m",
      .range = positive}}};

const Section input_keys{
    "[[input]]",
    "",
    {{.name = "on", .takes = text, .meaning = "a body, or a joint of an arm", .required = true},
     {.name = "force",
      .takes = course,
      .meaning = "a number, or a list with one for each dimension. Its formula may have the motion of any body, too: "
                 "`\"-kp*block.position - kd*block.velocity\"`",
      .unit = "N"},
     {.name = "torque",
      .takes = course,
      .meaning = "on a rigid body a list of 3, about axes of the world through its centre of mass; on a joint a number",
      .unit = "N m"}}};

const Section controller_keys{
    "[[controller]]",
    "A force that is computed from the motion at regular times and held until the next one. Needs a method with a fixed step.",
    {{.name = "on", .takes = text, .meaning = "a body, or a joint of an arm", .required = true},
     {.name = "force", .takes = course, .meaning = "as in `[[input]]`: `\"-kp*block.position - kd*block.velocity\"`", .unit = "N"},
     {.name = "torque", .takes = course, .meaning = "as in `[[input]]`", .unit = "N m"},
     {.name = "every",
      .takes = number,
      .meaning = "time between samples, a multiple of `run.step`",
      .unit = "s",
      .range = positive,
      .required = true},
     {.name = "delay",
      .takes = number,
      .meaning = "from a sample until its force acts, a multiple of `run.step`",
      .unit = "s",
      .range = nonnegative,
      .fallback = "0"},
     {.name = "resolution",
      .takes = number,
      .meaning =
          "of an encoder: positions are rounded to multiples of it, and velocities are differences of them over `every`. 0: exact",
      .unit = "m",
      .range = nonnegative,
      .fallback = "0"}}};

const Section inclusion_keys{
    "[inclusion]",
    "",
    {{.name = "let", .takes = table, .meaning = "names for numbers, as in `[let]`"},
     {.name = "state", .takes = table, .meaning = "the states, and where they start: { p = 0, v = 1 }", .required = true},
     {.name = "rate", .takes = table, .meaning = "a formula for the rate of each state, with dio and sgn", .required = true},
     {.name = "regularise",
      .takes = table,
      .meaning = "parameters of the terms: default for all, \"dio(p)\", \"sgn(v)\" or \"mu*dio(p)*sgn(v)\" for some"}}};

const Section relaxation_keys{
    "terms in [inclusion.regularise]",
    "",
    {{.name = "K", .takes = number, .meaning = "stiffness", .unit = "N/m", .range = positive, .fallback = "chosen"},
     {.name = "beta", .takes = number, .meaning = "damping time", .unit = "s", .range = positive, .fallback = "chosen"},
     {.name = "alpha",
      .takes = number,
      .meaning = "of a dio: relaxation time, at most beta",
      .unit = "s",
      .range = positive,
      .fallback = "chosen"},
     {.name = "nonnegative",
      .takes = flag,
      .meaning = "of a sgn: what multiplies it is never negative, on your word",
      .fallback = "false"},
     {.name = "name", .takes = text, .meaning = "of the term, in columns and events", .fallback = "d1, d2, ..., s1, s2, ..."},
     {.name = "chosen",
      .takes = texts,
      .meaning =
          "which of K, beta and alpha the step decided on; written into the scene of a run, so that half the step can decide "
          "otherwise",
      .fallback = "those that are left out"}}};

std::span<const BodyKind> body_kinds() {
  static const std::array<BodyKind, 5> kinds{{{"mass", &mass_keys},
                                              {"rigid_body", &rigid_body_keys},
                                              {"prescribed", &prescribed_keys},
                                              {"arm", &arm_keys},
                                              {"friction_mass", &friction_mass_keys}}};
  return kinds;
}

std::span<const std::string_view> shapes() {
  static constexpr std::array<std::string_view, 5> list{"sphere", "box", "capsule", "cylinder", "plane"};
  return list;
}

}  // namespace asperity::scene
