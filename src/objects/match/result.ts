// Whether a result of a match is taken (decision 47), and what follows from it.

import type { PeerPath } from '../../../packages/js/src/journal-types';
import type { Result } from '../../../packages/js/src/result-types';
import { ok } from '../../common/result';
import { resultProblem, sameText } from '../../lobby/game';
import { refusal, type Reply } from '../../lobby/refusals';
import { tallyOf, VOTING_MS } from '../../lobby/votes';
import { sha256Hex } from '../../common/signed';
import { configOf } from '../caches/project';
import type { ActorPorts } from '../contracts/actor-ports';
import type { ResultBy } from '../contracts/match';
import type { MatchRecord } from '../contracts/reports';
import { isEnded } from './history';
import type { Aftermath } from './store';

/** As many as a mesh of sixteen has pairs, on both sides. */
const MOST_LINKS = 240;

/** The result as it is saved; nothing if the saved one says the same. Refuses as `result` of the contract says. */
export function resultFor(
  record: MatchRecord | null,
  result: Result,
  now: number,
): Reply<Aftermath> {
  if (record === null) {
    return refusal('NOT_FOUND', 'No match has this id');
  }
  if (record.outcome !== 'running' && !isEnded(record)) {
    const why = `The match is ${record.outcome}: only one that ran has a result`;
    return refusal('INVALID_STATE', why);
  }
  if (record.result !== undefined) {
    return sameText(record.result) === sameText(result)
      ? ok({})
      : refusal('RESULT_EXISTS', 'The match already has a different result');
  }
  const problem = resultProblem(result, everybodyIn(record.teams));
  return problem === null
    ? ok({ result: { ...result, at: now } })
    : refusal('VALIDATION_ERROR', problem);
}

type RecordTeams = MatchRecord['teams'];

function playersIn(teams: RecordTeams): RecordTeams[number]['lobbies'][number]['players'] {
  return teams.flatMap(({ lobbies }) => lobbies.flatMap(({ players }) => players));
}

/** Each team with everybody who was ever in it: a result may name all of them (decision 58). */
function everybodyIn(teams: RecordTeams): Parameters<typeof resultProblem>[1] {
  const all = playersIn(teams);
  return teams.map(({ lobbies }, index) => {
    const others = all.filter(({ stays = [] }) => stays.some(({ team }) => team === index));
    return { lobbies: [...lobbies, { players: others }] };
  });
}

/** Whether most players must say what the result of the match is, because one of them hosts it. */
export async function isVotedOn(ports: ActorPorts, record: MatchRecord | null): Promise<boolean> {
  const document = record?.votes && (await ports.document(record.project));
  const settings = document && configOf(document, record.config).serverSettings;
  return settings?.results === 'majority';
}

/** What a vote brings about, and the result once most players say the same. */
export function voteFor(
  record: MatchRecord | null,
  result: Result,
  by: Exclude<ResultBy, 'backend'>,
  now: number,
): Reply<Aftermath> {
  const { votes, endedAt = null } = record ?? {};
  const player = by === 'server' ? votes?.host : by.player;
  if (player === undefined || votes?.of.includes(player) !== true) {
    return refusal('NOT_FOUND', 'No match with this id asks you for its result');
  }
  const came = resultFor(record, result, now);
  if (!came.ok || came.value.result === undefined) {
    return came;
  }
  if ((endedAt ?? now) + VOTING_MS < now) {
    return refusal('INVALID_STATE', 'The match has been over for too long');
  }
  const others = votes.said.filter(([id]) => id !== player);
  const next = { ...votes, said: [...others, [player, sha256Hex(sameText(result))] as const] };
  const isMost = (tallyOf(next)?.same ?? 0) * 2 > next.of.length;
  return ok({ votes: next, ...(isMost && came.value) });
}

/** The newest links, one for each pair and side. */
export function withLink(record: MatchRecord | null, path: PeerPath): Reply<Aftermath> {
  const { teams = [], links = [] } = record ?? {};
  const all = playersIn(teams);
  if (![path.from, path.to].every((player) => all.some(({ id }) => id === player))) {
    return refusal('NOT_FOUND', 'No match with this id has the two players');
  }
  const others = links.filter(({ from, to }) => from !== path.from || to !== path.to);
  return ok({ links: [path, ...others].slice(0, MOST_LINKS) });
}
