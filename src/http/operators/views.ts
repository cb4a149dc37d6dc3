// The readings of the dashboard: what each page needs, from the objects that have it. Readings change nothing.

import type {
  Census,
  ConfigOverview,
  LobbiesView,
  Overview,
  ServerGroup,
  ServersView,
} from '../../../packages/js/src/dashboard-types';
import * as z from 'zod';
import type { TicketId } from '../../common/ids';
import { MAX_CONFIG_NAME_LENGTH } from '../../common/limits';
import { STATUSES } from '../../lobby/lobby';
import { ruledBy } from '../../lobby/playground';
import { modeOf } from '../../lobby/config';
import { NO_STATS, type QueueStats } from '../../lobby/view';
import { nameProblem, oneOf } from '../../common/shape';
import type { Peers } from '../../objects/contracts/peers';
import type { LobbyRpc } from '../../objects/contracts/lobby';
import type { Watchable } from '../../objects/kit/listeners';
import type { QueueRpc } from '../../objects/contracts/queue';
import type { Env } from '../../objects/placement/env';
import type { DirectoryRpc } from '../../objects/contracts/directory';
import type { ProjectDocument, ProjectRpc } from '../../objects/contracts/project';
import { closedNow, configOf, savedConfig } from '../../objects/caches/project';
import type { KeyKind } from '../wire/access';
import { overloads } from '../wire/overloads';
import { signedLobbyOf } from '../wire/paths';
import { withoutSecrets } from './configs';
import type { Readings } from './readings';
import { configNames } from '../isolate/seen-configs';

const VIEWS = ['overview', 'project', 'lobbies', 'lobby', 'queue', 'servers'] as const;
const PAGE = 50;

const OFFSET = /^\d{1,6}$/;
const SERVER_STATES = ['launching', 'running', 'stopped', 'failed'] as const;

const MAX_NAME_LENGTH = 2 * MAX_CONFIG_NAME_LENGTH;
const name = z.string().max(MAX_NAME_LENGTH, 'is too long').default('');

function neededBy(view: (typeof VIEWS)[number]): readonly ('config' | 'mode')[] {
  const isOfConfig = view === 'lobbies' || view === 'lobby';
  return view === 'queue' ? ['config', 'mode'] : isOfConfig ? ['config'] : [];
}

/** The page, and its subject. Absent parts are empty. */
export const ViewParams = z
  .object({
    view: oneOf(VIEWS),
    config: name,
    mode: name,
    lobby: name,
    ticket: name,
    status: oneOf(STATUSES).nullable().default(null),
    /** Of servers. `live`: launching or running; `all`: any. */
    state: oneOf(['live', 'all', ...SERVER_STATES]).default('live'),
    build: name,
    region: name,
    fleet: name,
    offset: z.string().regex(OFFSET, 'must be a whole number').transform(Number).default(0),
  })
  .check(({ value, issues }) => {
    const needed = neededBy(value.view).find((part) => nameProblem(ruledBy(value[part])) !== null);
    if (needed !== undefined) {
      const message = nameProblem(ruledBy(value[needed])) ?? '';
      issues.push({ code: 'custom', input: value, path: [needed], message });
    }
  });

export type View = z.infer<typeof ViewParams>;

/** An object that a page shows. `at` makes a new stub. */
export interface Source<Rpc extends Watchable> {
  readonly key: string;
  readonly at: () => Rpc;
}

/** Asks a source, or returns its last answer while it has not changed. `ages`: the answer changes by itself, as waits do. */
export type Ask = <Rpc extends Watchable, T>(
  source: Source<Rpc>,
  what: string,
  question: (rpc: Rpc) => Promise<T>,
  ages?: (answer: T) => boolean,
) => Promise<T>;

export interface Reader {
  readonly env: Env;
  readonly peers: Peers;
  readonly project: string;
  readonly ask: Ask;
  readonly keyKind: KeyKind;
}

const isWaiting = ({ lobbiesInQueue }: QueueStats): boolean => lobbiesInQueue > 0;

function projectOf({ peers, project }: Reader): Source<ProjectRpc> {
  return { key: 'project', at: () => peers.project(project) };
}

function directoryOf({ peers, project }: Reader, config: string): Source<DirectoryRpc> {
  return { key: JSON.stringify([config]), at: () => peers.directory(project, config) };
}

