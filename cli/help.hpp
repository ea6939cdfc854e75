// The longer texts of --help.
#pragma once

namespace asperity::cli {

inline constexpr const char* first_steps =
    R"help(Asperity: friction that holds still, contact that lets go.

First steps
  asperity new block               a commented scene, block.toml
  asperity run block.toml          run it; then open out/block/report.html
  asperity laws                    which friction and contact laws there are
  asperity describe single_state   one law: equation, parameters, when to use it
  asperity demo                    a picture of every law, in out/demo/index.html

asperity COMMAND --help explains a command.
)help";

inline constexpr const char* main_notes =
    R"help(Examples
  asperity new block
  asperity run block.toml --set floor.K="5 N/mm"
  asperity compare block.toml --element floor --laws single_state,lugre
  asperity plot out/block --x block.position --y floor.force
  asperity trace lugre --velocity "5e-3*sin(2*pi*t)" --duration 2 --step 1e-4 -o lugre.csv --plot lugre.svg

Exit codes: 0 fine, 1 the run failed, 2 bad usage or bad input.)help";

inline constexpr const char* run_notes =
    R"help(In the folder: data.csv (or data.h5), scene.toml (the scene with every setting worked out; it gives
the same run again), summary.json (the facts that --json prints), report.html. A former run there is
replaced once the new one has started; a folder with any other file is not touched.

Ctrl-C stops after the current step; the run can continue later, with the same results. A checkpoint is
saved every second, so that this is so even if the program is killed or the disk is full.

Examples
  asperity run scenes/held_by_friction.toml
  asperity run block.toml --set floor.F=0.6 --set run.duration=20 -o out/stronger
  asperity run --resume out/block

Exit codes: 0 fine, 1 the run failed, 2 bad usage or bad input, 130 interrupted, 143 terminated.)help";

inline constexpr const char* compare_notes =
    R"help(Another law keeps the parameters that it shares with the one before (K, F_c, ...); F is F_c and F_s,
K beta is B; the others are its defaults. What was assumed is said.

Examples
  LuGre beside the single state:
    asperity compare scenes/held_by_friction.toml --laws single_state,lugre
  a stiffer floor beside the scene as it is:
    asperity compare scenes/held_by_friction.toml --set floor.K=5e4
  two runs:
    asperity compare out/first out/second -o out/both)help";

inline constexpr const char* trace_notes =
    R"help(Recorded, in SI units: t, position, velocity (contact laws: gap, gap_rate), force, the states of the law,
energy_stored, work_in, energy_dissipated. A law that declares no stored energy has no energy_stored
column; its energy_dissipated is the work done on it, which is right over closed cycles.
Friction force resists: same sign as the velocity. Contact force pushes apart.

Motion. Formulas in t know pi, e, sin, cos, tanh, exp, sqrt, abs, min, max, floor, mod, ^ and
condition ? a : b. A contact law reads the motion as its gap (> 0 is open); frictional_contact reads
it as slip, and its gap from --gap. A CSV file has a header with t and position and/or velocity
(contact laws: gap, gap_rate), and load if wanted; other columns are ignored.

Methods. step: as a control loop calls the law, one call per sample; the velocity of a motion given by
positions is the difference to the sample before. rk4, euler: the law as a differential equation; the
step must suit its stiffness. Every trace is held against one with steps up to 16 times as short: where
the force, also between the rows, or the work differs by more than 5 %, it says so; beyond 50 %, or
with an energy gain without a source, it has failed.

Examples
  a hysteresis loop, slowly:
    asperity trace single_state --waypoints 0,5e-5,-5e-5,5e-5 --speed 1e-5 --step 1e-2 -o loop.csv --plot loop.svg
  a Stribeck curve, with other parameters:
    asperity trace lugre --set F_s=2 --set v_s=5e-4 --velocity "5e-3*sin(2*pi*t)" --duration 2 --step 1e-4 -o lugre.csv
  four elements, as an ODE, to standard output:
    asperity trace multistate --elements 4 --position "1e-6*sin(t)" --duration 12 --step 1e-3 --method rk4
  a touch and a release:
    asperity trace kelvin_voigt --position "2e-4 + 1e-3*cos(2*pi*t)" --duration 1 --step 1e-3 -o touch.csv --plot touch.svg
  a measured motion under a varying load:
    asperity trace dahl --input measured.csv --load "1 + 0.5*sin(t)" -o answer.csv

Exit codes: 0 fine, 1 the run failed, 2 bad usage or bad input.)help";

}  // namespace asperity::cli
