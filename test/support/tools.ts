// Programs that some tests need and `npm ci` does not bring. A test that needs one asks here:
// `describe.runIf(needs('chromium'))`. Where it is missing the test is skipped, and `npm test` says
// what is missing and how to get it; with REQUIRE_TOOLS=1, as .ci/run has it, that is a failure.

import { execFileSync } from 'node:child_process';
import {
  accessSync,
  appendFileSync,
  constants,
  existsSync,
  mkdtempSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';
import { GODOT } from '../../scripts/engine-places.ts';

interface Tool {
  /** Names of the program, the usual one first. */
  readonly names: readonly string[];
  /** Where it lies on machines that do not have it in the PATH. */
  readonly places: readonly string[];
  readonly get: string;
}

const FOLDERS = ['/usr/bin', '/usr/local/bin', '/usr/games', '/opt/homebrew/bin', '/snap/bin'];
const MAC_APPS = ['/Applications', join(homedir(), 'Applications')];
const WINDOWS_APPS = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].map(
  (name) => process.env[name] ?? 'C:\\Program Files',
);

const TOOLS = {
  chromium: {
    names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'],
    places: [
      ...MAC_APPS.flatMap((apps) =>
        ['Google Chrome', 'Chromium'].map((name) => `${apps}/${name}.app/Contents/MacOS/${name}`),
      ),
      ...WINDOWS_APPS.map((apps) => join(apps, 'Google/Chrome/Application/chrome.exe')),
    ],
    get: 'apt-get install chromium, or set CHROMIUM_PATH to a Chrome',
  },
  'teeworlds-server': {
    names: ['teeworlds-server', 'teeworlds_srv'],
    places: [],
    get: 'apt-get install teeworlds-server',
  },
  'armagetronad-dedicated': {
    names: ['armagetronad-dedicated.real'],
    places: [],
    get: 'apt-get install armagetronad-dedicated',
  },
  bzfs: { names: ['bzfs'], places: [], get: 'apt-get install bzflag-server' },
  monopd: { names: ['monopd'], places: ['/usr/sbin/monopd'], get: 'apt-get install monopd' },
  'pioneers-server-console': {
    names: ['pioneers-server-console'],
    places: [],
    get: 'apt-get install pioneers-console',
  },
  openssl: { names: ['openssl'], places: [], get: 'apt-get install openssl' },
  nginx: { names: ['nginx'], places: ['/usr/sbin/nginx'], get: 'apt-get install nginx-light' },
  caddy: { names: ['caddy'], places: [], get: 'apt-get install caddy' },
  prometheus: { names: ['prometheus'], places: [], get: 'apt-get install prometheus' },
  promtool: { names: ['promtool'], places: [], get: 'apt-get install prometheus' },
  alertmanager: {
    names: ['prometheus-alertmanager', 'alertmanager'],
    places: [],
    get: 'apt-get install prometheus-alertmanager',
  },
  amtool: { names: ['amtool'], places: [], get: 'apt-get install prometheus-alertmanager' },
  curl: { names: ['curl'], places: [], get: 'apt-get install curl' },
  python3: { names: ['python3'], places: [], get: 'apt-get install python3' },
  gcc: { names: ['gcc', 'cc'], places: [], get: 'apt-get install gcc libc6-dev' },
  git: { names: ['git'], places: [], get: 'apt-get install git' },
  go: { names: ['go'], places: ['/usr/local/go/bin/go'], get: 'apt-get install golang-go' },
  mono: { names: ['mono'], places: [], get: 'apt-get install mono-runtime' },
  podman: { names: ['podman'], places: [], get: 'apt-get install podman netavark iptables' },
  runc: { names: ['runc'], places: ['/usr/sbin/runc'], get: 'apt-get install runc' },
  turnserver: { names: ['turnserver'], places: [], get: 'apt-get install coturn' },
  turnutils_uclient: { names: ['turnutils_uclient'], places: [], get: 'apt-get install coturn' },
  mcs: { names: ['mcs'], places: [], get: 'apt-get install mono-mcs' },
  java: { names: ['java'], places: [], get: 'apt-get install default-jdk-headless' },
  javac: { names: ['javac'], places: [], get: 'apt-get install default-jdk-headless' },
  'lua5.1': { names: ['lua5.1'], places: [], get: 'apt-get install lua5.1' },
  love: { names: ['love'], places: [], get: 'apt-get install love' },
  godot: { names: ['godot', 'godot4'], places: [GODOT], get: 'npm run engines -- --fetch' },
  'godot3-server': { names: ['godot3-server'], places: [], get: 'apt-get install godot3-server' },
} satisfies Record<string, Tool>;

