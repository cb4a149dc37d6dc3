// Quick joins, and joins by a key. The Directory is the arbiter: it chooses a lobby for one player after the other, each without an await, and brings
// the player there itself. Whoever is on the way has a place, and a lobby that is being founded counts like any other. All of
// this is in memory: a lobby that a quick join founds gets its code only while that quick join is under way (record 0061).

import type { LobbyId } from '../../common/ids';
import { within } from '../../common/later';
import { refuse } from '../../common/result';
import { overloaded, type RefusalCode, type Reply } from '../../lobby/refusals';
import { fits, type Findable } from '../../lobby/search';
import { viewForBrowsing, type LobbyView } from '../../lobby/view';
import type { DirectoryRow, KeyJoin, QuickJoin } from '../contracts/directory';
import type { ActorPorts } from '../contracts/actor-ports';
import type { CreateInput, JoinInput, LobbyRpc } from '../contracts/lobby';
import type { Listing } from './listing';
import type { Coded } from './views';

/** How many lobbies may be full, closed or gone by the time they are asked. */
const MOST_TRIES = 8;
/** Nobody has a place on the way, or waits for a lobby that is being founded, for longer. */
const ASKED_MS = 3_000;
/** The lobby does not take the player, another one may. */
const NEXT: readonly RefusalCode[] = ['LOBBY_FULL', 'LOBBY_NOT_ACCEPTING', 'LOBBY_NOT_FOUND'];

/** A lobby as it is known. Others wait until the one that is being founded is `made`, or cannot be. */
interface Choice extends Findable, Pick<LobbyView, 'id' | 'players'> {
  readonly matchId?: string | null;
  readonly made?: Promise<unknown>;
  readonly key?: string | undefined;
}

type AskLobby = (lobby: LobbyRpc) => Promise<Reply<LobbyView>>;

export class QuickJoins {
  readonly #ports: ActorPorts;
  readonly #listing: Listing;
  readonly #put: (row: DirectoryRow) => void;
  /** The last lobby that was founded for a key, unless it is known to be over. */
  readonly #ofKey: (key: string) => Coded | undefined;
  /** The lobbies that are being founded here. */
  readonly founded = new Map<string, Choice>();
  /** Who is on the way into each lobby. */
  readonly #coming = new Map<string, readonly string[]>();

  constructor(
    ports: ActorPorts,
    listing: Listing,
    put: (row: DirectoryRow) => void,
    ofKey: (key: string) => Coded | undefined,
  ) {
    this.#ports = ports;
    this.#listing = listing;
    this.#put = put;
    this.#ofKey = ofKey;
  }

  /** The lobby that is being founded for the key. */
  founding(key: string): readonly string[] {
    return [...this.founded.values()].flatMap((each) => (each.key === key ? [each.id] : []));
  }

  join(wanted: QuickJoin): Promise<Reply<LobbyView>> {
    return this.#tries<Choice | null>(NEXT, (tried) => {
      const choice = this.#choice(wanted, tried);
      const reply =
        choice === null
          ? this.#found(wanted.create)
          : this.#enter(choice.id, { ...wanted.create, byIdAlone: true, isQuick: true });
      return [choice, reply];
    });
  }

  joinByKey({ key, create }: KeyJoin): Promise<Reply<LobbyView>> {
    return this.#tries<Choice | Coded | undefined>(['LOBBY_NOT_FOUND'], (gone) => {
      const under = this.founded.values().find((each) => each.key === key);
      const coded = this.#ofKey(key);
      const id = under?.id ?? coded?.lobbyId;
      const reply =
        id !== undefined && !gone.has(under ?? coded)
          ? this.#enter(id, { ...create, byIdAlone: false })
          : this.#found({ ...create, key });
      return [under ?? coded, reply];
    });
  }

  /** Tries one lobby after the other while they refuse with one of `next`. One that was founded anew since, or has changed, is another. */
  async #tries<Lobby>(
    next: readonly RefusalCode[],
    ask: (tried: ReadonlySet<Lobby>) => readonly [Lobby, Promise<Reply<LobbyView>>],
  ): Promise<Reply<LobbyView>> {
    const tried = new Set<Lobby>();
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const [lobby, asked] = ask(tried);
      const reply = await asked;
      if (reply.ok || !next.includes(reply.refusal.code)) {
        return reply;
      }
      tried.add(lobby);
    }
    return refuse(overloaded(this.#ports.random()));
  }

  /** Null: no lobby that fits has a place. */
  #choice({ sought, create }: QuickJoin, tried: ReadonlySet<Choice | null>): Choice | null {
    const passes = (each: Choice): boolean => {
      const { id, players, maxPlayers, currentPlayers, matchId = null } = each;
      const there = new Set<string>(players.map((one) => one.id));
      const coming = new Set(this.#coming.get(id)).difference(there);
      // In a match there is no seat for who comes late (decision 69).
      const isFit = !tried.has(each) && matchId === null;
      return isFit && maxPlayers - currentPlayers - coming.size >= sought.places;
    };
    return (
      this.#listing.fullest({ ...sought, region: create.region }, passes) ??
      this.#listing.fullest(sought, passes) ??
      this.founded
        .values()
        .find((each) => each.key === undefined && fits(each, sought) && passes(each)) ??
      null
    );
  }

  async #enter(id: string, input: JoinInput): Promise<Reply<LobbyView>> {
    const { player } = input;
    const coming = (): readonly string[] => this.#coming.get(id) ?? [];
    this.#coming.set(id, [...coming(), player]);
    try {
      await Promise.allSettled([this.founded.get(id)?.made]);
      const reply = await this.#ask(id, (lobby) => lobby.join(input));
      if (reply.ok && !reply.value.isPrivate) {
        // From now on the row counts the player.
        const { revision } = reply.value;
        this.#put({ lobbyId: id as LobbyId, revision, view: viewForBrowsing(reply.value) });
      }
      return reply;
    } finally {
      const left = coming().toSpliced(coming().indexOf(player), 1);
      this.#coming.set(id, left);
      if (left.length === 0) {
        this.#coming.delete(id);
      }
    }
  }

  async #found(create: CreateInput): Promise<Reply<LobbyView>> {
    const { id } = create;
    const asking: AskLobby = (lobby) => lobby.create({ ...create, isQuick: true });
    const made = this.#ask(id, asking, create.region);
    const alone = { status: 'waiting', currentPlayers: 1, players: [] } as const;
    this.founded.set(id, { ...create, ...alone, made });
    try {
      return await made;
    } finally {
      this.founded.delete(id);
    }
  }

  /** Asks a lobby that fails once more: it may have died, and to join and to create are idempotent. */
  #ask(id: string, ask: AskLobby, region?: string): ReturnType<AskLobby> {
    const once = () => ask(this.#ports.peers.lobby(id as LobbyId, region));
    return within(this.#ports, ASKED_MS, once().catch(once));
  }
}
