// Authentication by keys and player ids (spec: Authentication; decisions 4, 7 and 8). Only digests of keys are
// stored, and they are compared in constant time. A key only grants access to its own project.

import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import * as z from 'zod';
import { isPlayerId, type PlayerId } from '../../common/ids';
import { MAX_PLAYER_ID_LENGTH } from '../../common/limits';
import { refusal, type Reply } from '../../lobby/refusals';
import { Lru } from '../../common/lru';
import { ok } from '../../common/result';
import type { Env } from '../../objects/placement/env';
import { refuseWith } from './answer';

/** `viewer`: it may read what a server key reads, except secrets, and changes nothing. */
const KEY_KINDS = ['client', 'server', 'viewer'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

export interface Grant {
  readonly project: string;
  readonly kind: KeyKind;
}

interface KnownKey extends Grant {
  readonly digest: Uint8Array;
  readonly name?: string | undefined;
}

type KeySettings = Pick<Env, 'API_KEYS' | 'DEV_KEY_SHA256' | 'LISTENS_ON'>;

const SHA256 = /^[0-9a-f]{64}$/i;
const KEY_NAME = /^[\w.@-]{1,64}$/;

const KeyList = z.array(
  z.object({
    project: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
    kind: z.enum(KEY_KINDS),
    sha256: z.string().regex(SHA256),
    name: z.string().regex(KEY_NAME).optional(),
  }),
);

/** The keys of each environment. The platform passes the same object with each request. */
const known = new WeakMap<KeySettings, readonly KnownKey[]>();
const digests = new Lru<Uint8Array>(1_000);

export async function digestOf(key: string): Promise<Uint8Array> {
  const cached = digests.get(key);
  if (cached !== undefined) {
    return cached;
  }
  const bytes = new TextEncoder().encode(key);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  digests.set(key, digest);
  return digest;
}

/** Whether the host is in 127.0.0.0/8, ::1 or localhost, with or without the brackets of a URL. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

/** Only on a loopback address without real keys, so no deployment accepts the development keys (decisions 8 and 42). */
export function acceptsDevKeys({ API_KEYS, DEV_KEY_SHA256, LISTENS_ON }: KeySettings): boolean {
  const isSet = SHA256.test(DEV_KEY_SHA256 ?? '');
  return isSet && (API_KEYS ?? '') === '' && isLoopback(LISTENS_ON ?? '');
}

async function keysOf(settings: KeySettings): Promise<readonly KnownKey[]> {
  const seen = known.get(settings);
  if (seen !== undefined) {
    return seen;
  }
  const { API_KEYS = '', DEV_KEY_SHA256 = '' } = settings;
  let keys: readonly KnownKey[] = [];
  if (API_KEYS !== '') {
    const listed = KeyList.parse(JSON.parse(API_KEYS));
    keys = listed.map(({ sha256, ...grant }) => ({ ...grant, digest: hexToBytes(sha256) }));
  } else if (acceptsDevKeys(settings)) {
    keys = [
      { project: 'dev', kind: 'client', digest: await digestOf('client_dev_key') },
      { project: 'dev', kind: 'server', digest: hexToBytes(DEV_KEY_SHA256) },
    ];
  }
  known.set(settings, keys);
  return keys;
}

/** The project with that name, or without a name the only one. Null if no key belongs to such a project. */
export async function projectNamed(settings: KeySettings, name: string | null) {
  const projects = await projectsOf(settings);
  const meant = name ?? (projects.length === 1 ? projects[0] : undefined);
  return projects.find((each) => each === meant) ?? null;
}

/** Refuses UNAUTHORIZED for a missing or unknown key. */
export async function grantOf(settings: KeySettings, key: string | null): Promise<Reply<Grant>> {
  if (key === null || key === '') {
    const how = 'send a client key, or from your backend the server key';
    return refusal('UNAUTHORIZED', `The api-key header is missing: ${how}`);
  }
  const found = key.length > 256 ? null : await knownKey(settings, key);
  const unknown =
    'The api-key is unknown: this service accepts the keys that npm start prints, or those in API_KEYS';
  return found === null
    ? refusal('UNAUTHORIZED', unknown)
    : ok({ project: found.project, kind: found.kind });
}

/** Every known key is compared, even after a match. */
async function knownKey(settings: KeySettings, key: string): Promise<KnownKey | null> {
  const keys = await keysOf(settings);
  const sent = await digestOf(key);
  const same = keys.filter(({ digest }) => crypto.subtle.timingSafeEqual(digest, sent));
  return same.at(-1) ?? null;
}

/** Whether the sent text is the secret. An empty secret matches nothing. */
export async function isSecret(secret: string, sent: string): Promise<boolean> {
  const [one, other] = await Promise.all([digestOf(secret), digestOf(sent)]);
  return secret !== '' && crypto.subtle.timingSafeEqual(one, other);
}

export async function projectsOf(settings: KeySettings): Promise<readonly string[]> {
  return [...new Set((await keysOf(settings)).map(({ project }) => project))];
}

export async function deployedKeys(settings: KeySettings, project: string) {
  const keys = (await keysOf(settings)).filter((key) => key.project === project);
  return keys.map(({ digest, kind, name = null }) => ({ id: keyId(digest), kind, name }));
}

/** The first bytes of a key's digest, which grant nothing. */
export function keyId(digest: Uint8Array): string {
  return bytesToHex(digest.subarray(0, 4));
}

/** How histories name a known key: by its name, else by its id. */
export async function keyName(settings: KeySettings, key: string): Promise<string> {
  const { name } = (await knownKey(settings, key)) ?? {};
  return name ?? keyId(await digestOf(key));
}

/**
 * The text of a header. `utf-8''` and percent-encoding (RFC 8187) carry characters that a header cannot: a browser
 * would send `é` as one byte, and `日` not at all (decision 48). If the decoding fails, the result is U+FFFD, which
 * no id may have.
 */
export function headerText(value: string | null): string | null {
  if (value === null || !/^utf-8''/i.test(value)) {
    return value;
  }
  try {
    return decodeURIComponent(value.slice("utf-8''".length));
  } catch {
    return '\ufffd';
  }
}

/** The player of an `x-player-id`. Throws Refused, VALIDATION_ERROR, if it is missing or malformed. */
export function playerIdOf(text: string | null): PlayerId {
  if (text !== null && isPlayerId(text)) {
    return text as PlayerId;
  }
  const problem =
    text === null || text === ''
      ? 'the header is missing: send the id of the player who asks'
      : /^\.\.?$/.test(text)
        ? 'must not be . or ..'
        : `must be 1 to ${MAX_PLAYER_ID_LENGTH} printable characters in UTF-8, or utf-8'' and their percent-encoding`;
  return refuseWith('VALIDATION_ERROR', `x-player-id: ${problem}`);
}

export function bearerOf(request: Request): string | null {
  const header = request.headers.get('authorization') ?? '';
  return /^Bearer +(\S+)$/i.exec(header)?.[1] ?? null;
}
