// Programs that some tests need and `npm ci` does not bring. A test that needs one asks here:
// `describe.runIf(needs('chromium'))`. Where it is missing the test is skipped, and `npm test` says
// what is missing and how to get it; with REQUIRE_TOOLS=1, as .ci/run has it, that is a failure.

import { execFileSync } from 'node:child_process';
import { accessSync, appendFileSync, constants, mkdtempSync, rmdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';

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
  openssl: { names: ['openssl'], places: [], get: 'apt-get install openssl' },
  nginx: { names: ['nginx'], places: ['/usr/sbin/nginx'], get: 'apt-get install nginx-light' },
  curl: { names: ['curl'], places: [], get: 'apt-get install curl' },
  python3: { names: ['python3'], places: [], get: 'apt-get install python3' },
  mcs: { names: ['mcs'], places: [], get: 'apt-get install mono-mcs' },
} satisfies Record<string, Tool>;

export type ToolName = keyof typeof TOOLS;

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

let mounts: boolean | null = null;

/** Whether a file system of a few MB can be mounted here: by root, on Linux. */
export function mayMount(): boolean {
  mounts ??= triesToMount();
  const notes = process.env['MISSING_TOOLS_FILE'];
  if (!mounts && notes !== undefined) {
    const file = expect.getState().testPath;
    const get = 'run as root on Linux, where a tmpfs may be mounted';
    appendFileSync(notes, `${JSON.stringify({ file, name: 'mount', get })}\n`);
  }
  return mounts;
}

function triesToMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'muster-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
}

/** Whether the program is there. Call it where the tests are defined. */
export function needs(name: ToolName): boolean {
  if (process.env['REQUIRE_TOOLS'] === '1') {
    return pathOf(name) !== '';
  }
  const isThere = find(name) !== null;
  const notes = process.env['MISSING_TOOLS_FILE'];
  if (!isThere && notes !== undefined) {
    const file = expect.getState().testPath;
    appendFileSync(notes, `${JSON.stringify({ file, name, get: TOOLS[name].get })}\n`);
  }
  return isThere;
}