export type ToolName = keyof typeof TOOLS;

/** Finds Debian's libraries. Another one in the PATH would not. */
export const DEBIAN_PYTHON = '/usr/bin/python3';

/** Packages of Debian that bring a library, and a file of each. */
const LIBRARIES = {
  'python3-httpx': '/usr/lib/python3/dist-packages/httpx/__init__.py',
  'python3-requests': '/usr/lib/python3/dist-packages/requests/__init__.py',
  'libokhttp-java': '/usr/share/java/okhttp.jar',
  'libmono-system-net-http4.0-cil': '/usr/lib/mono/4.5/System.Net.Http.dll',
  'lua-socket': '/usr/share/lua/5.1/socket/http.lua',
};

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** CHROMIUM_PATH, TEEWORLDS_SERVER_PATH and the like come first, and alone. */
function find(name: ToolName): string | null {
  const said = process.env[`${name.toUpperCase().replaceAll('-', '_')}_PATH`];
  const { names, places }: Tool = TOOLS[name];
  const folders = [...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean), ...FOLDERS];
  const anywhere = names.flatMap((each) => folders.map((folder) => join(folder, each)));
  const candidates = said === undefined ? [...anywhere, ...places] : [said];
  return candidates.find(isProgram) ?? null;
}

/** Where the program is; throws what to do when it is nowhere. */
export function pathOf(name: ToolName): string {
  const path = find(name);
  if (path === null) {
    throw new Error(`${name} is missing: ${TOOLS[name].get}`);
  }
  return path;
}

const MOUNTS = {
  tmpfs: {
    make: () => {},
    options: (folder: string) => ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder],
  },
  ext4: {
    make: (image: string) => {
      execFileSync('truncate', ['--size=8M', image]);
      execFileSync('mkfs.ext4', ['-q', image]);
    },
    options: (folder: string, image: string) => ['-o', 'loop', image, folder],
  },
} as const;

type MountName = keyof typeof MOUNTS;

const mounts = new Map<MountName, boolean>();

/** Whether a file system of a few MB can be mounted here: by root, on Linux; ext4 on a loop device. */
export function mayMount(name: MountName): boolean {
  const known = mounts.get(name) ?? triesToMount(name);
  mounts.set(name, known);
  if (!known) {
    noteMissing('mount', `run as root on Linux, where ${name} may be mounted`);
  }
  return known;
}

/** Notes for `npm test` what the tests of this file lack, and how to get it. */
export function noteMissing(name: string, get: string): void {
  const notes = process.env['MISSING_TOOLS_FILE'];
  if (notes !== undefined) {
    const file = expect.getState().testPath;
    appendFileSync(notes, `${JSON.stringify({ file, name, get })}\n`);
  }
}

function triesToMount(name: MountName): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'muster-mount-'));
  const image = `${folder}.image`;
  const { make, options } = MOUNTS[name];
  try {
    make(image);
    execFileSync('mount', options(folder, image), { stdio: 'ignore' });
    execFileSync('umount', [folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
    rmSync(image, { force: true });
  }
}

/** Whether the program is there. Call it where the tests are defined. */
export function needs(name: ToolName): boolean {
  if (process.env['REQUIRE_TOOLS'] === '1') {
    return pathOf(name) !== '';
  }
  const isThere = find(name) !== null;
  if (!isThere) {
    noteMissing(name, TOOLS[name].get);
  }
  return isThere;
}

/** The same for a library. */
export function needsLibrary(name: keyof typeof LIBRARIES): boolean {
  const isThere = existsSync(LIBRARIES[name]);
  if (!isThere && process.env['REQUIRE_TOOLS'] === '1') {
    throw new Error(`${name} is missing: apt-get install ${name}`);
  }
  if (!isThere) {
    noteMissing(name, `apt-get install ${name}`);
  }
  return isThere;
}
