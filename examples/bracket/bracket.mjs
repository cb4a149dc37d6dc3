// A cup of eight teams. Kill it at any point, and start it again: everything that is decided is in its file, and what it had
// asked Muster for is asked again by the same name.
//   SERVER_KEY=$(cat .muster/server-key) node bracket.mjs cup.json
//   MUSTER   http://127.0.0.1:8787/v3      PORT   where the page is (8090)      POLL_MS   how often it looks (1000)

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { pageOf } from './page.mjs';
import { advance, begin, checkIn, isToPlay, orderOf, reopen, settle } from './rules.mjs';

const [CUP] = process.argv.slice(2);
const FILE = `${CUP}.state`;
const { MUSTER = 'http://127.0.0.1:8787/v3', SERVER_KEY } = process.env;
const { PORT = '8090', POLL_MS = '1000' } = process.env;
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
  'referrer-policy': 'no-referrer', // the address has the team's code
};

let cup;

/** All of a change is in the file before anybody hears of it, or nothing. Returns what `edit` returns. Throws if the disk is full. */
function change(edit) {
  const next = structuredClone(cup);
  const answer = edit(next, Date.now());
  if (!isDeepStrictEqual(next, cup)) {
    write(next);
  }
  return answer;
}

function write(next) {
  writeFileSync(`${FILE}.new`, JSON.stringify(next, null, 2), { mode: 0o600, flush: true });
  renameSync(`${FILE}.new`, FILE);
  cup = next;
}

async function call(method, path, body) {
  const headers = { 'api-key': SERVER_KEY, 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(20_000);
  const sent = body && { body: JSON.stringify(body) };
  const response = await fetch(MUSTER + path, { method, headers, signal, ...sent });
  const answer = await response.json();
  if (!response.ok) {
    const issues = answer.issues?.map(({ path: where, message }) => `${where}: ${message}`) ?? [];
    throw new Error([answer.detail, ...issues].join('; '));
  }
  return answer;
}

/** Makes the match of a game, or looks how it stands. What fails is on the page, and tried again. */
async function play(at) {
  const { match } = cup.games[at];
  try {
    const asked =
      match === null ? ['POST', '/matches', orderOf(cup, at)] : ['GET', `/matches/${match}`];
    const record = await call(...asked);
    change((next, now) => settle(next, at, record, now));
  } catch ({ message }) {
    change((next) => Object.assign(next.games[at], { problem: message }));
  }
}

async function run() {
  for (;;) {
    change(advance);
    await Promise.all(cup.games.map((game, at) => isToPlay(game) && play(at)));
    await sleep(Number(POLL_MS));
  }
}

/** A team is who has its code. */
function answerTo({ method, url }) {
  const { pathname, search, searchParams } = new URL(url, 'http://bracket');
  const team = cup.teams.findIndex(({ code }) => code === searchParams.get('code'));
  if (pathname !== '/' || !['GET', 'POST'].includes(method)) {
    return [404, 'There is no such page.'];
  }
  if (method === 'GET') {
    return [200, pageOf(cup, team, Date.now())];
  }
  if (team < 0) {
    return [403, 'No team has this code.'];
  }
  const isIn = change((next, now) => checkIn(next, team, now));
  return isIn ? [303, '', { location: `/${search}` }] : [409, 'Check-in is closed.'];
}

const server = createServer((request, response) => {
  try {
    const [status, html, more] = answerTo(request);
    response.writeHead(status, { ...HEADERS, ...more }).end(html);
  } catch {
    response.writeHead(500, HEADERS).end('That did not work.');
  }
});
// First the port, then the file: a second one on the same port ends here, and has written nothing.
server.listen(Number(PORT), '127.0.0.1', () => {
  const isNew = !existsSync(FILE);
  const read = JSON.parse(readFileSync(isNew ? CUP : FILE, 'utf8'));
  write(isNew ? begin(read, () => randomBytes(16).toString('hex')) : reopen(read, Date.now()));
  const page = `http://127.0.0.1:${PORT}/`;
  cup.teams.forEach(({ name, code }) => console.log(`${name} checks in at ${page}?code=${code}`));
  void run(); // a disk that takes nothing more ends it
});
