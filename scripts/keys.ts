// Mints a client key and a server key, and the entries of API_KEYS that accept them (src/http/wire/access.ts). The
// entries only have digests, so a lost key cannot be read back and must be replaced.

import { createHash, randomBytes } from 'node:crypto';

import { commandLine, word } from './flags.ts';

const KINDS = ['client', 'server'] as const;
type Kind = (typeof KINDS)[number];
const KEY_NAME = /^[\w.@-]{1,64}$/;

export interface KeyEntry {
  readonly project: string;
  readonly kind: Kind;
  readonly sha256: string;
  /** Who uses the key, for histories and the audit list. Absent: not known. */
  readonly name?: string;
}

export interface MintedKeys {
  readonly client: string;
  readonly server: string;
  /** The entries of API_KEYS for both keys. */
  readonly entries: readonly KeyEntry[];
}

/**
 * A pair of keys for a project (decision 8). `name`: who uses the server key. Throws if the text cannot be a project's
 * or key's name.
 */
export function mintKeys(project: string, name?: string): MintedKeys {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(project)) {
    throw new Error(`the name of a project has 1 to 64 letters, digits, _ or -, not "${project}"`);
  }
  if (name !== undefined && !KEY_NAME.test(name)) {
    throw new Error(`the name of a key has 1 to 64 letters, digits, ., @, _ or -, not "${name}"`);
  }
  const [client, server] = [newKey('client'), newKey('server')];
  const named = { ...entryOf(project, 'server', server), ...(name === undefined ? {} : { name }) };
  const entries = [entryOf(project, 'client', client), named];
  return { client, server, entries };
}

/**
 * A new key. It begins with its kind, so that anybody who finds one in a game's files sees whether it is harmless.
 */
export function newKey(kind: Kind): string {
  return `${kind}_${randomBytes(24).toString('base64url')}`;
}

/** An entry of API_KEYS. */
export function entryOf(project: string, kind: Kind, key: string): KeyEntry {
  return { project, kind, sha256: digestOf(key) };
}

/** The key's SHA-256 in hex, by which the service knows the key. */
export function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Why this API_KEYS would leave every request unanswered, or null. */
export function keyProblem(text: string): string | null {
  let keys: unknown;
  try {
    keys = JSON.parse(text);
  } catch {
    return 'API_KEYS is not JSON; see `npm run keys`';
  }
  const isKey = (key: unknown): boolean => {
    const { project, kind, sha256, name = 'any' } = (key ?? {}) as Record<string, unknown>;
    return (
      /^[A-Za-z0-9_-]{1,64}$/.test(String(project)) &&
      ['client', 'server', 'viewer'].includes(String(kind)) &&
      /^[0-9a-f]{64}$/i.test(String(sha256)) &&
      typeof name === 'string' &&
      KEY_NAME.test(name)
    );
  };
  return Array.isArray(keys) && keys.length > 0 && keys.every(isKey)
    ? null
    : 'API_KEYS must be a list of {project, kind, sha256, name?}; see `npm run keys`';
}

function print(project: string, name: string | undefined): void {
  const { client, server, entries } = mintKeys(project, name);
  console.log(`project     ${project}
client key  ${client}
            ship it with the game: it allows what a player may do
server key  ${server}
            for your backend only: it allows everything

Write the keys down now: they are not stored. Set API_KEYS to this list. To add projects or replace
keys, put more entries into the same list:

${JSON.stringify(entries)}`);
}

if (import.meta.main) {
  const { flags, words } = commandLine({
    command: 'npm run keys --',
    about:
      'Mints a client key and a server key, and prints what API_KEYS must hold to let them in.',
    flags: {
      name: word(null, 'who uses the server key: shown in histories and the audit list'),
    },
    words: { name: '[PROJECT]', says: 'the name of the project (main)', least: 0, most: 1 },
  });
  try {
    print(words[0] ?? 'main', flags.name ?? undefined);
  } catch (error) {
    console.error(`keys: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
