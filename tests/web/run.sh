#!/bin/sh
# Runs scenes and opens their pages in Chromium: run.sh ASPERITY PROJECT. Ends with 77, which is "skipped", where that cannot be.
set -eu
asperity=$1 project=$2
skip() {
  echo "skipped: $1; tools/install-deps build test fetches it, then build again"
  exit 77
}
command -v node >/dev/null || skip "no node"
chromium=$(command -v chromium) || skip "no chromium"
for package in uplot playwright-core; do
  [ -e "$project/web/node_modules/$package/package.json" ] || skip "no $package"
done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# scene NAME FOLDER SECONDS
scene() { "$asperity" run "$project/scenes/$1.toml" -o "$folder/$2" --set "run.duration=$3" --quiet 2>/dev/null; }
scene held_by_friction line 10
scene papers/xiong2013_example_2 plane 0.2
scene papers/xiong2013_example_1 space 1
scene box_on_floor box 0.4
scene arm_with_joint_friction arm 2
scene hinge hinges 0.5
scene two_grasps grasps 3
scene stack stack 2
if "$asperity" run "$project/tests/web/hostile.toml" -o "$folder/hostile" --quiet 2>/dev/null; then
  echo "the hostile scene did not fail"
  exit 1
fi
"$asperity" compare "$project/scenes/held_by_friction.toml" --laws single_state,lugre -o "$folder/compare" >/dev/null 2>&1
"$asperity" plot "$folder/line/data.csv" --x time --y block.position,floor.force -o "$folder/over_time.html" >/dev/null
"$asperity" plot "$folder/line/data.csv" --x block.position --y floor.force -o "$folder/over_position.html" >/dev/null
"$asperity" trace single_state --set F=2 --set K=5e3 --velocity "0.01*cos(2*pi*t)+0.004*cos(9*t)" --duration 3 --step 2e-3 -o "$folder/trace.csv" >/dev/null 2>&1
sed "1s/ \[[^]]*\]//g" "$folder/trace.csv" >"$folder/measured.csv" # columns without units: they are what the map says
"$asperity" identify "$folder/measured.csv" --law dahl,single_state_stribeck,single_state,gms --elements 2 --mass free --viscous free --offset free --filter none \
  --map "time=t, velocity=velocity [rad/s], torque=force [N m]" -o "$folder/identify" >/dev/null
# The same friction under a mass of 20 kg, and so many rows that not all are drawn.
"$asperity" trace single_state --set F=2 --set K=5e3 --velocity "0.01*cos(2*pi*t)+0.004*cos(9*t)" --duration 6 --step 2e-4 -o "$folder/fine.csv" >/dev/null 2>&1
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i ~ /^t( |$)/) t = i; if ($i ~ /^velocity/) v = i; if ($i ~ /^force/) f = i }; print "t,velocity,force"; next }
  { w = 6.283185307179586; print $t "," $v "," $f + 20 * (-0.01 * w * sin(w * $t) - 0.036 * sin(9 * $t)) }' "$folder/fine.csv" >"$folder/heavy.csv"
"$asperity" identify "$folder/heavy.csv" --law single_state --mass free --filter none --map "time=t, velocity=velocity [m/s], force=force [N]" -o "$folder/heavy" >/dev/null
node "$project/tests/web/pages_test.mjs" "$project/web/node_modules/playwright-core" "$chromium" "$folder"
