// The state that all players, the killer and the checker of one torture share.

import type { EventEmitter } from 'node:events';

import { Player } from '../../scripts/player.ts';
import type { Facts } from './facts.ts';
import { OPERATOR } from './history.ts';
import type { History } from './history.ts';
import type { Images } from './images.ts';
import type { Log } from './log.ts';
import type { Declined, ServerRow } from './rows.ts';

/** A lobby someone may try to join. */
export interface Invitation {
  readonly config: string;
  readonly id: string;
  readonly code: string;
}

const MOST_INVITATIONS = 60;

/** The newest invitations; old ones are forgotten, deleted lobbies included. */
export class Board {
  #invitations: readonly Invitation[] = [];

  post(invitation: Invitation): void {
    const others = this.#invitations.filter(({ id }) => id !== invitation.id);
    this.#invitations = [...others.slice(1 - MOST_INVITATIONS), invitation];
  }

  of(config: string): readonly Invitation[] {
    return this.#invitations.filter((each) => each.config === config);
  }
}

/** Resolves while the service is up. */
export class Gate {
  #isOpen = true;
  #waiting: (() => void)[] = [];

  get isOpen(): boolean {
    return this.#isOpen;
  }

  open(): void {
    this.#isOpen = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    waiting.forEach((resume) => resume());
  }

  close(): void {
    this.#isOpen = false;
  }

  async passed(): Promise<void> {
    while (!this.#isOpen) {
      await new Promise<void>((resume) => this.#waiting.push(resume));
    }
  }
}

export interface Tally {
  asked: number;
  done: number;
  refused: number;
  lost: number;
  kills: number;
  serverKills: number;
  /** Of those, in containers. */
  containerKills: number;
  /** Servers that the agent began to start in a container. */
  containers: number;
  agentKills: number;
  events: number;
  streams: number;
}

export function newTally(): Tally {
  return {
    asked: 0,
    done: 0,
    refused: 0,
    lost: 0,
    kills: 0,
    serverKills: 0,
    containerKills: 0,
    containers: 0,
    agentKills: 0,
    events: 0,
    streams: 0,
  };
}

export interface World {
  readonly url: string;
  readonly serverKey: string;
  readonly log: Log;
  readonly facts: Facts;
  readonly board: Board;
  readonly up: Gate;
  readonly tally: Tally;
  /** By kind and answer: `join 200`, `queue ALREADY_IN_QUEUE`. */
  readonly answers: Map<string, number>;
  /** Servers that direct starts were acknowledged with. */
  readonly started: { readonly lobby: string; readonly instance: string }[];
  /** Servers whose end was acknowledged. */
  readonly ended: { readonly lobby: string; readonly instance: string }[];
  /** Custom data of servers that lists leave out, by instance. */
  readonly launchedWith: Map<string, ServerRow['custom_data']>;
  /** Servers that have stopped, as they were last listed, by instance. */
  readonly stopped: Map<string, ServerRow>;
  /** Declines that were acknowledged. */
  readonly declined: Declined[];
  /** What clients see is written there, if anywhere. */
  readonly history: History | null;
  /** Says the kind of each request as it leaves, and `launch` as the agent starts a server: the killer prefers to strike just then. */
  readonly asked: EventEmitter;
  /** Some servers run in containers. */
  readonly images: Images | null;
  /**
   * Of two instances there may be none that serves: reads too may be answered 503, and the other carries out for so long, in
   * milliseconds, what it was given for the one that is gone. 0: there is one instance.
   */
  readonly lateMs: number;
}

export function operatorOf({ url, serverKey }: Pick<World, 'url' | 'serverKey'>): Player {
  return new Player(url, OPERATOR, serverKey);
}
