// The states of a lobby as messages: the whole lobby, or for a stream that asked for changes the operations since the state
// that it was shown last (decision 75). A message is made once for all players who are shown the same.

import type { PlayerId } from '../../common/ids';
import { message, QUEUES_APART, type Message } from '../../common/line';
import { MAX_MISSED_BYTES } from '../../common/limits';
import { singleLine } from '../../common/sse';
import { writtenBytes } from '../../lobby/change';
import type { Lobby } from '../../lobby/lobby';
import { operationsBetween } from '../../lobby/operations';
import { queuesOf } from '../../lobby/tickets';
import { isIn } from '../../lobby/spectators';
import { seatOf, type LobbyView, type Seat } from '../../lobby/view';
import type { ActorPorts } from '../contracts/actor-ports';
import type { RelayLine } from '../kit/ports';
import type { Shown } from './waiting';

/** How many states are kept for clients that reconnect with the last revision they saw. */
const RING_SIZE = 32;
/** A player's ticket is younger than this when it is shown, and a change that leaves the server out shows none. */
const TICKET_SHOWN_MS = 5 * 60_000;
/** After `/server` in the data of a change: the ends of the block, of the operation, of the list and of the data. */
const AFTER_BLOCK = '}}]}'.length;

/** A state as a stream was shown it. */
interface SeenState {
  readonly lobby: Lobby;
  readonly view: LobbyView;
  /** When the server was shown, epoch ms. */
  readonly serverAt: number;
}

/** A kept state. `view`: as streams were shown it. Undefined: to none yet; null: not to all the same. */
interface KeptState {
  readonly lobby: Lobby;
  view: LobbyView | null | undefined;
}

interface Changed {
  readonly text: Message;
  readonly hasServer: boolean;
}

/** What a class of listeners is shown. */
export interface Audience {
  viewOf(lobby: Lobby): LobbyView;
  seatOf(lobby: Lobby, player: string): Seat | null;
  /** The queues whose statistics they hear, first the first. Null: none. */
  queueOf(lobby: Lobby): string | null;
}

/** The players of a lobby. */
export const playersWhoSee = (viewOf: Audience['viewOf']): Audience => ({
  viewOf,
  seatOf,
  queueOf,
});

export class ShownStates {
  readonly #now: () => number;
  readonly #audience: Audience;
  /** The lobby's last states. They share unchanged players, so old states cost little memory. */
  readonly #ring: KeptState[] = [];
  readonly #seen = new WeakMap<RelayLine, SeenState>();
  /** The messages of the state that was shown last: whole by event, and as changes by the view before. */
  readonly #whole = new Map<string, Message>();
  readonly #changes = new Map<LobbyView, Changed | null>();
  #of: LobbyView | null = null;

  constructor(ports: Pick<ActorPorts, 'now'>, audience: Audience) {
    this.#now = () => ports.now();
    this.#audience = audience;
  }

  keep(lobby: Lobby): void {
    this.#ring.push({ lobby, view: undefined });
    if (this.#ring.length > RING_SIZE) {
      this.#ring.shift();
    }
  }

  forget(): void {
    this.#ring.length = 0;
  }

  /** The states after that revision, oldest first. None unless all of them are kept and not too large. */
  after(revision: number, lobby: Lobby): readonly Lobby[] {
    const later = this.#ring.map((each) => each.lobby).filter((each) => each.revision > revision);
    const isWhole = later[0]?.revision === revision + 1 || revision === lobby.revision;
    const bytes = later.reduce((sum, each) => sum + writtenBytes(each), 0);
    return isWhole && bytes <= MAX_MISSED_BYTES ? later : [];
  }

