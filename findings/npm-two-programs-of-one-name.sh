#!/usr/bin/env bash
# npm: of two packages whose programs have the same name, one gets it, and npm says nothing.
#
# The packages `@a/client` and `tool` each have a program `tool`. A project installs both, as dependencies of the same rank.
#   expected: an error or a warning, as `npm install --global` gives (EEXIST)
#   seen:     exit 0 and not a word. `npx tool` runs the program of the package that was installed last, so it changes with the next install,
#             and it may be that of `@a/client` though there is a package called `tool`
# Cause: programs are linked package by package, and a link that is there is replaced if it leads into the same node_modules.
# Give each program a name of its own, or let the one that wins hand over.
# Seen with npm 11.19.1 (Node 20.20.2).
#
# Exit 0: as described. 1: it behaves differently now. 2: this could not look.
set -uo pipefail
command -v npm >/dev/null || { echo "needs npm"; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 2
export npm_config_offline=true npm_config_audit=false npm_config_fund=false npm_config_cache="$folder/cache"
export npm_config_update_notifier=false
make() { # FOLDER NAME
  mkdir "$1"
  printf '{"name":"%s","version":"1.0.0","bin":{"tool":"run.cjs"}}\n' "$2" >"$1/package.json"
  printf '#!/usr/bin/env node\nconsole.log("%s");\n' "$2" >"$1/run.cjs"
  (cd "$1" && npm pack --silent --pack-destination ..) >/dev/null || exit 2
}
make client @a/client
make tool tool
result=0
for order in "a-client tool" "tool a-client"; do
  project="project-${order%% *}"
  mkdir "$project"
  echo '{"private":true}' >"$project/package.json"
  for one in $order; do
    (cd "$project" && npm install "../$one-1.0.0.tgz") >>"$project.log" 2>&1 || exit 2
  done
  ran=$(cd "$project" && npx --no-install tool)
  said=$(grep -ciE 'warn|EEXIST|conflict|overwrit' "$project.log")
  echo "npm $(npm --version), installed $order: npx tool runs $ran; warnings: $said"
  case "${order##* }" in a-client) last=@a/client ;; *) last=tool ;; esac
  [ "$ran" = "$last" ] && [ "$said" = 0 ] || result=1
done
exit $result
