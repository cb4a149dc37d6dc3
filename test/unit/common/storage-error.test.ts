// Only an error of the storage itself says that the database is damaged: no text that somebody else has chosen, wherever
// it stands.

import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const WORDS = [
  'SQLITE_CORRUPT',
  'SQLITE_NOTADB',
  'database disk image is malformed: SQLITE_CORRUPT',
];

/** Each test begins as a service does that has just started. */
async function fresh() {
  vi.resetModules();
  const [{ damageSeen, storageTrouble }, { logEvent }, { failure }, { storeOf }] =
    await Promise.all([
      import('../../../src/common/storage-error'),
      import('../../../src/common/log'),
      import('../../../src/http/wire/problem'),
      import('../../../src/objects/placement/platform'),
    ]);
  return { damageSeen, storageTrouble, logEvent, failure, storeOf };
}

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

afterEach(() => {
  vi.restoreAllMocks();
});

// No other test shares the damage that was seen here.
afterAll(() => {
  vi.resetModules();
});

describe.each(WORDS)('%s', (words) => {
  it.each(['config', 'requestId', 'reason', 'detail', 'error', 'message', 'playerId'])(
    'as the %s of a line of the log says nothing of the database',
    async (fact) => {
      const { damageSeen, logEvent } = await fresh();
      for (const event of ['server_started', 'launch_failed', 'request_failed', 'storage_failed']) {
        logEvent(event, { [fact]: words });
      }
      expect(damageSeen()).toBeNull();
    },
  );

  it.each([
    [
      'the key of an actor that has ended',
      (text: string) => `gone: queue|dev>${text}>duel has ended`,
    ],
    [
      'what could not be parsed',
      (text: string) => `Unexpected token 'S', "${text}" is not valid JSON`,
    ],
    ['the detail of a fleet', (text: string) => `the agent did not answer with lines: ${text}`],
  ])('in an error with %s is no error of the storage', async (_, message) => {
    const { damageSeen, failure } = await fresh();
    const headers = { 'x-request-id': words };
    const request = new Request(`http://muster.test/v3/lobbies/${encodeURIComponent(words)}`, {
      headers,
    });
    const { status } = failure(new Error(message(words)), request, { config: words });
    expect([status, damageSeen()]).toEqual([500, null]);
  });
});

it.each([
  ['database disk image is malformed: SQLITE_CORRUPT', 'damaged'],
  ['Error: database disk image is malformed: SQLITE_CORRUPT', 'damaged'],
  ['file is not a database: SQLITE_NOTADB', 'damaged'],
  ['the database is damaged: SQLITE_CORRUPT (row 3 missing from index)', 'damaged'],
  ['database or disk is full: SQLITE_FULL', 'full'],
  ['the storage takes no writes: the disk is full', 'full'],
  ['the storage takes no writes: Error: internal error; reference = x', 'unwritable'],
  ['disk I/O error: SQLITE_IOERR_WRITE', 'unwritable'],
  ['attempt to write a readonly database: SQLITE_READONLY', 'unwritable'],
  ['no such table: x: SQLITE_ERROR', null],
  ['internal error', null],
])('the error %j says %s', async (message, trouble) => {
  const { storageTrouble } = await fresh();
  expect(storageTrouble(new Error(message))).toBe(trouble);
});

it('an error of the storage is noted wherever it is thrown, and whoever catches it', async () => {
  const { damageSeen, storeOf } = await fresh();
  const broken = {
    kv: {
      get: () => {
        throw new Error('database disk image is malformed: SQLITE_CORRUPT');
      },
    },
  };
  const store = storeOf(broken as unknown as DurableObjectStorage);
  expect(() => store.get('row')).toThrow('malformed');
  expect(damageSeen()).not.toBeNull();
});
