// The client of one player. It finds the lobby as the Worker does, and retries after failures of
// the platform.

import type { LobbyId, PlayerId } from '../../src/common/ids';
import type { Command } from '../../src/lobby/command';
import type { Reply } from '../../src/lobby/refusals';
import type { LobbyView } from '../../src/lobby/view';
import type { Peers } from '../../src/objects/contracts/peers';
import type { LobbyAnswer } from '../../src/objects/contracts/lobby';
import type { Always } from './always';
import { answerOf, asked, askingOf } from './history';
import type { Ledger } from './ledger';
import type { Listener } from './listener';
import { Broken } from './parts';
import type { Random } from './random';
import { CONFIG, type Scenario } from './scenario';
import type { World } from './world';

export interface Crowd {
  readonly world: World;
  readonly random: Random;
  readonly ledger: Ledger;
  readonly always: Always;
  readonly scenario: Scenario;
  readonly listeners: Set<Listener>;
}

/** Like the Worker, retries idempotent calls after failures of the platform. */
const ATTEMPTS = 3;

export async function retrying<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof Broken)) {
        throw error;
      }
    }
  }
}

export class SimClient {
  readonly id: PlayerId;
  readonly peers: Peers;
  readonly #crowd: Crowd;
  /** The lobby in which it last found itself, and its state then. */
  lobby: LobbyId | null = null;
  view: LobbyView | null = null;

  constructor(id: PlayerId, crowd: Crowd) {
    this.id = id;
    this.#crowd = crowd;
    this.peers = crowd.world.peersOf(crowd.world.client(id));
  }

  /** The answer to a create or a join. `mark`: the ledger's mark from the time of sending. */
  came(reply: Reply<LobbyView>, mark: number): void {
    if (reply.ok) {
      const id = reply.value.id as LobbyId;
      this.lobby = id;
      this.view = reply.value;
      if (reply.value.as === undefined) {
        this.#crowd.ledger.joined(this.id, id, mark);
      }
    } else if (reply.refusal.code === 'ALREADY_IN_LOBBY') {
      this.#crowd.world.journal.count('already elsewhere');
    }
  }

  forget(lobby: LobbyId | null): void {
    if (this.lobby === lobby) {
      this.lobby = null;
      this.view = null;
    }
  }

  /** The remembered lobby, or else the one of the seat, also in the config that it has moved to. */
  async #inLobby<T>(
    ask: (id: LobbyId, under: string) => Promise<Reply<T>>,
    under: string = CONFIG,
  ): Promise<Reply<T> | null> {
    const hint = this.lobby;
    if (hint !== null) {
      const reply = await ask(hint, under);
      if (reply.ok || reply.refusal.code !== 'LOBBY_NOT_FOUND') {
        return reply;
      }
      this.forget(hint);
    }
    const { project } = this.#crowd.world;
    const id = await retrying(() => this.peers.seat(project, under, this.id).where(this.id));
    if (id === null) {
      return null;
    }
    const reply = id === hint ? null : await ask(id, under);
    if (reply?.ok === true || (reply !== null && reply.refusal.code !== 'LOBBY_NOT_FOUND')) {
      this.lobby = id;
      return reply;
    }
    const site = { project, config: under };
    const to = await retrying(() => this.peers.lobby(id).movedTo(site, this.id));
    if (to !== null) {
      this.#crowd.world.journal.count('happened: a player follows a lobby that has moved');
      return this.#inLobby(ask, to);
    }
    return reply;
  }

  async read(): Promise<void> {
    const before = this.view;
    const reply = await asked(
      this.#crowd.world.history,
      { who: this.id, does: `GET /v3/lobbies/${CONFIG}/me` },
      {
        ask: () =>
          this.#inLobby((id, under) =>
            retrying(() => this.peers.lobby(id).read(this.id, false, under)),
          ),
        answer: (seen) => answerOf(seen, ({ lobby }) => lobby),
      },
    );
    if (reply?.ok === true) {
      const { lobby: value } = reply.value;
      this.#crowd.world.journal.check(
        before?.id !== value.id || before.as !== value.as || before.revision <= value.revision,
        () => `${this.id} saw revision ${before?.revision} of ${value.id}, then ${value.revision}`,
      );
      this.view = value;
    }
  }

  /** The outcome of a request. Null: the player is in no lobby. */
  async execute(command: Command): Promise<Reply<LobbyAnswer> | null> {
    const again = command.type === 'patch_state' || command.type === 'heartbeat';
    const carryOut = (id: LobbyId, under: string): Promise<Reply<LobbyAnswer>> => {
      // It is whichever lobby the player is in by now: a join that was given up may have been carried out.
      if (command.type === 'leave' && !this.#crowd.ledger.mayLeave(this.id, id)) {
        this.#crowd.ledger.removalAsked(this.id, id);
      }
      const ask = () => this.peers.lobby(id).execute({ ...command, under });
      return again ? retrying(ask) : ask();
    };
    const reply = await asked(this.#crowd.world.history, askingOf(CONFIG, command), {
      ask: () => this.#inLobby(carryOut),
      answer: (done) => answerOf(done, ({ lobby }) => lobby ?? { status: 'lobby_deleted' }),
    });
    const outcome = reply === null ? 'no lobby' : reply.ok ? 'done' : reply.refusal.code;
    this.#crowd.world.journal.count(`${command.type}: ${outcome}`);
    if (reply?.ok === true) {
      const { lobby } = reply.value;
      this.#crowd.world.journal.check(
        lobby?.as !== 'spectator' || ['leave', 'heartbeat'].includes(command.type),
        () => `${this.id} only watched ${lobby?.id}, and was granted ${command.type}`,
      );
      this.view = reply.value.lobby;
    }
    return reply;
  }

  /** The lobby after the request, if the request was carried out and the lobby still exists. */
  async command(command: Command): Promise<LobbyView | null> {
    const reply = await this.execute(command);
    return reply?.ok === true ? reply.value.lobby : null;
  }
}