function queueOf({ peers, project }: Reader, config: string, mode: string): Source<QueueRpc> {
  return { key: JSON.stringify([config, mode]), at: () => peers.queue(project, config, mode) };
}

async function document(reader: Reader): Promise<ProjectDocument> {
  const read = await reader.ask(projectOf(reader), 'document', (project) => project.document());
  return reader.keyKind === 'viewer' ? withoutSecrets(read) : read;
}

function groups(reader: Reader): Promise<readonly ServerGroup[]> {
  return reader.ask(projectOf(reader), 'groups', (project) => project.serverGroups());
}

async function servers(reader: Reader, view: View): Promise<ServersView> {
  const { state, build, region, fleet, offset } = view;
  const each = { live: ['launching', 'running'], all: SERVER_STATES } as const;
  const shown = state === 'live' || state === 'all' ? each[state] : [state];
  const filters = Object.entries({ build, region, fleet });
  const where = Object.fromEntries(filters.filter(([, value]) => value !== ''));
  const read = (project: ProjectRpc) => project.servers(PAGE, offset, shown, where);
  const source = projectOf(reader);
  const [page, counted] = await Promise.all([reader.ask(source, 'servers', read), groups(reader)]);
  return { page, groups: counted };
}

function census(reader: Reader, config: string): Promise<Census> {
  return reader.ask(directoryOf(reader, config), 'census', (directory) => directory.census());
}

async function overview(reader: Reader): Promise<Overview> {
  const [saved, counted] = await Promise.all([document(reader), groups(reader)]);
  const names = configNames(reader.project, saved);
  const configs = await Promise.all(names.map((each) => configOverview(reader, saved, each)));
  const builds = Object.values(saved.builds);
  return {
    configs,
    servers: counted,
    builds: builds.length,
    failing: builds.filter((build) => build.failing === true),
    stumbling: builds.filter(({ failing, failure }) => failing !== true && failure !== undefined),
    overload: overloads.shown(Date.now()),
  };
}

async function configOverview(
  reader: Reader,
  saved: ProjectDocument,
  config: string,
): Promise<ConfigOverview> {
  const counted = await census(reader, config);
  // If nobody can be queued, the queues need not be asked.
  const mayQueue = (counted.byStatus.in_queue ?? 0) + counted.privates > 0;
  const modes = Object.keys(configOf(saved, config).matchmaking.modes).map(async (mode) => ({
    name: mode,
    stats: mayQueue
      ? await reader.ask(queueOf(reader, config, mode), 'stats', (at) => at.stats(), isWaiting)
      : NO_STATS,
  }));
  const known = savedConfig(saved, config);
  return {
    name: config,
    saved: known !== null,
    enabled: known?.enabled ?? true,
    closed: closedNow(saved, config, Date.now()),
    census: counted,
    modes: await Promise.all(modes),
  };
}

async function lobbies(reader: Reader, view: View): Promise<LobbiesView> {
  const { config, status, offset } = view;
  const query = { region: null, status, limit: PAGE, offset };
  const [counted, page] = await Promise.all([
    census(reader, config),
    reader.ask(directoryOf(reader, config), 'page', (directory) => directory.browse(query)),
  ]);
  return { census: counted, page };
}

async function lobby(reader: Reader, view: View): Promise<Readings['lobby']> {
  const { env, peers, project, ask } = reader;
  const id = signedLobbyOf(env, view.lobby);
  if (id === null) {
    return { lobby: null };
  }
  const source: Source<LobbyRpc> = { key: id, at: () => peers.lobby(id) };
  const read = (at: LobbyRpc) => at.adminRead(project, view.config);
  return { lobby: await ask(source, 'lobby', read, (shown) => shown?.status === 'in_queue') };
}

async function queue(reader: Reader, view: View): Promise<Readings['queue']> {
  const { config, mode } = view;
  const ticket = view.ticket === '' ? null : (view.ticket as TicketId);
  const read = (at: QueueRpc) => at.report(ticket);
  const asked = reader.ask(queueOf(reader, config, mode), 'report', read, (its) =>
    isWaiting(its.stats),
  );
  const [saved, report] = await Promise.all([document(reader), asked]);
  const now = modeOf(configOf(saved, config), mode);
  return { report: { ...report, mode: report.mode ?? now }, saved: now !== null };
}

/** How each view is read. */
export const READ: {
  readonly [V in View['view']]: (reader: Reader, view: View) => Promise<Readings[V]>;
} = { overview, project: document, lobbies, lobby, queue, servers };
