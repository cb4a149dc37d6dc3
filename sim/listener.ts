// A player's end of an event stream: revisions only rise, and the last one is the lobby's.

import type { LobbyId, PlayerId } from '../src/ids';
import type { Journal } from './journal';
import type { SimReader } from './stream';

export class Listener {
  readonly player: PlayerId;
  readonly lobby: LobbyId;
  readonly #journal: Journal;
  #revision = 0;
  #isOpen = true;

  constructor(reader: SimReader, of: { player: PlayerId; lobby: LobbyId; journal: Journal }) {
    this.player = of.player;
    this.lobby = of.lobby;
    this.#journal = of.journal;
    reader.listen(
      (text) => this.#take(text),
      () => this.leave(),
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
  }

  #take(text: string): boolean {
    if (!this.#isOpen) {
      return false;
    }
    for (const [, id] of text.matchAll(/^id: (\d+)$/gm)) {
      const revision = Number(id);
      this.#journal.check(
        revision >= this.#revision,
        () => `the stream of ${this.player} went back from ${this.#revision} to ${revision}`,
      );
      this.#revision = revision;
    }
    return true;
  }
}
