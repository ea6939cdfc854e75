#!/bin/sh
# Builds the site and opens it in Chromium: site.sh ASPERITY PROJECT [FOLDER]. Ends with 77, which is "skipped", where that cannot be.
set -eu
asperity=$1 project=$2 folder=${3:-}
skip() {
  echo "skipped: $1; tools/install-deps $2 installs it"
  exit 77
}
command -v pandoc >/dev/null || skip "no pandoc" site
if [ -z "$folder" ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  "$project/tools/site" "$asperity" "$folder"
fi
python3 "$project/tests/docs/site_links.py" "$folder"
command -v node >/dev/null || skip "links are checked, pages are not opened: no node" "build test"
chromium=$(command -v chromium) || skip "links are checked, pages are not opened: no chromium" "build test"
[ -e "$project/web/node_modules/playwright-core/package.json" ] || skip "links are checked, pages are not opened: no playwright-core" "build test"
node "$project/tests/docs/site_test.mjs" "$project/web/node_modules/playwright-core" "$chromium" "$folder"
