#!/bin/sh
# tools/install-deps on machines that are not this one: apt-get, dpkg-query, id and sudo are replaced by small stand-ins.
# usage: install_deps_test.sh PATH_OF_INSTALL_DEPS
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# A copy, whose web/ has no packages.
mkdir "$folder/tools" "$folder/web"
cp "$1" "$folder/tools/install-deps"
script=$folder/tools/install-deps
echo '{"dependencies": {
  "uplot": "1.6.32"}, "devDependencies": {
  "playwright-core": "1.52.0"
}}' >"$folder/web/package.json"
failed=0

# stand_in NAME BODY: a program of that name that is found before any other.
stand_in() {
  printf '#!/bin/sh\n%s\n' "$2" >"$folder/bin/$1"
  chmod +x "$folder/bin/$1"
}

# machine: nothing but the basic tools.
machine() {
  rm -rf "${folder:?}/bin"
  mkdir "$folder/bin"
  for tool in sh sed tr cat tail grep mktemp rm env dirname mkdir; do ln -s "$(command -v $tool)" "$folder/bin/$tool"; done
}

# expect STATUS TEXT ARGUMENTS...: the script ends so and says so.
expect() {
  status=$1 text=$2
  shift 2
  said=$(PATH=$folder/bin LOG=$folder/log sh "$script" "$@" 2>&1)
  ended=$?
  case $said in
    *"$text"*) [ $ended = "$status" ] && return ;;
  esac
  failed=$((failed + 1))
  echo "install-deps $*: expected $status and '$text', got $ended and '$said'"
}

installed_all='shift 2; for p in "$@"; do echo "$p installed"; done'
installed_none='exit 1'
root='echo 0'
nobody='echo 1000'

machine
expect 1 'not a Debian system' build
expect 1 "unknown group 'tests'" build tests
expect 1 'no group given'

machine
stand_in dpkg-query "$installed_all"
stand_in apt-get 'exit 99'
stand_in id "$nobody"
expect 0 'npm could not install: uplot' build
stand_in npm 'echo "E404"; exit 1'
expect 0 'E404' build
# asked TEXT: what the stand-ins were last called with.
asked() {
  tail -n 1 "$folder/log" | grep -qxF -- "$1" || { failed=$((failed + 1)); echo "expected '$1', asked for '$(tail -n 1 "$folder/log")'"; }
}
# What `npm ci` would leave behind: FOLDER VERSION of each package.
npm_ci='echo "npm $*" >>$LOG; rm -rf node_modules; put() { mkdir -p node_modules/$1; echo "  \"version\": \"$2\"," >node_modules/$1/package.json; }; put uplot 1.6.32'
stand_in npm "$npm_ci"
expect 0 'installing with npm: uplot' build
asked 'npm ci --ignore-scripts --no-audit --no-fund --omit=dev'
stand_in npm "$npm_ci; put playwright-core 1.52.0"
expect 0 'installing with npm: playwright-core' build test
asked 'npm ci --ignore-scripts --no-audit --no-fund'
expect 0 'everything for build test is here' build test
expect 0 '' --quiet build
# The engines of the comparison have a package.json of their own.
mkdir -p "$folder/benchmarks/peers"
printf '{"dependencies": {\n  "@mujoco/mujoco": "3.14.0",\n  "@dimforge/rapier3d-compat": "0.21.0",\n  "jolt-physics": "1.1.0"\n}}\n' >"$folder/benchmarks/peers/package.json"
stand_in npm 'echo "E404"; exit 1'
expect 0 'the comparison is made without them' compare
stand_in npm "$npm_ci; put @mujoco/mujoco 3.14.0; put @dimforge/rapier3d-compat 0.21.0; put jolt-physics 1.1.0"
expect 0 'installing with npm: @mujoco/mujoco @dimforge/rapier3d-compat jolt-physics' compare
asked 'npm ci --ignore-scripts --no-audit --no-fund'
expect 0 'everything for compare is here' compare
stand_in npm "$npm_ci; put playwright-core 1.52.0"
# A version that is no longer the one of package.json is replaced, and what the tests need stays.
sed 's/1.6.32/1.6.33/' "$folder/web/package.json" >"$folder/web/newer" && cat "$folder/web/newer" >"$folder/web/package.json"
expect 0 'installing with npm: uplot' build
asked 'npm ci --ignore-scripts --no-audit --no-fund'
sed 's/1.6.33/1.6.32/' "$folder/web/newer" >"$folder/web/package.json"

machine
stand_in dpkg-query "$installed_none"
stand_in apt-get 'echo "$@" >>$LOG'
stand_in id "$nobody"
expect 1 'not root and no sudo' bench
stand_in id "$root"
expect 0 'installing with apt-get: libbenchmark-dev' bench
grep -q 'install -y --no-install-recommends libbenchmark-dev' "$folder/log" || { failed=$((failed + 1)); echo 'apt-get was not asked'; }
stand_in id "$nobody"
stand_in sudo '"$@"'
expect 0 'installing with sudo apt-get: libbenchmark-dev' bench

# Node that did not come from Debian is good enough.
machine
stand_in dpkg-query 'shift 2; for p in "$@"; do case $p in nodejs | npm) ;; *) echo "$p installed" ;; esac; done'
stand_in apt-get 'exit 0'
stand_in id "$root"
expect 0 'installing with apt-get: nodejs npm' build
stand_in npm 'exit 99'
expect 0 'everything for build is here' build

machine
stand_in dpkg-query 'echo "clang-format installed"; echo "clang-tidy config-files"'
stand_in apt-get 'exit 0'
stand_in id "$root"
expect 0 'installing with apt-get: clang-tidy' lint

machine
stand_in dpkg-query "$installed_none"
stand_in apt-get 'echo "E: no such package"; exit 100'
stand_in id "$root"
expect 1 'could not install: libbenchmark-dev' bench
expect 1 'E: no such package' bench

echo "install-deps: $failed failed"
[ $failed = 0 ]
