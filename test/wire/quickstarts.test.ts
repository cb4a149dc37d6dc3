// The quickstarts: each page is followed as it stands, on an `npm start` of its own port, until two
// players have the address of one game server. What cannot be had here has a stand-in, as the pages
// say: Docker, a cluster, and the classes of Unity.

import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { freePort } from '../../fleet/ports.ts';
import { startService } from '../../scripts/service.ts';
import { startAll, type Running } from '../../scripts/start.ts';
import { NAMESPACE, startFakeKubernetes, TOKEN } from '../fleet/kubernetes.ts';
import { eventually } from '../support/eventually.ts';
import { needs, pathOf } from '../support/tools.ts';
import { fileOf, follow, standIn, stepsOf, textOf } from './quickstart.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PORTS = /^"network_ports":\[\{.*"host":"127\.0\.0\.1","external_port":\d+,/m;

let dataDir: string;
let running: Running;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-quickstarts-'));
  running = await startAll({ port: 0, dataDir: join(dataDir, 'state') });
}, 60_000);

afterAll(async () => {
  await running?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Looks like the folder of Muster to who reads the server key there. */
async function fresh(name: string): Promise<string> {
  const folder = join(dataDir, name);
  await mkdir(folder);
  await symlink(join(dataDir, 'state'), join(folder, '.muster'));
  return folder;
}

/** A clone of Muster, in which the client may be built while other tests build it too. */
async function clone(name: string): Promise<string> {
  const folder = await fresh(name);
  const parts = ['client', 'scripts', 'src', 'package.json', 'LICENSE', 'tsconfig.json'];
  for (const part of parts) {
    const filter = (path: string): boolean => !path.endsWith('/dist');
    await cp(join(ROOT, part), join(folder, part), { recursive: true, filter });
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

describe('every page', () => {
  it('begins with the mode that it uses, saved by one command under a name of its own', async () => {
    const names = (await readdir(join(ROOT, 'docs/quickstarts'))).map((name) => name.slice(0, -3));
    const pages = names.filter((name) => name !== 'README');
    expect(pages.toSorted()).toEqual([
      'browser',
      'godot',
      'http',
      'server-agones',
      'server-container',
      'server-program',
      'typescript',
      'unity',
    ]);
    for (const page of pages) {
      const text = await textOf(page);
      const commands = (await stepsOf(page)).filter(({ file }) => file === null);
      const saves = commands.findIndex((step) => step.text.includes('-X PUT'));
      expect(commands[saves]?.text, page).toContain('/lobby-configs/quickstart');
      expect(commands[saves]?.text, page).toContain('"duel": { "teams": 2, "playersPerTeam": 1');
      const asked = [
        ...text.matchAll(/(?:playMatch|[sS]tart_?[mM]atchmaking)\(["'](\w+)|"mode": "(\w+)"/g),
      ];
      expect(asked.length, page).toBeGreaterThan(0);
      expect(new Set(asked.map(([, one, other]) => one ?? other)), page).toEqual(new Set(['duel']));
    }
  });
});

describe.runIf(needs('curl'))('the quickstart', () => {
  it('typescript: two players in Node get one address', async () => {
    const folder = await clone('typescript');
    // The Node of the reader, which may be too old for TypeScript, and not the one that runs this test.
    const PATH = (process.env['PATH'] ?? '').replaceAll(/[^:]*node_modules[^:]*:/g, '');
    const place = { folder, url: running.url, env: { TMPDIR: dataDir, PATH } };
    const steps = await stepsOf('typescript');
    const { stdout } = await follow(steps, place);
    const told = [...stdout.matchAll(/^(\w+) connects to (127\.0\.0\.1:\d+)$/gm)];
    expect(told.map(([, player = '']) => player).toSorted()).toEqual(['ann', 'ben']);
    expect(told[0]?.[2]).toBe(told[1]?.[2]);
  });

  it('../../client/README: the client is installed as the page says', async () => {
    const folder = await clone('client-readme');
    const steps = (await stepsOf('../../client/README')).slice(0, 1);
    const place = { folder, url: running.url, env: { TMPDIR: dataDir } };
    const { folder: game } = await follow(steps, place);
    const installed = join(game, 'node_modules', '@muster', 'client', 'package.json');
    expect(JSON.parse(await readFile(installed, 'utf8'))).toMatchObject({ name: '@muster/client' });
  });

  it('../configs-as-code: the command pulls, compares and pushes', async () => {
    const folder = await clone('configs');
    const place = { folder, url: running.url, env: { TMPDIR: dataDir } };
    const { stdout, folder: repository } = await follow(await stepsOf('../configs-as-code'), place);
    expect(stdout).toContain('wrote configs/quickstart.yaml\nnothing differs\n');
    expect(await readdir(join(repository, 'configs'))).toContain('quickstart.yaml');
  });

  it('http: five calls of two players lead to a running server and back', async () => {
    const folder = await fresh('http');
    const { stdout } = await follow(await stepsOf('http'), { folder, url: running.url });
    expect(stdout).toMatch(PORTS);
    expect(stdout).toContain('"status":"waiting"');
  });

  it('server-program: the program is started, told who plays, and stopped', async () => {
    const folder = await fresh('program');
    const place = { folder, url: running.url, env: { TMPDIR: dataDir } };
    const { stdout } = await follow(await stepsOf('server-program'), place);
    expect(stdout).toMatch(PORTS);
    expect(stdout).toContain('players: ann, ben');
  });

  it('server-container: the image is built and runs with what it is told', async () => {
    const folder = await fresh('container');
    await writeFile(join(folder, 'server.mjs'), await fileOf('server-program', 'server.mjs'));
    // Builds by copying what the Dockerfile copies; runs its CMD with the files and variables given.
    const PATH = await standIn(
      folder,
      'docker',
      `images=${JSON.stringify(folder)}/images
if [ "$1" = build ]; then
  mkdir -p "$images/$3"
  sed -n 's/^COPY \\(.*\\) \\(.*\\)$/\\1 \\2/p' "$4/Dockerfile" | while read -r from to; do cp "$4/$from" "$images/$3$to"; done
  sed -n 's/^CMD \\(.*\\)$/\\1/p' "$4/Dockerfile" > "$images/$3/cmd"
  exit
fi
shift
for word; do
  case "$word" in
    --env=*) export "\${word#--env=}" ;;
    --volume=*) volume=\${word#--volume=}; from=\${volume%%:*} ;;
    --*) ;;
    *) image=$word ;;
  esac
done
[ "$MUSTER_CONFIG" = /muster.json ] && export MUSTER_CONFIG=$from
read -r program file < <(tr -d '[]",' < "$images/$image/cmd")
exec "$program" "$images/$image$file"
`,
    );
    const place = { folder, url: running.url, env: { PATH } };
    const { stdout } = await follow(await stepsOf('server-container'), place);
    expect(stdout).toMatch(PORTS);
    const servers = join(dataDir, 'state', 'fleet', 'servers');
    const logs = await eventually('its log', async () => {
      const ids = await readdir(servers);
      const texts = ids.map((id) =>
        readFile(join(servers, id, 'server.log'), 'utf8').catch(() => ''),
      );
      return (await Promise.all(texts)).some((text) => text.includes('players: ann, ben'));
    });
    expect(logs).toBe(true);
  });

  it('server-agones: a GameServer of the fleet is allocated, and deleted afterwards', async () => {
    const folder = await fresh('agones');
    const kubernetes = await startFakeKubernetes();
    // `apply` keeps what it was given; the secret is that of the API above.
    const PATH = await standIn(
      folder,
      'kubectl',
      `echo "$@" >> calls
case "$*" in
  *'.data.token'*) printf %s ${TOKEN} ;;
  *'ca.crt'*) echo 'a certificate' ;;
esac
`,
    );
    const steps = await stepsOf('server-agones');
    const first = steps.findIndex(({ text }) => text.includes('-X PUT'));
    const url = 'http://127.0.0.1:1';
    await follow(steps.slice(0, first), { folder, url, env: { PATH } });
    const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
    const [fleet] = parseAllDocuments(await read('fleet.yaml')).map((each): unknown => each.toJS());
    expect(fleet).toMatchObject({
      kind: 'Fleet',
      metadata: { name: 'arena', namespace: NAMESPACE },
      spec: { template: { spec: { ports: [{ containerPort: 7777 }], template: { spec: {} } } } },
    });
    const granted = parseAllDocuments(await read('muster.yaml')).map((each): unknown =>
      each.toJS(),
    );
    const kinds = (granted as readonly { readonly kind: string }[]).map(({ kind }) => kind);
    expect(kinds).toEqual(['ServiceAccount', 'Role', 'RoleBinding', 'Secret']);
    expect(await read('calls')).toContain('apply -f fleet.yaml -f muster.yaml');
    expect(await read('ca.pem')).toBe('a certificate\n');

    const start =
      'FLEETS="$(cat fleets.json)" FLEET_TOKEN="$(cat token)" FLEET_CA=ca.pem npm run serve';
    expect(await textOf('server-agones')).toContain(start);
    const FLEETS = (await read('fleets.json')).replace('https://10.0.0.1:6443', kubernetes.url);
    const port = await freePort();
    const FLEET_TOKEN = await read('token');
    const env = { FLEETS, FLEET_TOKEN, PUBLIC_URL: `http://127.0.0.1:${port}` };
    const service = await startService({
      port,
      dataDir: join(folder, 'state'),
      devKeys: true,
      env,
    });
    try {
      const one = kubernetes.ready('arena');
      const keys = { CLIENT_KEY: 'client_dev_key', SERVER_KEY: service.serverKey };
      const place = { folder, url: service.url, env: keys };
      const { stdout } = await follow(steps.slice(first), place);
      expect(stdout).toMatch(/"network_ports":\[\{.*"host":"203\.0\.113\.7"/);
      expect(one.metadata.annotations?.['muster/config']).toContain('"all_players":["ann","ben"]');
      await eventually('it is deleted', () => kubernetes.gameServers.length === 0);
    } finally {
      await service.stop();
      await kubernetes.close();
    }
  });

  it.runIf(needs('chromium') && needs('python3'))(
    'browser: two tabs of the page show one address',
    async () => {
      const folder = await clone('browser');
      const steps = await stepsOf('browser');
      const served = steps.at(-1)?.text ?? '';
      expect(served).toContain('http.server 8000');
      const place = { folder, url: running.url, env: { TMPDIR: dataDir } };
      const { folder: game } = await follow(steps.slice(0, -1), place);
      const port = await freePort();
      const serve = spawn('bash', ['-c', `exec ${served.replace('8000', String(port))}`], {
        cwd: game,
        stdio: 'ignore',
      });
      const browser = await chromium.launch({
        executablePath: pathOf('chromium'),
        args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
      });
      try {
        const url = `http://127.0.0.1:${port}`;
        await eventually('the page is served', () => fetch(url));
        const tabs = await Promise.all([browser.newPage(), browser.newPage()]);
        const addresses = tabs.map(async (tab) => {
          await tab.goto(url);
          await tab.getByRole('button', { name: 'Find a match' }).click();
          return tab.getByText(/^Connect to 127\.0\.0\.1:\d+$/).textContent();
        });
        const [one, other] = await Promise.all(addresses);
        expect(one).toBe(other);
      } finally {
        await browser.close();
        serve.kill();
      }
    },
  );

  it.runIf(needs('mcs'))('unity: the component compiles with the example', async () => {
    const folder = await fresh('unity');
    await follow(await stepsOf('unity'), { folder, url: running.url });
    const sources = (await readdir(join(ROOT, 'examples/unity')))
      .filter((name) => name.endsWith('.cs'))
      .map((name) => join(ROOT, 'examples/unity', name));
    const engine = join(ROOT, 'test/support/unity-stand-in.cs');
    // 649: JsonUtility sets fields that nothing assigns.
    const options = [
      '-target:library',
      '-langversion:7',
      '-warnaserror',
      '-nowarn:649',
      '-out:duel.dll',
    ];
    const all = [...options, engine, ...sources, join(folder, 'Duel.cs')];
    await promisify(execFile)(pathOf('mcs'), all, { cwd: folder });
    expect(await readdir(folder)).toContain('duel.dll');
  });

  it('godot: the script uses what the example has', async () => {
    const folder = await fresh('godot');
    await follow(await stepsOf('godot'), { folder, url: running.url });
    const script = await readFile(join(folder, 'duel.gd'), 'utf8');
    const client = await readFile(join(ROOT, 'examples/godot/muster_player.gd'), 'utf8');
    const used = [...script.matchAll(/muster\.(\w+)/g)].map(([, name = '']) => name);
    const has = [...client.matchAll(/^(?:func|signal|(?:@export )?var) (\w+)/gm)];
    expect(new Set(used).size).toBeGreaterThan(4);
    expect(has.map(([, name]) => name)).toEqual(expect.arrayContaining(used));
    const connected = [...script.matchAll(/muster\.(\w+)\.connect\((\w+)\)/g)];
    for (const [, signal = '', handler = ''] of connected) {
      const shape = (pattern: string, text: string): number =>
        (new RegExp(`${pattern}\\((.*?)\\)`).exec(text)?.[1] ?? '').split(',').length;
      expect(shape(`func ${handler}`, script), handler).toBe(shape(`signal ${signal}`, client));
    }
    expect(script).not.toMatch(/^ /m);
  });
});
