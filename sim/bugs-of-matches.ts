// Deliberate bugs of a match (see bugs.ts).

import type { TellHook } from '../src/fleet/hook';
import type { Host } from '../src/objects/contracts/host';
import type { MatchRpc, Roster } from '../src/objects/contracts/match';
import { MatchActor } from '../src/objects/match/actor';
import type { Match } from '../src/objects/match/state';
import { JOURNAL } from './world';

/** Opens the places again that somebody has just taken. */
export class Generous extends MatchActor {
  readonly #host: Host;

  constructor(host: Host, tell: TellHook) {
    super(host, tell, JOURNAL);
    this.#host = host;
  }

  override async admit(...asked: Parameters<MatchRpc['admit']>): ReturnType<MatchRpc['admit']> {
    const open = this.#host.store.get<Match>('match')?.steered?.open ?? [];
    const project = this.#host.store.get<Roster>('roster')?.project ?? '';
    const refused = await super.admit(...asked);
    for (const { team, places } of refused === null ? open : []) {
      await super.steer(project, { open: places, ...(team !== null && { team }) });
    }
    return refused;
  }
}

/** Takes one of its lobbies in twice: what always holds refuses that before it is saved. */
export class Doubling extends MatchActor {
  override open(roster: Roster): ReturnType<MatchActor['open']> {
    return super.open({ ...roster, parties: [...roster.parties, ...roster.parties.slice(0, 1)] });
  }
}
