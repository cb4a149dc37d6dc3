// Running matches, and what is saved now, which says what may come into them (decision 56). The mode comes to the queue with
// each save, and the queue tells it those matches that it concerns. Builds are looked up when a party is on its way into a
// match: no match or queue asks for anything while nothing changes and nobody comes.

import type { MatchId } from '../../common/ids';
import { pause } from '../../common/later';
import { must } from '../../common/result';
import { type Ticket, versionOf } from '../../match/ticket/ticket';
import { buildNow, configOf } from '../caches/project';
import { isOfToday, type SavedNow } from '../contracts/match';
import type { ProjectDocument } from '../contracts/project';
import type { QueueCore } from './core';
import { gamesFrom } from './past';
import type { ProposalRow } from './rows';

/** A match may have formed so long before its game began. */
const BEFORE_THE_GAME_MS = 10 * 60_000;

/** The document, not older than the mode that the queue knows. Null: it cannot be read, so nothing can be saved either. */
async function documentNow({ ports, state }: QueueCore): Promise<ProjectDocument | null> {
  const [project = '', config = ''] = ports.name;
  try {
    const known = await ports.document(project);
    const { modeRevision } = must(state.meta, 'the mode of a queue with running matches');
    return configOf(known, config).revision >= modeRevision
      ? known
      : await ports.peers.project(project).document();
  } catch (error) {
    ports.log('document_unread', { project, config, error: String(error) });
    return null;
  }
}

/** The build that a new match of such tickets would run on. Null: none. Absent: not known. */
function buildFor(
  { ports, state }: QueueCore,
  document: ProjectDocument | null,
  ticket: Ticket | undefined,
): Pick<SavedNow, 'build'> {
  const { mode } = must(state.meta, 'the mode of a queue with running matches');
  if (document === null || ticket === undefined) {
    return {};
  }
  const version = versionOf(ticket, mode.useVersionFromState);
  const found = buildNow(document, ports.name[1] ?? '', mode, version);
  return { build: found.ok ? { name: found.value.name, version: found.value.version } : null };
}

export async function buildOf(core: QueueCore, ticket: Ticket | undefined) {
  return buildFor(core, await documentNow(core), ticket).build;
}

/** What is saved now, for the party that is on its way into a running match. */
export async function savedNow(core: QueueCore, { tickets }: ProposalRow): Promise<SavedNow> {
  const document = await documentNow(core);
  const { mode: rules, modeRevision } = must(core.state.meta, 'the mode of a queue');
  const mode = core.state.isGone(modeRevision) ? null : { rules, revision: modeRevision };
  const [ticket] = tickets.flatMap((id) => core.state.tickets.get(id)?.ticket ?? []);
  return { mode, ...buildFor(core, document, ticket) };
}

/** Whether the match takes parties now. If its build is outdated, all such matches close, so no search tries each. */
export async function takesNow(core: QueueCore, { matchId }: ProposalRow): Promise<boolean> {
  const document = await documentNow(core);
  const { offers, closed } = core.state;
  const isOutdated = (id: string): boolean => {
    const match = offers.get(id)?.match;
    return !isOfToday(match?.build, buildFor(core, document, match?.anchor).build);
  };
  if (isOutdated(matchId)) {
    const open = [...offers.keys()].filter((id) => !closed.has(id));
    core.commit(() => core.close(open.filter(isOutdated)));
  }
  // Of a match that has taken back its room, the Match itself says so.
  return !offers.has(matchId) || core.state.room(matchId) !== null;
}

/** Owes the mode to all matches in the journal that may still run, in saved slices. A queue that dies starts over. */
export async function tellGames(core: QueueCore, gameLimitMs: number): Promise<void> {
  const { state, ports, life, journal, rows: limit } = core;
  const revision = state.meta?.modeRevision;
  const owe = (ids: readonly MatchId[]): void =>
    core.commit(() => life.owe(ids.map((matchId) => ({ to: 'mode', matchId }))));
  owe([...state.offers.keys()] as MatchId[]);
  const since = ports.now() - gameLimitMs - BEFORE_THE_GAME_MS;
  for (let from = journal.rows.last?.n ?? null; from !== null;) {
    const { matches, next } = gamesFrom(journal.rows, from, { since, limit });
    owe(matches);
    from = next;
    await pause(0, ports);
  }
  core.commit(() => {
    const { untold: _, ...meta } = must(state.meta, 'the mode that matches were told');
    if (meta.modeRevision === revision) {
      state.setMeta(meta);
    }
  });
}
