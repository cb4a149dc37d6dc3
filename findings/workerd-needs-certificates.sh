#!/usr/bin/env bash
# workerd since 1.20261014.1: it does not start on a system without certificates of authorities, whatever it is to serve.
#
# A worker that answers "ok" over plain HTTP and calls nobody, on a system as node:24-bookworm-slim and other slim images are: without
# the package ca-certificates. Here SSL_CERT_FILE and SSL_CERT_DIR name what is not there.
#   expected: it serves, as 1.20261012.1 did, and at most a call over TLS fails
#   seen:     exit 1 at once, "TLS configuration: unexpected error: No CA certificates were loaded from the system"
# So an image that worked stops working with an upgrade of workerd. Install ca-certificates in it.
# Seen with 1.20261014.1, 1.20261023.1 and 1.20261117.1, not with 1.20251001.0 to 1.20261012.1.
#
# Exit 0: as described. 1: it behaves differently now. 2: this could not look.
set -uo pipefail
command -v node >/dev/null && command -v npm >/dev/null || { echo "needs node and npm"; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 2
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund old@npm:workerd@1.20261012.1 new@npm:workerd@1.20261023.1 || exit 2
cat >worker.capnp <<'EOF'
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker.js", esModule = "export default { fetch: () => new Response('ok') }")],
    compatibilityDate = "2026-09-01"))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);
EOF
serves() { # VERSION: 124 if it was still serving after five seconds
  binary=$(node -p "require('$1').default") || exit 2
  SSL_CERT_FILE=$folder/none SSL_CERT_DIR=$folder/none timeout 5 "$binary" serve worker.capnp >"$1.log" 2>&1
  echo $?
}
old=$(serves old) new=$(serves new)
echo "workerd without certificates: 1.20261012.1 ended with $old (124: it served), 1.20261023.1 with $new: $(grep -o 'No CA certificates.*' new.log)"
[ "$old" = 124 ] && [ "$new" = 1 ] && grep -q 'No CA certificates' new.log
