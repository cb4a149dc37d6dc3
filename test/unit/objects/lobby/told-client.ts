// A client of a lobby's stream as the tests of changes have it: it keeps what it was shown, and applies operations by an
// implementation of RFC 6902 of its own.

import type { LobbyOperation } from '../../../../packages/js/src/change-types';
import { withOperations } from '../../../../packages/js/src/operations';
import type { Heard, Message } from '../../../../src/common/line';
import type { Lobby } from '../../../../src/lobby/lobby';
import { seatOf, viewForStrangers, type LobbyView, type Seat } from '../../../../src/lobby/view';

/** What the player is shown: the view, and in a game a ticket that says which seat it is for. */
export function shownTo(lobby: Lobby, view: LobbyView, who: string): LobbyView {
  const seat = seatOf(lobby, who);
  const seen = seat?.late === true ? viewForStrangers(view) : view;
  return seat === null || seen.server === null
    ? seen
    : { ...seen, server: { ...seen.server, ticket: JSON.stringify(seat) } };
}

/** What a relay does with a message: as `messageWithTicket` in src/http/identity/seat-tickets.ts, with such a ticket. */
function relayed({ data, seat }: Message): unknown {
  if (seat === undefined || seat.at === null) {
    return JSON.parse(data);
  }
  const of = seat.of as Seat;
  const ticket = JSON.stringify(of);
  const told = JSON.parse(
    `${data.slice(0, seat.at)},"ticket":${JSON.stringify(ticket)}${data.slice(seat.at)}`,
  ) as LobbyView & { readonly ops?: readonly (LobbyOperation & { value: LobbyView['server'] })[] };
  if (!of.late) {
    return told;
  }
  const less = (server: LobbyView['server']): LobbyView['server'] =>
    viewForStrangers({ server } as LobbyView).server;
  const ops = told.ops?.map((op) =>
    op.path === '/server' ? { ...op, value: less(op.value) } : op,
  );
  return ops ? { ...told, ops } : { ...told, server: less(told.server) };
}

type Node = Record<string, unknown> | unknown[];

/** RFC 6902 as it is written: in place, one step of the pointer after the other. */
function patched(document: object, ops: readonly LobbyOperation[]): object {
  const copy = structuredClone(document) as Node;
  for (const op of ops) {
    const keys = op.path
      .split('/')
      .slice(1)
      .map((each) => each.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = keys.pop() ?? '';
    let at = copy;
    for (const key of keys) {
      at = Object.entries(at).find(([name]) => name === key)?.[1] as Node;
    }
    if (Array.isArray(at)) {
      const index = last === '-' ? at.length : Number(last);
      const values = 'value' in op ? [op.value] : [];
      at.splice(index, op.op === 'add' ? 0 : 1, ...values);
    } else if (op.op === 'remove') {
      if (!Object.hasOwn(at, last)) {
        throw new Error(`there is no ${op.path} to remove`);
      }
      Reflect.deleteProperty(at, last);
    } else {
      if (op.op === 'replace' && !Object.hasOwn(at, last)) {
        throw new Error(`there is no ${op.path} to replace`);
      }
      const how = { value: op.value, writable: true, enumerable: true, configurable: true };
      Object.defineProperty(at, last, how);
    }
  }
  return copy;
}

export class Client {
  readonly who: string;
  readonly changes: boolean;
  known: LobbyView | null;
  isOpen = true;
  #hasHeard = false;
  /** The status of each state that it was shown. */
  readonly statuses: string[] = [];
  /** Each state that it was shown without a seat of its own, which is what others are shown as well. */
  readonly views = new Map<number, LobbyView>();
  readonly shown: { readonly at: number; readonly revision: number }[] = [];
  readonly events: {
    readonly at: number;
    readonly event: string;
    readonly kind: string;
    readonly bytes: number;
  }[] = [];

  constructor(who: string, changes: boolean, known: LobbyView | null = null) {
    this.who = who;
    this.changes = changes;
    this.known = known;
  }

  hear(heard: Heard, at: number): void {
    if (typeof heard === 'string') {
      this.isOpen = false;
      return;
    }
    const { event, id, data, seat } = heard;
    const isFirst = !this.#hasHeard && event === 'lobby_changed';
    this.#hasHeard = true;
    const late = seat !== undefined && (seat.of as Seat).late;
    const kinds = [
      isFirst && 'resumed',
      seat && (late ? 'late' : seat.at === null ? 'kept' : 'seated'),
    ];
    const kind = kinds.filter(Boolean).join(' ');
    this.events.push({ at, event, kind, bytes: data.length });
    const told = relayed(heard);
    if (event === 'connected' || event === 'lobby_updated') {
      this.known = told as LobbyView;
    } else if (event === 'lobby_changed') {
      const change = told as { revision: number; from: number; ops: readonly LobbyOperation[] };
      const { known } = this;
      if (!this.changes || known?.revision !== change.from || id !== change.revision) {
        throw new Error(`${this.who} has ${known?.revision}, and was told ${data.slice(0, 60)}`);
      }
      this.known = patched(known, change.ops) as LobbyView;
      if (JSON.stringify(withOperations(known, change.ops)) !== JSON.stringify(this.known)) {
        throw new Error(`the client applies ${data} otherwise`);
      }
      if (this.known.revision !== change.revision) {
        throw new Error(`the operations lead to ${this.known.revision}: ${data.slice(0, 60)}`);
      }
    } else {
      return;
    }
    if (this.known !== null) {
      this.statuses.push(this.known.status);
      this.shown.push({ at, revision: this.known.revision });
      if (seat === undefined) {
        this.views.set(this.known.revision, this.known);
      }
    }
  }
}
