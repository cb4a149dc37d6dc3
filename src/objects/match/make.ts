// A match that is made of named lobbies (decision 76, record 0104). They are booked, and once all are, the match is saved as any
// other. The Match itself does it, in memory: if it dies, nobody else can go on, so its lobbies ask it and hear that there is
// nothing. crash-table.md says what a crash leaves.

import type { PlayerId, TicketId } from '../../common/ids';
import { within } from '../../common/later';
import { own, present } from '../../common/named';
import { ok, refuse } from '../../common/result';
import type { Issue } from '../../common/shape';
import { refusal, type Reply } from '../../lobby/refusals';
import { configOf } from '../caches/project';
import type { BookingReply } from '../contracts/lobby';
import type { MatchOrder, MatchRpc, NamedLobby, Roster } from '../contracts/match';
import type { MatchRecord } from '../contracts/reports';
import { issuesOf, madeRoster, type Booked } from './made';
import type { MatchCore } from './core';

/** A lobby that has not answered by then has not been booked, as far as its maker knows. */
const ANSWER_MS = 3_000;

interface Attempt {
  readonly digest: string;
  readonly tickets: Set<TicketId>;
  /** A lobby has given up its booking. */
  isOff: boolean;
}

interface BookedOrNot {
  readonly named: NamedLobby;
  readonly ticketId: TicketId;
  /** Null: no answer. */
  readonly reply: BookingReply | null;
}

export class Maker {
  readonly #core: Pick<MatchCore, 'ports' | 'id' | 'memory'>;
  readonly #open: MatchRpc['open'];
  #under: { readonly attempt: Attempt; readonly made: Promise<Reply<MatchRecord>> } | null = null;

  constructor(core: Pick<MatchCore, 'ports' | 'id' | 'memory'>, open: MatchRpc['open']) {
    this.#core = core;
    this.#open = open;
  }

  /** Whoever asks while the match is being made gets the answer of the first. */
  async make(order: MatchOrder): Promise<Reply<MatchRecord>> {
    if (!this.#core.memory.isNew) {
      return this.#known(order);
    }
    if (this.#under !== null) {
      return this.#under.attempt.digest === order.digest ? this.#under.made : OTHER;
    }
    const attempt = { digest: order.digest, tickets: new Set<TicketId>(), isOff: false };
    const made = this.#make(order, attempt);
    this.#under = { attempt, made };
    try {
      return await made;
    } finally {
      this.#under = null;
    }
  }

  /** A lobby has waited long enough, and is free. */
  drop(ticketId: TicketId): void {
    const attempt = this.#under?.attempt;
    if (attempt?.tickets.has(ticketId)) {
      attempt.isOff = true;
    }
  }

