// referee scene SEED                                   writes the scene of that seed
// referee judge FOLDER [EXIT_CODE]                     a run that there is
// referee self FOLDER                                  the referee itself against closed forms and published numbers
// referee run PROGRAM FOLDER FIRST COUNT [JOBS [KNOWN]] runs and judges scenes, ends with 1 if one is wrong without a word that is
// not in
//                                                      the file of known ones ("seed reason" each), or one of these is not any more
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "referee.hpp"

namespace {
using namespace referee;

const char* name(Outcome o) {
  switch (o) {
    case Outcome::Right:
      return "right";
    case Outcome::FalseAlarm:
      return "right, doubted";
    case Outcome::Told:
      return "wrong, flagged";
    case Outcome::Refused:
      return "refused";
    case Outcome::Silent:
      return "WRONG SILENTLY";
    default:
      return "not judged";
  }
}

// The exit code; -1 if it took too long.
int run_program(const std::string& program, const std::string& scene, const std::string& folder, const std::string& log) {
  const pid_t child = fork();
  if (child == 0) {
    const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(out, 1), dup2(out, 2);
    const rlimit limit{20, 20};  // s of its own time, however busy the machine is
    setrlimit(RLIMIT_CPU, &limit);
    execl(program.c_str(), program.c_str(), "run", scene.c_str(), "--quiet", "-o", folder.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGXCPU ? -1 : 128 + WTERMSIG(status);
  return WEXITSTATUS(status);
}

struct Line {
  std::uint64_t seed;
  std::string family, method, pace;
  Judgement j;
};

std::string one_line(std::string text, std::size_t most) {
  for (char& c : text)
    if (c == '\n' || c == '\t') c = ' ';
  return text.size() > most ? text.substr(0, most) + "..." : text;
}

Line one(const std::string& program, const std::string& folder, std::uint64_t seed) {
  const RandomScene scene = random_scene(seed);
  const std::string base = folder + "/" + std::to_string(seed);
  std::filesystem::remove_all(base);
  std::ofstream(base + ".toml") << scene.text;
  Line line{seed, scene.family, scene.method, scene.pace, {}};
  const int code = run_program(program, base + ".toml", base, base + ".log");
  try {
    line.j = judge(base, code);
    if (code == 2) {
      std::ifstream log(base + ".log");
      std::getline(log, line.j.word);
    }
  } catch (const std::exception& e) {
    line.j = {Outcome::Silent, std::string{"the referee: "} + e.what(), INFINITY, "", 0};
  }
  if (line.j.outcome != Outcome::Silent) {
    std::filesystem::remove_all(base);
  }
  return line;
}

void table(const std::vector<Line>& lines, const char* title, std::string Line::*key) {
  std::map<std::string, std::map<Outcome, int>> count;
  for (const Line& l : lines) ++count[l.*key][l.j.outcome], ++count["~all"][l.j.outcome];
  std::printf(
      "\n| %s | runs | right | right, doubted | wrong, flagged | refused | not judged | wrong silently "
      "|\n|---|---|---|---|---|---|---|---|\n",
      title);
  for (auto& [what, c] : count) {
    int runs = 0;
    for (const auto& [o, n] : c) runs += n;
    std::printf("| %s | %d | %d | %d | %d | %d | %d | %d |\n", what == "~all" ? "all" : what.c_str(), runs, c[Outcome::Right],
                c[Outcome::FalseAlarm], c[Outcome::Told], c[Outcome::Refused], c[Outcome::Unjudged], c[Outcome::Silent]);
  }
}

// A scene of one test, as the program would have resolved it, and what theory says about it.
struct Known {
  const char* what;
  const char* scene;
  const char* column;  // or an impact: its restitution
  double value, tolerance;
};
// clang-format off
const Known known[] = {
    {"a block stops after M v0^2/(2F), and springs back by F/K", R"~(
      run = { duration = 3.0 }
      body = [{ name = "b", kind = "mass", mass = 1.0, position = 0.0, velocity = 2.0 }]
      element = [{ name = "f", between = ["b", "ground"], law = "single_state", F = 1.0, K = 1e5, beta = 1e-3 }])~", "b.position", 2, 2e-5},
    {"xiong2013 Fig. 3.4, converged", R"~(
      run = { duration = 2.0 }
      body = [{ name = "b", kind = "mass", mass = 1.0, position = 0.0, velocity = 0.0 }]
      element = [{ name = "f", between = ["b", "ground"], law = "single_state", F = 0.5, K = 5e3, beta = 2e-3 }]
      input = [{ on = "b", force = "min(0.55, 0.5*t)" }])~", "b.position", 0.02278298, 1e-7},
    {"the same with LuGre", R"~(
      run = { duration = 2.0 }
      body = [{ name = "b", kind = "mass", mass = 1.0, position = 0.0, velocity = 0.0 }]
      element = [{ name = "f", between = ["b", "ground"], law = "lugre", F_c = 0.5, F_s = 0.5, v_s = 1e-3, alpha = 2.0, K = 5e3, B = 10.0, D = 0.0 }]
      input = [{ on = "b", force = "min(0.55, 0.5*t)" }])~", "b.position", 0.02530965, 1e-7},
    {"xiong2013 section 3, restitution of the linear compliance at its lowest for alpha/beta = 0.1", R"~(
      run = { duration = 0.1 }
      body = [{ name = "b", kind = "mass", mass = 1.0, position = 0.01, velocity = -1.0 }]
      element = [{ name = "f", between = ["b", "ground"], law = "linear_compliance", K = 1e4, beta = 0.02039, alpha = 0.002039 }])~", "impact", 0.2247, 1e-4},
    {"xiong2013 Fig. 5.2, restitution of the nonlinear compliance", R"~(
      run = { duration = 0.2 }
      body = [{ name = "b", kind = "mass", mass = 1.0, position = 0.01, velocity = -2.0 }]
      element = [{ name = "f", between = ["b", "ground"], law = "nonlinear_compliance", K = 1e4, lambda = 1.5, beta1 = 3e-3, beta2 = 0.1, gamma = 2e3 }])~", "impact", 0.774878, 2e-6},
    {"the same with Hunt and Crossley", R"~(
      run = { duration = 0.2 }
      body = [{ name = "b", kind = "mass", mass = 1.0, position = 0.01, velocity = -2.0 }]
      element = [{ name = "f", between = ["b", "ground"], law = "hunt_crossley", K = 1e4, lambda = 1.5, b2 = 0.35 }])~", "impact", 0.678595, 2e-6},
    {"Kelvin-Voigt, exp(-pi z/sqrt(1 - z^2)), z = 0.1", R"~(
      run = { duration = 0.1 }
      body = [{ name = "b", kind = "mass", mass = 1.0, position = 0.01, velocity = -1.0 }]
      element = [{ name = "f", between = ["b", "ground"], law = "kelvin_voigt", K = 1e4, B = 20.0 }])~", "impact", 0.7292476, 1e-6},
    {"clamped, exp(-z t), t = 2 acos(z)/sqrt(1 - z^2)", R"~(
      run = { duration = 0.1 }
      body = [{ name = "b", kind = "mass", mass = 1.0, position = 0.01, velocity = -1.0 }]
      element = [{ name = "f", between = ["b", "ground"], law = "kelvin_voigt_clamped", K = 1e4, B = 20.0 }])~", "impact", 0.7440794, 1e-6},
    {"a sphere that slides ends rolling at 5/7 of its speed", R"~(
      world = { gravity = [0.0, 0.0, -9.81] }
      run = { duration = 2.0 }
      body = [{ name = "b", kind = "rigid_body", shape = "sphere", mass = 1.0, radius = 0.2, position = [0.0, 0.0, 0.2], velocity = [2.0, 0.0, 0.0], spin = [0.0, 0.0, 0.0] }]
      element = [{ name = "f", between = ["b", "ground"], law = "frictional_contact", direction = [0.0, 0.0, 1.0], offset = 0.0, normal = { law = "linear_compliance", K = 1e5, alpha = 1e-3, beta = 4e-3 }, friction = { law = "single_state", F = 0.3, K = 1e5, beta = 1e-3 } }])~", "b.velocity.x", 10.0 / 7, 1e-6},
    {"a rod let go of level is at the bottom after K(1/sqrt 2) sqrt(2 L/(3 g))", R"~(
      run = { duration = 0.34176855 }
      body = [{ name = "a", kind = "arm", rods = [{ length = 0.5, mass = 2.0 }], angles = [0.0], rates = [0.0], gravity = [0.0, -9.81] }])~", "a.joint1.position", -1.5707963, 2e-5},
    {"two rods keep their energy: the double pendulum at the energy of its start", R"~(
      run = { duration = 1.0 }
      body = [{ name = "a", kind = "arm", rods = [{ length = 0.5, mass = 2.0 }, { length = 0.3, mass = 1.0 }], angles = [0.3, 0.5], rates = [2.0, -1.0], gravity = [0.0, -9.81] }])~", "energy", 0, 1e-6},
    {"a body free of forces keeps its energy", R"~(
      run = { duration = 5.0 }
      body = [{ name = "b", kind = "rigid_body", mass = 2.0, inertia = [2.0, 2.5, 3.0, 0.1, -0.2, 0.3], position = [0.0, 0.0, 0.0], velocity = [0.0, 0.0, 0.0], spin = [0.1, 5.0, 0.2] }])~", "energy", 0, 1e-6},
    {"and its angular momentum", R"~(
      run = { duration = 5.0 }
      body = [{ name = "b", kind = "rigid_body", mass = 2.0, inertia = [2.0, 2.5, 3.0, 0.1, -0.2, 0.3], position = [0.0, 0.0, 0.0], velocity = [0.0, 0.0, 0.0], spin = [0.1, 5.0, 0.2] }])~", "momentum", 0, 1e-6},
    {"Coulomb oscillator, at rest 3 mm on the other side", R"~(
      run = { duration = 3.0 }
      body = [{ name = "b", kind = "mass", mass = 1.0, position = 0.053, velocity = 0.0 }]
      element = [{ name = "f", between = ["b", "ground"], law = "single_state", F = 0.5, K = 1e6, beta = 1e-4 },
        { name = "s", between = ["b", "ground"], law = "spring", K = 100.0, K3 = 0.0, B = 0.0, offset = 0.0 }])~", "b.position", -0.003, 2e-5},
    {"a pulse of 10 us is a momentum", R"~(
      run = { duration = 1.0 }
      body = [{ name = "b", kind = "mass", mass = 1.0, position = 0.0, velocity = 0.0 }]
      input = [{ on = "b", force = "t > 0.3 && t < 0.30001 ? 1e5 : 0" }])~", "b.velocity", 1, 1e-6},
};
// clang-format on

int self(const std::string& folder) {
  std::filesystem::create_directories(folder);
  int bad = 0;
  for (const Known& k : known) {
    const std::string file = folder + "/known.toml";
    std::ofstream(file) << k.scene << "\n";
    const double value = found(file, k.column);
    const bool fine = std::abs(value - k.value) <= k.tolerance;
    bad += !fine;
    std::printf("%s  %-90s %.9g (%.9g)\n", fine ? "ok   " : "WRONG", k.what, value, k.value);
  }
  return bad ? 1 : 0;
}

int run(const std::string& program, const std::string& folder, std::uint64_t first, int count, int jobs,
        const std::string& known_file) {
  std::set<std::uint64_t> expected;
  std::ifstream list(known_file);
  for (std::string text; std::getline(list, text);)
    if (!text.empty() && text[0] != '#') expected.insert(std::stoull(text));
  std::filesystem::create_directories(folder);
  std::vector<Line> lines(static_cast<std::size_t>(count));
  // Each job is a process of its own: results come back through files, so that the order does not depend on who is faster.
  std::vector<pid_t> children;
  for (int job = 0; job < jobs; ++job) {
    const pid_t child = fork();
    if (child != 0) {
      children.push_back(child);
      continue;
    }
    std::ofstream out(folder + "/job" + std::to_string(job) + ".tsv");
    out.precision(17);
    for (int i = job; i < count; i += jobs) {
      const Line l = one(program, folder, first + static_cast<std::uint64_t>(i));
      out << l.seed << '\t' << l.family << '\t' << l.method << '\t' << l.pace << '\t' << static_cast<int>(l.j.outcome) << '\t'
          << l.j.error << '\t' << l.j.horizon << '\t' << one_line(l.j.word, 160) << '\t' << one_line(l.j.worst, 200) << std::endl;
    }
    out.close();
    _exit(0);
  }
  for (const pid_t child : children) waitpid(child, nullptr, 0);
  for (int job = 0; job < jobs; ++job) {
    std::ifstream in(folder + "/job" + std::to_string(job) + ".tsv");
    for (std::string text; std::getline(in, text);) {
      std::istringstream cells(text);
      std::vector<std::string> c;
      for (std::string cell; std::getline(cells, cell, '\t');) c.push_back(cell);
      c.resize(9);
      Line l{std::stoull(c[0]),
             c[1],
             c[2],
             c[3],
             {static_cast<Outcome>(std::stoi(c[4])), c[7], std::strtod(c[5].c_str(), nullptr), c[8],
              std::strtod(c[6].c_str(), nullptr)}};
      lines[l.seed - first] = l;
    }
  }
  int silent = 0;
  std::vector<std::uint64_t> mended;
  for (const Line& l : lines) {
    std::printf("%6llu  %-14s %-13s %-6s %-26s error %-9.3g until %.3g s  %s%s%s\n", static_cast<unsigned long long>(l.seed),
                name(l.j.outcome), l.method.c_str(), l.pace.c_str(), l.family.c_str(), l.j.error, l.j.horizon, l.j.worst.c_str(),
                l.j.word.empty() ? "" : " | ", l.j.word.c_str());
    const bool wrong = l.j.outcome == Outcome::Silent || l.family.empty();
    silent += wrong && !expected.count(l.seed);
    if (!wrong && expected.count(l.seed)) mended.push_back(l.seed);
  }
  table(lines, "method", &Line::method);
  table(lines, "steps", &Line::pace);
  table(lines, "scene", &Line::family);
  for (const std::uint64_t seed : mended)
    std::printf("seed %llu is no longer wrong silently: take it from %s\n", static_cast<unsigned long long>(seed),
                known_file.c_str());
  return silent ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string command = argc > 1 ? argv[1] : "";
  if (command == "scene" && argc == 3) {
    std::fputs(random_scene(std::stoull(argv[2])).text.c_str(), stdout);
    return 0;
  }
  if (command == "judge" && argc >= 3) {
    const Judgement j = judge(argv[2], argc > 3 ? std::atoi(argv[3]) : 0);
    std::printf("%s: error %.3g tolerances, sure until %g s; %s | %s\n", name(j.outcome), j.error, j.horizon, j.worst.c_str(),
                j.word.c_str());
    return j.outcome == Outcome::Silent;
  }
  if (command == "self" && argc == 3) return self(argv[2]);
  if (command == "run" && argc >= 6)
    return run(argv[2], argv[3], std::stoull(argv[4]), std::atoi(argv[5]), argc > 6 ? std::atoi(argv[6]) : 1,
               argc > 7 ? argv[7] : "");
  std::fputs("usage: referee scene SEED | judge FOLDER [EXIT_CODE] | self FOLDER | run PROGRAM FOLDER FIRST COUNT [JOBS [KNOWN]]\n",
             stderr);
  return 2;
} catch (const std::exception& e) {
  std::fprintf(stderr, "referee: %s\n", e.what());
  return 2;
}
