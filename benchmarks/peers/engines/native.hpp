// What the native engines share: the scene comes as JSON on standard input, the motion goes out as numbers, a line for each step.
#pragma once
#include <array>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace peers {

using Vec = std::array<double, 3>;

struct Body {
  std::string name;
  bool sphere = false;
  double radius = 0;
  Vec half{};
  double mass = 1;
  Vec position{};
  bool only_x = false;  // may move along x only
  Vec velocity{};
  Vec spin{};
};

struct Hinge {
  int body = 0;
  Vec at{};
  Vec axis{};
  double torque = 0;  // of its dry friction
};

struct Scene {
  double h = 0;
  int settle = 0;  // steps at rest
  int steps = 0;
  Vec gravity{};
  bool floor = false;
  double mu = 0;
  double e = 0;
  bool best = false;
  std::vector<Body> bodies;
  std::vector<Hinge> joints;
  std::vector<std::vector<Vec>> forces;  // of each step and body, those at rest first; none: no forces
};

inline Scene read_scene() {
  const auto json = nlohmann::json::parse(std::cin);
  Scene scene{json.at("h"),
              json.at("settle"),
              json.at("steps"),
              json.at("gravity"),
              json.at("floor"),
              json.at("mu"),
              json.at("e"),
              json.at("best"),
              {},
              {},
              {}};
  for (const auto& each : json.at("bodies")) {
    Body body;
    body.name = each.at("name");
    body.sphere = each.contains("radius");
    if (body.sphere) body.radius = each.at("radius");
    else body.half = each.at("half");
    body.mass = each.at("mass");
    body.position = each.at("position");
    body.only_x = each.contains("free");
    body.velocity = each.value("velocity", Vec{});
    body.spin = each.value("spin", Vec{});
    scene.bodies.push_back(body);
  }
  for (const auto& each : json.at("joints"))
    scene.joints.push_back({each.at("body"), each.at("at"), each.at("axis"), each.at("torque")});
  scene.forces = json.at("forces");
  return scene;
}

struct State {
  Vec position{};
  std::array<double, 4> rotation{};  // w, x, y, z
  Vec velocity{};
  Vec spin{};
};

// An engine has set(body, velocity, spin), push(body, force), step() and read(body).
template <class Engine>
void play(const Scene& scene, Engine& engine) {
  const int bodies = static_cast<int>(scene.bodies.size());
  for (int i = -scene.settle; i <= scene.steps; ++i) {
    if (i == 0)
      for (int b = 0; b < bodies; ++b) {
        const Body& body = scene.bodies[b];
        if (body.velocity != Vec{} || body.spin != Vec{}) engine.set(b, body.velocity, body.spin);
      }
    if (i >= 0) {
      for (int b = 0; b < bodies; ++b) {
        const State s = engine.read(b);
        std::printf("%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g ", s.position[0], s.position[1],
                    s.position[2], s.rotation[0], s.rotation[1], s.rotation[2], s.rotation[3], s.velocity[0], s.velocity[1],
                    s.velocity[2], s.spin[0], s.spin[1], s.spin[2]);
      }
      std::printf("\n");
    }
    if (i == scene.steps) break;
    for (int b = 0; b < bodies; ++b)
      if (!scene.forces.empty()) engine.push(b, scene.forces[i + scene.settle][b]);
    engine.step();
  }
}

}  // namespace peers