  /** Whether the line's client was shown this state, or a newer one. */
  hasSeen(line: RelayLine, lobby: Lobby): boolean {
    return (this.#seen.get(line)?.lobby.revision ?? 0) >= lobby.revision;
  }

  /**
   * The line's client has the state of that revision of this lobby, as an earlier stream showed it: while this memory has
   * lasted, and to everybody the same. If that is known, changes can follow. A seat needs a new ticket.
   */
  resume(line: RelayLine, revision: number, lobby: Lobby): void {
    const kept = this.#ring.find((each) => each.lobby.revision === revision);
    // A player who was kicked then has seen less of the server.
    const wasMember = kept && isIn(kept.lobby, line.player as PlayerId);
    const seatIn = (each: Lobby | undefined) => each && this.#audience.seatOf(each, line.player);
    const isSeated = [lobby, kept?.lobby].some(seatIn);
    if (kept?.view && wasMember && !isSeated) {
      this.#seen.set(line, { lobby: kept.lobby, view: kept.view, serverAt: this.#now() });
    }
  }

  /** The message that shows the line this state. `isNoted`: it counts as shown from now on. */
  next(line: RelayLine, said: Shown, isNoted: boolean): Message {
    const { lobby } = said;
    const view = this.#view(lobby);
    const last = line.changes ? this.#seen.get(line) : undefined;
    const change = last === undefined ? null : this.#change(line, last, { lobby, view });
    if (isNoted) {
      const serverAt = change?.hasServer === false ? (last?.serverAt ?? 0) : this.#now();
      this.#seen.set(line, { lobby, view, serverAt });
    }
    const seat = this.#audience.seatOf(lobby, line.player);
    return change?.text ?? seated(this.#wholeOf(said, view), view, seat);
  }

  #view(lobby: Lobby): LobbyView {
    const view = this.#audience.viewOf(lobby);
    if (this.#of !== view) {
      this.#of = view;
      this.#whole.clear();
      this.#changes.clear();
      const kept = this.#ring.findLast((each) => each.lobby.revision === lobby.revision);
      if (kept !== undefined) {
        const { view: before = view } = kept;
        const isSame =
          before !== null && (before === view || operationsBetween(before, view)?.length === 0);
        kept.view = isSame ? before : null;
      }
    }
    return view;
  }

  /** The state as a message. A state has the same text in every event. */
  #wholeOf({ event, lobby }: Shown, view: LobbyView): Message {
    const known = this.#whole.get(event);
    const [other] = this.#whole.values();
    const queue = this.#audience.queueOf(lobby);
    const made = known ?? (other ? { ...other, event } : wholeOf({ event, lobby, queue }, view));
    this.#whole.set(event, made);
    return made;
  }

  /** Null: the whole lobby is shorter, or the player's seat needs it. */
  #change(
    line: RelayLine,
    last: SeenState,
    { lobby, view }: Omit<SeenState, 'serverAt'>,
  ): Changed | null {
    const known = this.#changes.get(last.view);
    const made = known === undefined ? this.#changed(last.view, view, lobby) : known;
    this.#changes.set(last.view, made);
    const seat = this.#audience.seatOf(lobby, line.player);
    const was = this.#audience.seatOf(last.lobby, line.player);
    if (made === null || (seat === null && was === null)) {
      return made;
    }
    if (!made.hasServer) {
      const isOld = this.#now() - last.serverAt > TICKET_SHOWN_MS;
      if (isOld || JSON.stringify(seat) !== JSON.stringify(was)) {
        return null;
      }
    }
    const at = made.hasServer ? made.text.data.length - AFTER_BLOCK : null;
    return seat === null ? made : { ...made, text: { ...made.text, seat: { at, of: seat } } };
  }

  #changed(from: LobbyView, to: LobbyView, lobby: Lobby): Changed | null {
    const ops = operationsBetween(from, to);
    if (ops === null) {
      return null;
    }
    const { revision } = lobby;
    const change = { revision, from: from.revision, ops };
    const queue = this.#audience.queueOf(lobby);
    const text = message('lobby_changed', change, { id: revision, queue });
    const said = { kind: 'lobby', event: 'lobby_updated', lobby } as const;
    const { length } = text.data;
    // To write the whole lobby only to compare would cost more than it saves.
    return length > writtenBytes(lobby) && length > this.#wholeOf(said, to).data.length
      ? null
      : { text, hasServer: ops.at(-1)?.path === '/server' };
  }
}

function queueOf({ search }: Lobby): string | null {
  return search && (queuesOf(search).join(QUEUES_APART) || null);
}

export function wholeOf(
  {
    event,
    lobby,
    queue = queueOf(lobby),
  }: Pick<Shown, 'event' | 'lobby'> & { readonly queue?: string | null },
  view: LobbyView,
): Message {
  return message(event, view, { id: lobby.revision, queue });
}

/** Adds the player's seat in the game to the message of a whole lobby, if it shows a game. */
function seated(text: Message, { server: block }: LobbyView, seat: Seat | null): Message {
  if (seat === null || block === null) {
    return text;
  }
  let at = places.get(text);
  if (at === undefined) {
    const server = `"server":${singleLine(block)}`;
    // From the end: text that players wrote and that looks the same comes earlier.
    at = text.data.lastIndexOf(server) + server.length - 1;
    places.set(text, at);
  }
  return { ...text, seat: { at, of: seat } };
}

/** Where the player's ticket is inserted into a text that many players share. */
const places = new WeakMap<Message, number>();
