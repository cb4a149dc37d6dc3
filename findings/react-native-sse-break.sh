#!/usr/bin/env bash
# react-native-sse 1.2.1 never opens another stream after a connection that breaks, though its README says of
# `pollingInterval` that it is the time between reconnections.
#
# Two streams are opened in Chromium with pollingInterval 1000, on a server that sends one event to each. It ends the first
# cleanly, and closes the second's connection in the middle, as a server that is killed does.
#   expected: both are opened again after a second
#   seen:     the first is opened again about each second. The second is not, and gets one `error` with xhrStatus 0
# React Native's own XMLHttpRequest was not run: it has status 0 where no answer came at all, such as while a server restarts.
# Cause: an answer is polled again in onreadystatechange only `if (xhr.status !== 0)`, and a broken XMLHttpRequest has status 0.
#
# Exit 0: as described. 1: it behaves differently now. 2: this could not look.
set -uo pipefail
chromium=${CHROMIUM_PATH:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)} || true
[ -n "$chromium" ] && command -v node >/dev/null && command -v npm >/dev/null || { echo "needs chromium, node and npm"; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 2
npm init --yes >/dev/null && npm install --silent --no-audit --no-fund react-native-sse@1.2.1 || exit 2
cat >look.mjs <<'JS'
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const source = readFileSync('node_modules/react-native-sse/src/EventSource.js', 'utf8');
const page = `<script type="module">
  import EventSource from '/source.js';
  for (const name of ['ends', 'breaks']) {
    const events = new EventSource('/' + name, { pollingInterval: 1000 });
    events.addEventListener('error', ({ xhrStatus }) => fetch('/error?' + name + '=' + xhrStatus));
  }
</script>`;
const opened = { ends: 0, breaks: 0 };
const errors = [];
const server = createServer((request, answer) => {
  const name = request.url.slice(1);
  if (request.url === '/source.js') {
    answer.writeHead(200, { 'content-type': 'text/javascript' }).end(source);
  } else if (name in opened) {
    opened[name] += 1;
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    answer.write('data: 1\n\n');
    setTimeout(() => (name === 'ends' ? answer.end() : answer.destroy()), 300);
  } else {
    errors.push(...(/^error\?(.*)$/.exec(name)?.slice(1) ?? []));
    answer.writeHead(200, { 'content-type': 'text/html' }).end(page);
  }
}).listen(0, '127.0.0.1', () => {
  const args = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${process.cwd()}/profile`];
  const browser = spawn(process.argv[2], [...args, `http://127.0.0.1:${server.address().port}/`], { stdio: 'ignore' });
  setTimeout(() => {
    browser.kill('SIGKILL');
    console.log(`react-native-sse 1.2.1: opened after clean ends ${opened.ends} times, after a break ${opened.breaks} time(s)`);
    console.log(`errors: ${errors.join(', ')}`);
    process.exit(opened.ends < 2 || opened.breaks < 1 ? 2 : opened.breaks === 1 ? 0 : 1);
  }, 20_000);
});
JS
node look.mjs "$chromium"
