// What the dashboard shows, one reading at a time: what each of its pages needs to know of the
// project, asked of the objects that know it. Readings change nothing.

import * as z from 'zod';
import type { TicketId } from '../../ids';
import { MAX_CONFIG_NAME_LENGTH } from '../../limits';
import { STATUSES } from '../../lobby/lobby';
import { ruledBy } from '../../lobby/playground';
import { modeOf } from '../../lobby/config';
import type { QueueStats } from '../../match/engine/proposal';
import { nameProblem, oneOf } from '../../shape';
import { assertNever } from '../../result';
import type { Peers } from '../../objects/kit/peers';
import type { Env } from '../../objects/placement/env';
import type { ProjectDocument, ServersPage } from '../../objects/contracts';
import { configOf, savedConfig } from '../../objects/kit/project-cache';
import type { Census } from '../../objects/reports';
import type { ConfigOverview, LobbiesView, Overview, Readings } from './readings';
import { lobbyIdOf } from '../paths';
import { seenConfigs } from './seen-configs';

const VIEWS = ['overview', 'project', 'lobbies', 'lobby', 'queue', 'servers'] as const;
const PAGE = 50;
const SERVERS = 100;

const name = z
  .string()
  .max(2 * MAX_CONFIG_NAME_LENGTH, 'is too long')
  .default('');

/** Names that a view cannot do without. */
const NEEDS: Readonly<Record<(typeof VIEWS)[number], readonly ('config' | 'mode')[]>> = {
  overview: [],
  project: [],
  lobbies: ['config'],
  lobby: ['config'],
  queue: ['config', 'mode'],
  servers: [],
};

/** Which page, and of what: absent parts are empty. */
export const ViewParams = z
  .object({
    view: oneOf(VIEWS),
    config: name,
    mode: name,
    lobby: name,
    ticket: name,
    status: oneOf(STATUSES).nullable().default(null),
    offset: z
      .string()
      .regex(/^\d{1,6}$/, 'must be a whole number')
      .transform(Number)
      .default(0),
  })
  .check(({ value, issues }) => {
    const needed = NEEDS[value.view].find((part) => nameProblem(ruledBy(value[part])) !== null);
    if (needed !== undefined) {
      const message = nameProblem(ruledBy(value[needed])) ?? '';
      issues.push({ code: 'custom', input: value, path: [needed], message });
    }
  });

export type View = z.infer<typeof ViewParams>;

/** Asks one object; counts, since a request may ask only so often. */
export type Ask = <T>(question: () => Promise<T>) => Promise<T>;

export interface Reader {
  readonly env: Env;
  readonly peers: Peers;
  readonly project: string;
  readonly ask: Ask;
}

const NOBODY: QueueStats = { playersSearching: 0, lobbiesInQueue: 0, avgWaitSeconds: 0 };

export function read(reader: Reader, view: View): Promise<Readings[View['view']]> {
  switch (view.view) {
    case 'overview':
      return overview(reader);
    case 'project':
      return document(reader);
    case 'lobbies':
      return lobbies(reader, view);
    case 'lobby':
      return lobby(reader, view);
    case 'queue':
      return queue(reader, view);
    case 'servers':
      return servers(reader, view.offset);
    default:
      return assertNever(view.view);
  }
}

function document({ peers, project, ask }: Reader): Promise<ProjectDocument> {
  return ask(() => peers.project(project).document());
}

function servers({ peers, project, ask }: Reader, offset: number): Promise<ServersPage> {
  return ask(() => peers.project(project).servers(SERVERS, offset));
}

function census({ peers, project, ask }: Reader, config: string): Promise<Census> {
  return ask(() => peers.directory(project, config).census());
}

async function overview(reader: Reader): Promise<Overview> {
  const [saved, page] = await Promise.all([document(reader), servers(reader, 0)]);
  const names = new Set([...Object.keys(saved.configs), ...seenConfigs(reader.project)]);
  const configs = await Promise.all([...names].map((each) => configOverview(reader, saved, each)));
  return { configs, servers: page, builds: Object.keys(saved.builds).length };
}

async function configOverview(
  reader: Reader,
  saved: ProjectDocument,
  config: string,
): Promise<ConfigOverview> {
  const { peers, project, ask } = reader;
  const counted = await census(reader, config);
  // Where nobody can be queued, the queues need not be asked.
  const mayQueue = (counted.byStatus.in_queue ?? 0) + counted.privates > 0;
  const modes = Object.keys(configOf(saved, config).matchmaking.modes).map(async (mode) => ({
    name: mode,
    stats: mayQueue ? await ask(() => peers.queue(project, config, mode).stats()) : NOBODY,
  }));
  const known = savedConfig(saved, config);
  return {
    name: config,
    saved: known !== null,
    enabled: known?.enabled ?? true,
    census: counted,
    modes: await Promise.all(modes),
  };
}

async function lobbies(reader: Reader, view: View): Promise<LobbiesView> {
  const { peers, project, ask } = reader;
  const { config, status, offset } = view;
  const query = { region: null, status, limit: PAGE, offset };
  const [counted, page] = await Promise.all([
    census(reader, config),
    ask(() => peers.directory(project, config).browse(query)),
  ]);
  return { census: counted, page };
}

async function lobby(reader: Reader, view: View): Promise<Readings['lobby']> {
  const { env, peers, project, ask } = reader;
  const id = lobbyIdOf(env, view.lobby);
  const found = id.ok
    ? await ask(() => peers.lobby(id.value).adminRead(project, view.config))
    : null;
  return { lobby: found };
}

async function queue(reader: Reader, view: View): Promise<Readings['queue']> {
  const { peers, project, ask } = reader;
  const { config, mode } = view;
  const ticket = view.ticket === '' ? null : (view.ticket as TicketId);
  const [saved, report] = await Promise.all([
    document(reader),
    ask(() => peers.queue(project, config, mode).report(ticket)),
  ]);
  const now = modeOf(configOf(saved, config), mode);
  return { report: { ...report, mode: report.mode ?? now }, saved: now !== null };
}
