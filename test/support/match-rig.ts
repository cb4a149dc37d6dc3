// A Match object with everybody around it in the test's hand: its lobbies, its server, its queue and its players.

import type { JournalSettings } from '../../src/common/happening';
import type { InstanceId, LobbyId, MatchId, TicketId } from '../../src/common/ids';
import type { SendSpans } from '../../src/common/otlp';
import type { MatchUpdate } from '../../src/lobby/command';
import { defaultBuild } from '../../src/fleet/build';
import type { Mode } from '../../src/match/rules/mode';
import type { Offer, Roster } from '../../src/objects/contracts/match';
import type { PartySnapshot } from '../../src/objects/contracts/party';
import { MatchActor } from '../../src/objects/match/actor';
import type { Match } from '../../src/objects/match/state';
import { fakePorts, lives } from '../fleet/ports.ts';
import { mode, ticket } from '../match/support/make';
import { block } from './lobbies';
import { MATCH, party } from './running-match';

export interface MatchRigOptions {
  readonly rules?: Partial<Mode>;
  readonly parties?: readonly PartySnapshot[];
  readonly journal?: JournalSettings;
  /** The collector of traces. */
  readonly sendSpans?: SendSpans;
  readonly id?: MatchId;
  /** What an earlier object left. */
  readonly saved?: Map<string, unknown>;
  /** What the server answers to the launch. Absent: its first report, launching. */
  readonly launch?: () => Promise<object>;
  readonly document?: object;
  /** What the match answers that is to be made as its rematch. */
  readonly make?: () => Promise<object>;
}

/** The build of its matches, as the project's document has it. */
export const READY = defaultBuild();

export function matchRig(options: MatchRigOptions = {}) {
  const told: (readonly [string, MatchUpdate])[] = [];
  const offers: Offer[] = [];
  const asked: (readonly unknown[])[] = [];
  /** Lobbies that are not in the match any more. */
  const strangers = new Set<string>();
  /** Lobbies that do not answer. */
  const silent = new Set<string>();
  let seq = 0;
  const report = (status: 'launching' | 'running' | 'stopped', patch: object = {}) => {
    seq += 1;
    return { instanceId: 'i' as InstanceId, seq, block: block(status, 'i'), ...patch };
  };
  const launch = options.launch ?? (async () => ({ ok: true, value: report('launching') }));
  const note =
    (what: string) =>
    async (...of: readonly unknown[]): Promise<void> =>
      void asked.push([what, ...of]);
  const peers = {
    lobby: (id: string) => ({
      matchUpdate: async (update: MatchUpdate) => {
        if (silent.has(id)) {
          throw new Error(`${id} is away`);
        }
        told.push([id, update]);
        return !strangers.has(id);
      },
      result: note(`result ${id}`),
      rematch: async (update: unknown) => {
        asked.push([`rematch ${id}`, update]);
        return true;
      },
    }),
    match: () => ({ make: options.make }),
    queue: () => ({
      offer: async (_: unknown, offer: Offer) => void offers.push(offer),
      matchFailed: note('failed'),
    }),
    server: (...of: readonly unknown[]) => ({
      stop: note('stop'),
      update: note('update'),
      launch: async (order: unknown) => (asked.push(['launch', ...of, order]), launch()),
    }),
    ratings: () => ({ rate: note('rate') }),
    players: () => ({ turnedDown: note('no') }),
  };
  const { id: matchId = MATCH } = options;
  const fake = fakePorts({
    name: matchId,
    document: { revision: 1, configs: {}, builds: { default: READY }, ...options.document },
    peers: peers as never,
    ...(options.saved === undefined ? {} : { saved: options.saved }),
  });
  const logged: (readonly unknown[])[] = [];
  const ports = {
    ...fake.ports,
    instanceId: () => 'i' as InstanceId,
    log: (...of: readonly unknown[]) => void logged.push(of),
  };
  const actor = new MatchActor(ports, async () => {}, options.journal, options.sendSpans);
  const parties = options.parties ?? [party('a', 'ann', 'abe'), party('b', 'ben')];
  const roster: Roster = {
    matchId,
    project: 'p',
    config: 'arena',
    mode: 'duo',
    rules: mode({ playersPerTeam: 3, minPlayersPerTeam: 1, ...options.rules }),
    region: 'us-east',
    version: null,
    anchor: ticket('ticket of a'),
    parties,
    teams: parties.map(({ ticketId }) => ({ name: null, tickets: [ticketId], roles: null })),
  };
  const open = async (): Promise<string> => {
    const opened = await actor.open(roster);
    await fake.pass(10);
    return opened;
  };
  const runs = async (patch: object = {}): ReturnType<MatchActor['serverReport']> => {
    const isOwned = await actor.serverReport(report('running', patch));
    await fake.pass(200);
    return isOwned;
  };
  const live = (ms: number): Promise<void> => lives(fake, () => actor.alarm(), ms);
  const saw = (): Match | undefined => fake.saved.get('match') as Match | undefined;
  /** What a lobby was told last. */
  const last = (lobby: string): MatchUpdate | undefined =>
    told.findLast(([id]) => id === lobby)?.[1];
  const did = (what: string) => asked.filter(([name]) => name === what);
  return {
    ...fake,
    actor,
    roster,
    told,
    last,
    offers,
    asked,
    logged,
    did,
    strangers,
    silent,
    report,
    open,
    runs,
    live,
    saw,
  };
}

export async function openedMatch(options: MatchRigOptions = {}) {
  const rig = matchRig(options);
  if ((await rig.open()) !== 'opened') {
    throw new Error('the match has not opened');
  }
  return rig;
}

export async function runningMatch(options: MatchRigOptions = {}) {
  const rig = await openedMatch(options);
  await rig.runs();
  return rig;
}

export async function endedMatch(options: MatchRigOptions = {}) {
  const rig = await runningMatch(options);
  await rig.actor.end('a' as LobbyId, 'ticket of a' as TicketId);
  await rig.pass(1_000);
  return rig;
}

/** What its record tells, without the instants. */
export async function historyOf({ actor }: Pick<ReturnType<typeof matchRig>, 'actor'>) {
  const record = await actor.record('p');
  return record?.history.map((entry) => {
    const { at: _, ...told } = entry;
    return told;
  });
}
