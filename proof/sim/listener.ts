// A player's end of an event stream: revisions only rise, and the last one is the lobby's.

import type { LobbyChange } from '../../packages/js/src/change-types';
import { withOperations } from '../../packages/js/src/operations';
import type { LobbyId, PlayerId } from '../../src/common/ids';
import type { Signals } from './always-signals';
import type { Journal } from './journal';
import type { Heard, Message } from '../../src/common/line';
import type { LobbyView } from '../../src/lobby/view';
import type { FarEnd } from '../../src/objects/kit/ports';

export class Listener {
  readonly player: PlayerId;
  readonly lobby: LobbyId;
  readonly #journal: Journal;
  #revision = 0;
  #lobby: LobbyView | null = null;
  #isOpen = true;

  readonly #line: FarEnd;

  constructor(
    line: FarEnd,
    of: {
      player: PlayerId;
      lobby: LobbyId;
      journal: Journal;
      hear?: ((heard: Heard) => void) | undefined;
      signals: Signals;
    },
  ) {
    this.player = of.player;
    this.lobby = of.lobby;
    this.#journal = of.journal;
    this.#line = line;
    line.listen(
      (heard) => {
        of.hear?.(heard);
        of.signals.heard(of.player, of.lobby, heard);
        this.#take(heard);
      },
      () => {
        this.#isOpen = false;
      },
    );
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The newest state of the lobby that it was shown. */
  get revision(): number {
    return this.#revision;
  }

  leave(): void {
    this.#isOpen = false;
    void this.#line.hangUp();
  }

  /** The lobby that it was shown, whole or by changes. Null: none yet. */
  get shown(): LobbyView | null {
    return this.#lobby;
  }

  #show({ event, data }: Message): void {
    if (event === 'lobby_changed') {
      const { from, ops } = JSON.parse(data) as LobbyChange;
      const before = this.#lobby;
      this.#journal.check(
        before?.revision === from,
        () => `the stream of ${this.player} showed ${before?.revision}, and a change from ${from}`,
      );
      this.#lobby = before && withOperations(before, ops);
      this.#journal.count('changes applied');
    } else if (event === 'connected' || event === 'lobby_updated') {
      this.#lobby = JSON.parse(data) as LobbyView;
    }
  }

  #take(heard: Heard): void {
    if (typeof heard === 'string') {
      this.#isOpen = false;
    } else if (heard.id !== null) {
      const { id } = heard;
      this.#show(heard);
      this.#journal.check(
        id >= this.#revision,
        () => `the stream of ${this.player} went back from ${this.#revision} to ${id}`,
      );
      this.#revision = id;
    }
  }
}