  #known({ project, digest }: MatchOrder): Reply<MatchRecord> {
    const record = this.#core.memory.recordIn(project);
    return record?.digest === digest ? ok(record) : OTHER;
  }

  async #make(order: MatchOrder, attempt: Attempt): Promise<Reply<MatchRecord>> {
    const config = configOf(await this.#core.ports.document(order.project), order.config);
    const mode = own(config.matchmaking.modes, order.mode);
    if (mode === undefined) {
      return refusal('MODE_NOT_FOUND', `Config ${order.config} has no mode ${order.mode}`);
    }
    const found = (asked: readonly BookedOrNot[]): readonly Issue[] => {
      const now = this.#core.ports.now();
      return [...order.issues, ...refusals(asked), ...issuesOf(order, mode, bookedOf(asked), now)];
    };
    const isFounded = ({ founds }: NamedLobby): boolean => founds !== undefined;
    const there = order.lobbies.filter((each) => !isFounded(each));
    const asked = await this.#book(order, there, attempt);
    let issues = found(asked);
    if (issues.length === 0 && asked.every(({ reply }) => reply?.held)) {
      // Nobody gets a lobby for a match that cannot be.
      asked.push(...(await this.#book(order, order.lobbies.filter(isFounded), attempt)));
      issues = found(asked);
    }
    const booked = bookedOf(asked);
    if (issues.length === 0 && !attempt.isOff && booked.length === order.lobbies.length) {
      const made = { ...madeRoster(order, mode, booked), matchId: this.#core.id } satisfies Roster;
      if ((await this.#open({ ...made, modeRevision: config.revision })) === 'opened') {
        return this.#known(order);
      }
    }
    await this.#letGo(asked);
    const isSilent = attempt.isOff || asked.some(({ reply }) => reply === null);
    return isSilent || issues.length === 0
      ? refuse({ code: 'UNAVAILABLE', detail: 'A lobby did not answer', retryAfter: 1 })
      : refuse({ code: 'MATCH_NOT_MADE', detail: sentenceOf(issues), issues });
  }

  #book(order: MatchOrder, those: readonly NamedLobby[], attempt: Attempt): Promise<BookedOrNot[]> {
    const all = those.map(async (named): Promise<BookedOrNot> => {
      const ticketId = this.#core.ports.uuid() as TicketId;
      attempt.tickets.add(ticketId);
      const reply = await this.#ask(order, named, ticketId).catch((error: unknown) => {
        this.#core.ports.log('booking_unanswered', {
          matchId: this.#core.id,
          error: String(error),
        });
        return null;
      });
      return { named, ticketId, reply };
    });
    return Promise.all(all);
  }

  /** Throws if the lobby does not answer. */
  async #ask({ project, config, mode }: MatchOrder, named: NamedLobby, ticketId: TicketId) {
    const { ports, id: matchId } = this.#core;
    const { lobbyId, founds, rematch } = named;
    const lobby = () => ports.peers.lobby(lobbyId, founds?.region);
    const booking = { matchId, ticketId, seq: ports.now(), mode, ...present({ rematch }) };
    const book = (seq: number) =>
      within(ports, ANSWER_MS, lobby().book({ project, config }, { ...booking, seq }));
    if (founds !== undefined) {
      const founded = await within(ports, ANSWER_MS, lobby().create({ ...founds, booking }));
      if (!founded.ok) {
        return { held: false, why: founded.refusal.detail } as const;
      }
    }
    const reply = await book(booking.seq);
    // Another match has booked it before, by a clock that is ahead of this one.
    return reply.held || reply.above === undefined ? reply : book(reply.above + 1);
  }

  /** A lobby that does not hear it asks. */
  async #letGo(asked: readonly BookedOrNot[]): Promise<void> {
    const maybe = asked.filter(({ reply }) => reply?.held !== false);
    const told = maybe.map(({ named, ticketId }) =>
      this.#core.ports.peers.lobby(named.lobbyId).unbook({ matchId: this.#core.id, ticketId }),
    );
    await within(this.#core.ports, ANSWER_MS, Promise.allSettled(told)).catch(() => {});
  }
}

const OTHER = refusal('REF_EXISTS', 'This ref was used for another match');

function bookedOf(asked: readonly BookedOrNot[]): readonly Booked[] {
  return asked.flatMap(({ named, ticketId, reply }) =>
    reply?.held ? [{ ...reply, named, ticketId }] : [],
  );
}

function refusals(asked: readonly BookedOrNot[]): readonly Issue[] {
  return asked.flatMap(({ named: { path, players }, reply }) => {
    if (reply?.held !== false) {
      return [];
    }
    const who = players.length === 0 ? 'the lobby' : `the lobby of ${namesOf(players)}`;
    return [{ path, message: `${who} cannot be in it: ${reply.why}` }];
  });
}

function namesOf(players: readonly { readonly id: PlayerId }[]): string {
  return players.map(({ id }) => id).join(', ');
}

function sentenceOf([first, ...others]: readonly Issue[]): string {
  const more = others.length === 0 ? '' : `; and ${others.length} more`;
  return `${first?.path}: ${first?.message}${more}`;
}
