// The pages are the test: every shell block of each is run as it stands, in the page's order, in a clone of its
// own (reader.ts), and must print what the page shows. At the end come the counts of each page.

import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { freePort } from '../../agent/ports.ts';
import { must } from '../../src/common/result.ts';
import { NAMESPACE, startFakeKubernetes, TOKEN } from '../fleet/kubernetes.ts';
import { COMPILING, isCompilerThere, isMonoThere, unitySources } from '../clients/csharp.ts';
import { startChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { needs, needsLibrary, pathOf } from '../support/tools.ts';
import { blocksOf, fileIn } from './page.ts';
import { sixPlay } from './six-play.ts';
import { Clones, type Followed, type Place, type Visit } from './reader.ts';
import { certified, DOCKER, kubectl, standIn } from './stand-ins.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE_MS = 900_000;
const START = '\n\n    npm start\n';

let clones: Clones;
let tools: string;
const followed = new Map<string, Followed>();

const HAS_GIT = needs('git');

beforeAll(async () => {
  if (!HAS_GIT) {
    return;
  }
  clones = await Clones.make();
  tools = await mkdtemp(join(clones.folder, 'tools-'));
  await chmod(tools, 0o755);
}, PAGE_MS);

afterAll(async () => {
  console.log([...followed].map(countsOf).join('\n'));
  await clones?.end();
}, PAGE_MS);

function countsOf([page, { blocks, fault, seconds }]: readonly [string, Followed]): string {
  const todo = blocks.filter(({ kind }) => kind === 'run');
  const marked = blocks.filter(({ kind }) => kind === 'not run');
  const right = seconds.length - (fault === null ? 0 : 1);
  const all = seconds.reduce((sum, each) => sum + each, 0).toFixed(1);
  const reasons = [...new Set(marked.map(({ note }) => note))].join('; ');
  const rest = marked.length === 0 ? '' : `, ${marked.length} not run (${reasons})`;
  return `${page}: ${todo.length + marked.length} blocks, ${seconds.length} run, ${right} right in ${all} s${rest}`;
}

async function follow(visit: Visit): Promise<void> {
  const seen = await clones.follow(visit);
  followed.set(visit.page, seen);
  expect(seen.fault).toBeNull();
  expect(seen.blocks.length).toBeGreaterThan(0);
}

const HAS_LUA = needs('love') && needs('lua5.1') && needsLibrary('lua-socket');
const PACKAGES = [
  { page: 'docs/quickstarts/python.md', isThere: needs('python3') },
  { page: 'docs/quickstarts/go.md', isThere: needs('go') },
  { page: 'docs/quickstarts/lua.md', isThere: HAS_LUA, love: true },
];
/** LÖVE without a window. */
const LOVE = `cat > conf.lua <<'END'
function love.conf(t) t.modules.window, t.modules.graphics, t.modules.audio = false, false, false end
END
exec LOVE "$@"`;

const begun = new Map<string, Promise<void>>();

function begin(visit: Visit, after: Promise<unknown> = Promise.resolve()): void {
  const going = after.then(() => follow(visit));
  // Whoever waits for it is told; until then it is nobody's.
  going.catch(() => undefined);
  begun.set(visit.page, going);
}

const done = (page: string): Promise<void> => must(begun.get(page), `${page}, which was begun`);

/** Two rows of pages, each of which is followed when the one before it is over: most of following is waiting. */
function beginInRows(visits: readonly Visit[]): void {
  for (const [at, visit] of visits.entries()) {
    const before = begun.get(visits[at - 2]?.page ?? '');
    begin(
      visit,
      before?.catch(() => undefined),
    );
  }
}

const ALONE = [
  'CONTRIBUTING.md',
  'docs/journal.md',
  'docs/operations.md',
  'docs/settings.md',
  'docs/quickstarts/http.md',
  'docs/quickstarts/new-game.md',
  'docs/quickstarts/server-program.md',
];
const WHILE_IT_RUNS = [
  'packages/js/README.md',
  'docs/configs-as-code.md',
  'docs/logins.md',
  'docs/webhooks.md',
  'docs/invites.md',
  'docs/coming-back.md',
  'docs/finding-lobbies.md',
  'docs/your-own-matches.md',
  'docs/discord-activity.md',
  'docs/ratings.md',
  'docs/real-servers.md',
  'docs/securing.md',
];

it.runIf(HAS_GIT)('is told what a page gets wrong', async () => {
  const told = async (page: string): Promise<string | null> =>
    (await clones.follow({ page: 'wrong.md', files: { 'wrong.md': page }, isFirst: true })).fault;
  const block = (text: string): string => `\n\n\`\`\`sh\n${text}\n\`\`\`\n`;
  expect(await told(`${block('cd "$TMPDIR"\nHERE=$PWD')}${block('ls "$HERE"')}`)).toBeNull();
  expect(await told(block('echo "$MUSTER_URL"'))).toContain('MUSTER_URL');
  expect(await told(block('curl -fsS http://127.0.0.1:1 > answer'))).toContain('failed');
  expect(await told(block('echo waiting   # -> "status":"in_queue"'))).toContain('should print');
  expect(await told(`${block('echo 20017; echo 20018')}\n    20001\n    20001\n`)).toContain(
    '20001',
  );
  expect(await told(`<!-- not run: no cluster -->${block('false')}`)).toBeNull();
});

it('has a page of each that has blocks', async () => {
  const names = await readdir(join(ROOT, 'docs'), { recursive: true });
  const pages = names
    .filter((name) => /^[^/]+\.md$|^quickstarts\//.test(name))
    .map((name) => `docs/${name}`);
  const withBlocks = [];
  for (const page of ['README.md', 'CONTRIBUTING.md', 'packages/js/README.md', ...pages]) {
    if (blocksOf(await read(page)).some(({ kind }) => kind !== 'file')) {
      withBlocks.push(page);
    }
  }
  // Two versions of Teeworlds: test/wire/teeworlds.test.ts does that section.
  // Two machines need a bucket: test/wire/several-machines.test.ts has a simulated one.
  // Jaeger needs Docker: test/wire/traces.test.ts has a collector of ours.
  const elsewhere = new Set(['docs/recipes.md', 'docs/several-machines.md', 'docs/monitoring.md']);
  const source = await readFile(import.meta.filename, 'utf8');
  expect(withBlocks.length).toBeGreaterThan(12);
  expect(withBlocks.filter((page) => !elsewhere.has(page) && !source.includes(page))).toEqual([]);
});

describe.runIf(HAS_GIT && needs('curl'))('a newcomer', () => {
  it('follows README.md', () => follow({ page: 'README.md', isFirst: true }), PAGE_MS);

  // Games of quickstarts last a while.
  it('begins other pages', async () => {
    beginInRows([
      ...ALONE.map((page) => ({ page })),
      ...WHILE_IT_RUNS.map((page) => ({ page, before: START })),
    ]);
    begin({ page: 'docs/quickstarts/typescript.md', changes: SOONER });
    for (const { page, love } of PACKAGES.filter(({ isThere }) => isThere)) {
      const bin = love === true ? await windowless() : {};
      begin({ page, changes: SOONER, ...bin });
    }
    if (isMonoThere) {
      begin({ page: 'docs/quickstarts/csharp.md', changes: SOONER });
    }
    if (needs('chromium') && needs('python3')) {
      const page = 'docs/quickstarts/browser.md';
      begin({ page, changes: SOONER, atEnd: twoTabsMeet });
    }
  });

  it.each(ALONE)('follows %s', done, PAGE_MS);

  it(
    'follows docs/local-fleet.md',
    async () => {
      const port = await freePort();
      const changes = [
        ['npm run agent', `AGENT_PORT=${port} npm run agent`],
        ['127.0.0.1:8790', `127.0.0.1:${port}`],
      ] as const;
      await follow({ page: 'docs/local-fleet.md', changes });
    },
    PAGE_MS,
  );

  it.each(WHILE_IT_RUNS)('follows %s while Muster runs', done, PAGE_MS);

  it(
    'follows docs/backups.md on the box of docs/operations.md',
    async () => {
      const [, box = ''] = (await read('docs/operations.md')).split('\n## On a box\n');
      const [before = ''] = box.split('\n**As a service,**');
      await follow({ page: 'docs/backups.md', before });
    },
    PAGE_MS,
  );

  it(
    'follows docs/quickstarts/server-container.md, with a stand-in for Docker',
    async () => {
      const server = fileIn(await read('docs/quickstarts/server-program.md'), 'server.mjs');
      const files = { 'server.mjs': server };
      const bin = await standIn(tools, 'docker', DOCKER);
      await follow({ page: 'docs/quickstarts/server-container.md', bin, files });
    },
    PAGE_MS,
  );

  it.runIf(needs('chromium') && needs('python3'))(
    'follows docs/whole-game.md: six players in two browsers play it',
    () =>
      follow({
        page: 'docs/whole-game.md',
        atEnd: async ({ site }) => {
          const begun = performance.now();
          await sixPlay(site);
          console.log(`six players: ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
        },
      }),
    PAGE_MS,
  );

  it.runIf(needs('openssl'))(
    'follows docs/quickstarts/server-agones.md, with a cluster of our own',
    async () => {
      const kubernetes = await startFakeKubernetes(await certified(tools));
      const one = kubernetes.ready('arena');
      try {
        await follow({
          page: 'docs/quickstarts/server-agones.md',
          bin: await standIn(tools, 'kubectl', kubectl(TOKEN, join(tools, 'ca.pem'))),
          changes: [['https://10.0.0.1:6443', kubernetes.url]],
          atEnd: async ({ home }) => {
            await wasApplied(home);
            const told = one.metadata.annotations?.['muster/config'];
            expect(told).toContain('"all_players":["ann","ben"]');
            await eventually('it is deleted', () => kubernetes.gameServers.length === 0);
          },
        });
      } finally {
        await kubernetes.close();
      }
    },
    PAGE_MS,
  );

  it.runIf(isCompilerThere)(
    'follows docs/quickstarts/unity.md: the component compiles with the package',
    () => follow({ page: 'docs/quickstarts/unity.md', atEnd: compiles }),
    PAGE_MS,
  );

  it.runIf(isMonoThere)(
    'follows docs/quickstarts/csharp.md: two players get one address, and hear that the game is over',
    () => done('docs/quickstarts/csharp.md'),
    PAGE_MS,
  );

  it(
    'follows docs/quickstarts/godot.md: its script is run by test/clients/godot-server.test.ts',
    () => follow({ page: 'docs/quickstarts/godot.md', atEnd: asksWhatIsSaved }),
    PAGE_MS,
  );

  it(
    'follows docs/quickstarts/typescript.md, whose players stay until their server stops by itself',
    async () => {
      const page = 'docs/quickstarts/typescript.md';
      await done(page);
      expect(followed.get(page)?.seconds.at(-1)).toBeGreaterThan(SAMPLE_SECONDS - 10);
    },
    PAGE_MS,
  );

  it.each(PACKAGES.filter(({ isThere }) => isThere))(
    'follows $page, whose players stay as long',
    async ({ page }) => {
      await done(page);
      expect(followed.get(page)?.seconds.at(-1)).toBeGreaterThan(SAMPLE_SECONDS - 10);
    },
    PAGE_MS,
  );

  it.runIf(needs('chromium') && needs('python3'))(
    'follows docs/quickstarts/browser.md: two tabs show one address, see each other move, and stay in their game',
    () => done('docs/quickstarts/browser.md'),
    PAGE_MS,
  );
});

async function windowless(): Promise<{ readonly bin: string }> {
  return { bin: await standIn(tools, 'love', LOVE.replace('LOVE', pathOf('love'))) };
}

const read = (path: string): Promise<string> => readFile(join(ROOT, path), 'utf8');

/** How long the sample server waits for players here. On the page it is two minutes. */
const SAMPLE_SECONDS = 30;
const SAMPLE = JSON.stringify({ launch: { env: { MUSTER_EMPTY_SECONDS: `${SAMPLE_SECONDS}` } } });
const KEY = 'SERVER_KEY=$(cat .muster/server-key)\n';
/** Silent players are removed much sooner too, and their server would be stopped. */
const SOONER = [
  ['"heartbeat": true,', '"heartbeat": true, "heartbeatTimeout": 3,'],
  [
    KEY,
    `${KEY}curl -sS --fail-with-body -X PUT http://127.0.0.1:8787/v3/builds/default -H "api-key: $SERVER_KEY" -d '${SAMPLE}'\n`,
  ],
] as const;

async function twoTabsMeet({ site }: Place): Promise<void> {
  const browser = await startChromium();
  try {
    const tabs = await Promise.all([browser.newPage(), browser.newPage()]);
    const addresses = tabs.map(async (tab) => {
      await tab.goto(site);
      await tab.getByRole('button', { name: 'Find a match' }).click();
      return tab.getByText(/^Connect to 127\.0\.0\.1:\d+$/).textContent();
    });
    const [one, other] = await Promise.all(addresses);
    expect(one).toBe(other);
    const begun = performance.now();
    await Promise.all(tabs.map((tab) => tab.getByText(/^In the game: /).waitFor()));
    await seesMoves(tabs, 40);
    // The sample server would have stopped by now if nobody had joined it.
    await tabs[0]?.waitForTimeout((SAMPLE_SECONDS + 5) * 1_000);
    await seesMoves(tabs, 80);
    expect(await tabs[0]?.getByText('The game is over').count()).toBe(0);
    await tabs[0]?.getByRole('button', { name: 'End the game' }).click();
    await Promise.all(
      tabs.map((tab) => tab.getByText('The game is over').waitFor({ timeout: 400_000 })),
    );
    expect((performance.now() - begun) / 1_000).toBeGreaterThan(SAMPLE_SECONDS - 10);
  } finally {
    await browser.close();
  }
}

/** Each page shows where the pointer of the other one is. */
async function seesMoves(tabs: readonly Page[], y: number): Promise<void> {
  for (const [index, tab] of tabs.entries()) {
    const other = tabs[1 - index];
    await other?.mouse.move(100 + index, y);
    await tab.getByText(new RegExp(`^player-\\w+ is at ${100 + index}, ${y}$`)).waitFor();
  }
}

async function wasApplied(folder: string): Promise<void> {
  const saved = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
  const documents = async (name: string): Promise<readonly { readonly kind: string }[]> =>
    parseAllDocuments(await saved(name)).map((each) => each.toJS() as { readonly kind: string });
  expect(await documents('fleet.yaml')).toMatchObject([
    {
      kind: 'Fleet',
      metadata: { name: 'arena', namespace: NAMESPACE },
      spec: { template: { spec: { ports: [{ containerPort: 7777 }], template: { spec: {} } } } },
    },
  ]);
  const kinds = (await documents('muster.yaml')).map(({ kind }) => kind);
  expect(kinds).toEqual(['ServiceAccount', 'Role', 'RoleBinding', 'Secret']);
  expect(await saved('calls')).toContain('apply -f fleet.yaml -f muster.yaml');
}

/** What the script asks for is what the page has saved: without an engine nobody would notice. */
function asksForSaved(script: string): void {
  expect(script).toMatch(/config = "quickstart"/);
  expect(script).toMatch(/(?:start_matchmaking|Play)\("duel"\)/);
}

async function compiles({ folder }: Place): Promise<void> {
  asksForSaved(await readFile(join(folder, 'Duel.cs'), 'utf8'));
  const engine = join(ROOT, 'test/support/unity-stand-in.cs');
  const sources = [engine, ...(await unitySources()), join(folder, 'Duel.cs')];
  const all = [...COMPILING, '-target:library', '-out:duel.dll', ...sources];
  await promisify(execFile)(pathOf('mcs'), all, { cwd: folder });
  expect(await readdir(folder)).toContain('duel.dll');
}

async function asksWhatIsSaved({ folder }: Place): Promise<void> {
  const script = await readFile(join(folder, 'duel.gd'), 'utf8');
  expect(script).toMatch(/config = "quickstart"\n/);
  expect(script).toMatch(/play\("duel"/);
  expect(script).not.toMatch(/^ /m);
}
