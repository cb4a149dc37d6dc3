// Steps that migrate saved rows: each runs once, in order, and either all of a release run or none.

import { expect, it } from 'vitest';
import type { PlayerId } from '../../src/common/ids';
import type { Mode } from '../../src/match/rules/mode';
import type { DirectoryActor } from '../../src/objects/directory/actor';
import { parseConfig } from '../../src/lobby/config';
import type { ConfigDraft, ProjectDocument } from '../../src/objects/project/contract';
import type { ProjectActor } from '../../src/objects/project/actor';
import type { Host } from '../../src/objects/host';
import type { Env } from '../../src/objects/placement/env';
import { makeActor } from '../../src/objects/placement/actors';
import { migrate, type Migration } from '../../src/objects/placement/migrations';
import { Disk, Session } from '../../sim/disk';
import { fakeHost, type FakeHost } from '../fleet/host';

const NOTHING: ProjectDocument = { revision: 0, configs: {}, builds: {} };

function hosted(saved?: FakeHost['saved']): FakeHost {
  return fakeHost({ name: 'p', document: NOTHING, ...(saved && { saved }) });
}

/** A host whose store has a row, and keeps transactions. */
function used(): Host {
  const store = new Session(
    new Disk(),
    () => {},
    () => {},
  );
  store.put('name', '');
  return { ...hosted().host, store };
}

const append =
  (letter: string): Migration =>
  ({ store }) =>
    store.put('name', (store.get<string>('name') ?? '') + letter);

it('applies each step once, and later only those that came since', () => {
  const host = used();
  migrate(host, [append('a'), append('b')]);
  migrate(host, [append('a'), append('b'), append('c')]);
  migrate(host, [append('a'), append('b'), append('c')]);
  expect(host.store.get('name')).toBe('abc');
});

it('applies none where one of them fails', () => {
  const host = used();
  const fails = (): never => {
    throw new Error('a step that fails');
  };
  expect(() => migrate(host, [append('a'), fails])).toThrow('a step that fails');
  expect(host.store.get('name')).toBe('');
  migrate(host, [append('a')]);
  expect(host.store.get('name')).toBe('a');
});

it('writes nothing where a kind has no steps, or nothing is saved', () => {
  const { host, saved } = hosted();
  migrate(host);
  migrate(host, [append('a')]);
  expect(saved).toEqual(new Map());
});

/** A project as commit 736a6b4 saved it: texts for versions, fewer settings, and no history. */
function before(): Map<string, unknown> {
  const mode = {
    teams: 2,
    playersPerTeam: 1,
    minPlayersPerTeam: 1,
    minTeams: 2,
    timeout: 60,
    maxPartySize: 1,
    allowBackfill: false,
    rules: [],
    matchConfirmation: { enabled: false, timeoutSeconds: 30 },
    teamComposition: null,
    excludedFromQueue: [],
    useVersionFromState: null,
    onDecline: 'return',
  };
  const config = {
    id: 'c-1',
    name: 'arena',
    enabled: true,
    timeout: 3600,
    serverSettings: { serverSize: 'small', gameBuild: null },
    matchmaking: { modes: { duel: mode } },
    hostLeaveBehavior: 'promote',
    inviteCodeConfig: null,
    heartbeat: true,
    heartbeatTimeout: 45,
    customProperties: {},
    revision: 3,
  };
  const build = { name: 'default', version: '1.4.0', status: 'ready', launch: { command: 'game' } };
  const document = { revision: 4, configs: { arena: config }, builds: { default: build } };
  return new Map<string, unknown>([['document', document]]);
}

function upgraded(saved: FakeHost['saved']): ProjectActor {
  return makeActor('project', hosted(saved).host, {} as Env) as unknown as ProjectActor;
}

it('an upgrade from 736a6b4 keeps what was found as the oldest revision, so the first save can be undone', async () => {
  const { host, saved } = hosted(before());
  const project = makeActor('project', host, {} as Env) as unknown as ProjectActor;
  const { configs } = await project.document();
  const found = configs['arena'];
  expect(await project.configHistory('arena')).toEqual([
    { revision: 3, savedAt: host.now(), by: null, value: found },
  ]);
  const { id: _, revision: __, ...draft } = found ?? ({} as never);
  await project.saveConfigs([{ ...draft, heartbeat: false }], null);
  const history = await upgraded(saved).configHistory('arena');
  expect(history.map(({ revision, value }) => [revision, value?.heartbeat])).toEqual([
    [5, false],
    [3, true],
  ]);
});

it('an upgrade from 736a6b4 numbers builds and fills in the settings that have come since', async () => {
  const { configs, builds } = await upgraded(before()).document();
  expect(builds['default']).toEqual({
    name: 'default',
    version: 1,
    label: '1.4.0',
    status: 'ready',
    launch: { command: 'game' },
    ports: [],
  });
  expect(configs['arena']).toMatchObject({
    id: 'c-1',
    heartbeatTimeout: 45,
    queuePresenceSeconds: 30,
  });
  const duel: Mode | undefined = configs['arena']?.matchmaking.modes['duel'];
  expect(duel).toMatchObject({ teams: 2, explainsWait: true, lateJoin: true });
});

it('a project answers the same text after it woke, in the same order of fields', async () => {
  const { host, saved } = hosted();
  const project = makeActor('project', host, {} as Env) as unknown as ProjectActor;
  const parsed = parseConfig('arena', { customProperties: { a: 1 }, timeout: 900 });
  const build = { name: 'arena', label: null, status: 'ready', launch: {}, ports: [] } as const;
  await project.saveConfigs([(parsed as { value: ConfigDraft }).value], null);
  await project.saveBuild(build);
  const told = JSON.stringify(await project.document());
  expect(JSON.stringify(await upgraded(saved).document())).toBe(told);
});

it('a lobby’s code moves into its row of the Directory, also where it has no row', async () => {
  const coded = { by: 'm', at: 1_800_000_000_000, unsure: false };
  const view = { createdAt: '2026-11-01T00:00:00.000Z', code: 'ABC' };
  const { host, saved } = hosted(
    new Map<string, unknown>([
      ['code:abc', { ...coded, lobbyId: 'a', code: 'ABC' }],
      ['code:xyz', { ...coded, lobbyId: 'b', code: 'XYZ' }],
      ['row:a', { lobbyId: 'a', revision: 3, view }],
    ]),
  );
  const directory = makeActor('directory', host, {} as Env) as unknown as DirectoryActor;
  const find = (code: string) =>
    directory.find({ code, player: 'p' as PlayerId, address: null, limits: {} });
  expect([await find('ABC'), await find('XYZ')]).toEqual([
    { ok: true, value: 'a' },
    { ok: true, value: 'b' },
  ]);
  expect([...saved.keys()].toSorted()).toEqual(['row:a', 'row:b', 'schema']);
  expect(saved.get('row:a')).toMatchObject({ revision: 3, view, coded: { code: 'ABC' } });
});
