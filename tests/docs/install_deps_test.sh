#!/bin/sh
# tools/install-deps on machines that are not this one: apt-get, dpkg-query, id and sudo are replaced by small stand-ins.
# usage: install_deps_test.sh PATH_OF_INSTALL_DEPS
set -u
script=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
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
  for tool in sh sed tr cat tail mktemp rm env; do ln -s "$(command -v $tool)" "$folder/bin/$tool"; done
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
expect 0 'everything for build test is here' build test
expect 0 '' --quiet build

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
