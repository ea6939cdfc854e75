#!/bin/sh
# Makes the pages and opens them in Chromium: run.sh MAKE_PAGES WEB_FOLDER. Ends with 77, which is "skipped", where that cannot be.
set -eu
skip() {
  echo "skipped: $1; tools/install-deps build test fetches it"
  exit 77
}
command -v node >/dev/null || skip "no node"
chromium=$(command -v chromium) || skip "no chromium"
playwright=$2/node_modules/playwright-core
[ -e "$playwright/package.json" ] || skip "no playwright-core"
[ -e "$2/node_modules/uplot/package.json" ] || skip "no uplot"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" "$folder"
node "$(dirname "$0")/pages_test.mjs" "$playwright" "$chromium" "$folder"
