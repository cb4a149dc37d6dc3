// A player's end of an event stream: revisions only rise, and the last one is the lobby's.

import type { LobbyId, PlayerId } from '../../src/common/ids';
import type { Signals } from './always-signals';
import type { Journal } from './journal';
import type { Heard } from '../../src/common/line';
import type { FarEnd } from '../../src/objects/kit/ports';

export class Listener {
  readonly player: PlayerId;
  readonly lobby: LobbyId;
  readonly #journal: Journal;
  #revision = 0;
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

  #take(heard: Heard): void {
    if (typeof heard === 'string') {
      this.#isOpen = false;
    } else if (heard.id !== null) {
      const { id } = heard;
      this.#journal.check(
        id >= this.#revision,
        () => `the stream of ${this.player} went back from ${this.#revision} to ${id}`,
      );
      this.#revision = id;
    }
  }
}
