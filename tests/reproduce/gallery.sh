#!/bin/sh
# Opens a gallery in Chromium: gallery.sh ASPERITY PROJECT [FOLDER]. Without a folder it makes a small one. Ends with 77, which is
# "skipped", where that cannot be.
set -eu
asperity=$1 project=$2 folder=${3:-}
skip() {
  echo "skipped: $1; tools/install-deps build test fetches it, then build again"
  exit 77
}
command -v node >/dev/null || skip "no node"
chromium=$(command -v chromium) || skip "no chromium"
[ -e "$project/web/node_modules/playwright-core/package.json" ] || skip "no playwright-core"

if [ -z "$folder" ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  "$asperity" reproduce xiong2012-example-1 xiong2013-fig-3.6 -o "$folder" >/dev/null
fi
node "$project/tests/reproduce/gallery_test.mjs" "$project/web/node_modules/playwright-core" "$chromium" "$folder"
