// A Directory object: holds the invite codes of a config's live lobbies, each code once, and the rows that
// browsing shows. The lobbies push their rows with a revision, and an older row never overwrites a newer one. If a
// lobby stays silent after it got its code, the Directory asks whether it exists.

import type { Census } from '../../../packages/js/src/dashboard-types';
import type { LobbyPage } from '../../../packages/js/src/types';
import type { LobbyId, MemberId } from '../../common/ids';
import { codeAt, codeSpace, normalCode, randomCode, SEARCHED_SPACE } from '../../lobby/codes';
import type { InviteCodeConfig } from '../../lobby/config';
import type { Status } from '../../lobby/lobby';
import { overloaded, refusal, type Reply } from '../../lobby/refusals';
import { cursorOf } from '../../lobby/search';
import type { LobbyView } from '../../lobby/view';
import { MAX_PAGE_BYTES, NEW_WORK_LIMIT_MS } from '../../common/limits';
import { must, ok, refuse } from '../../common/result';
import { sseBytes } from '../../common/sse';
import { Alarm } from '../kit/alarm';
import type {
  BrowseQuery,
  DirectoryRow,
  DirectoryRpc,
  Founding,
  Guess,
  KeyJoin,
  QuickJoin,
} from '../contracts/directory';
import { Agenda } from '../kit/agenda';
import { Gathered } from '../kit/gathered';
import type { ActorPorts } from '../contracts/actor-ports';
import type { FarEnd } from '../kit/ports';
import { Guesses } from './guesses';
import { Listing } from './listing';
import { Lately } from '../kit/lately';
import { QuickJoins } from './quick';
import { Watched } from '../kit/listeners';
import { kept, ViewPages, withCode, type Coded, type KeptView, type Listed } from './views';
import { PRIVATE_IDS } from '../contracts/reports';

const ROW = 'row:';
const RANDOM_TRIES = 24;
const PLAYERS_LIKE = 10;
/** A lobby is founded within a moment of getting its code. After this time the Directory asks whether it exists. */
const UNCONFIRMED_MS = 60_000;
const ASK_AGAIN_MS = 30_000;

export class DirectoryActor implements DirectoryRpc {
  readonly #ports: ActorPorts;
  readonly #alarm: Alarm;
  /** The write batcher. Memory is ahead of storage by its rows. */
  readonly #gathered: Gathered;
  readonly #views: ViewPages;
  readonly #watched: Watched;
  readonly #codes = new Map<string, LobbyId>();
  /** Of the last lobby that was founded for each key. It may be over, if its end was not told yet. */
  readonly #keys = new Map<string, Coded>();
  /** When to ask each lobby whose code is not confirmed. */
  readonly #asked = new Agenda();
  /** Oldest first. */
  readonly #rows = new Map<LobbyId, KeptView>();
  readonly #listing = new Listing(this.#rows);
  readonly #quick: QuickJoins;
  readonly #removed: Lately<MemberId>;
  readonly #over: Lately<LobbyId>;
  readonly #guesses = new Guesses();

  constructor(ports: ActorPorts) {
    this.#ports = ports;
    this.#alarm = new Alarm(ports, () => [this.#asked.nextAt]);
    this.#gathered = new Gathered(ports);
    this.#watched = new Watched(ports);
    this.#quick = new QuickJoins(
      ports,
      this.#listing,
      (row) => void this.put(row),
      (key) => this.#keys.get(key),
    );
    this.#removed = new Lately(() => ports.now());
    this.#over = new Lately(() => ports.now());
    this.#views = new ViewPages(this.#gathered, (id) => this.#rows.get(id));
    const own = Array.from(ports.store.list<Listed>(ROW), ([, row]) => kept(row));
    const rows = this.#views.newest(ports.store, own);
    rows.sort((a, b) => (a.view?.createdAt ?? '').localeCompare(b.view?.createdAt ?? ''));
    rows.forEach((row) => this.#keep(row));
  }

  #keep(row: KeptView): void {
    const { lobbyId, coded } = row;
    this.#rows.set(lobbyId, row);
    this.#listing.changed(lobbyId);
    if (coded !== undefined) {
      this.#codes.set(normalCode(coded.code), lobbyId);
      const { keyed } = coded;
      if (keyed !== undefined && keyed.n >= this.#newest(keyed.key)) {
        this.#keys.set(keyed.key, coded);
      }
      this.#askLater(row, coded.at + UNCONFIRMED_MS);
    }
  }

  #codeOf(lobbyId: LobbyId): Coded | undefined {
    return this.#rows.get(lobbyId)?.coded;
  }

  /** Saves the lobby's code with its newest row, which may be new. Resolves when it is written. */
  #save(coded: Coded, row?: DirectoryRow): Promise<void> {
    const { lobbyId } = coded;
    const known = this.#rows.get(lobbyId);
    const isNew = row !== undefined && row.revision >= (known?.revision ?? 0);
    const { revision = 0, view = null } = (isNew ? row : known && this.#whole(known)) ?? {};
    const listed = { lobbyId, revision, view, coded };
    this.#keep(kept(listed));
    this.#views.drop(lobbyId);
    if (isNew) {
      this.#watched.changed();
    }
    return this.#gathered.put(ROW + lobbyId, listed);
  }

  /** The row, of which memory may hold a part. */
  #whole(row: KeptView): Listed | undefined {
    return row.isWhole ? row : this.#gathered.get<Listed>(ROW + row.lobbyId);
  }

  /** Saves as `#save` does, but writes at once what it gathered, because somebody waits for the code. */
  #saveNow(coded: Coded, row?: DirectoryRow): void {
    void this.#save(coded, row);
    this.#gathered.writeNow();
    this.#alarm.arm();
  }

  #askLater({ lobbyId, revision, coded }: Listed, at: number): void {
    if (coded?.unsure === true || revision <= (coded?.first ?? 0)) {
      this.#asked.set(lobbyId, at);
    } else {
      this.#asked.delete(lobbyId);
    }
  }

  async allocate(founding: Founding, config: InviteCodeConfig | null, row?: DirectoryRow) {
    const { lobbyId, by, isQuick = false, key, code: wanted } = founding;
    if (isQuick && !this.#quick.founded.has(lobbyId)) {
      return refusal('LOBBY_NOT_FOUND', 'Nobody is waiting for this lobby any more');
    }
    if (wanted !== undefined && key !== undefined && this.#isTaken(key, lobbyId)) {
      return refusal('LOBBY_NOT_MOVED', `Another lobby there has the key ${key}`);
    }
    const first = row?.revision;
    const at = this.#ports.now();
    const known = this.#codeOf(lobbyId);
    if (known !== undefined) {
      // The founding is repeated, so the answer to a question under way is outdated.
      this.#saveNow({ ...known, by, first, at }, withCode(row, known.code));
      return ok(known.code);
    }
    if (this.#ports.behindMs() > NEW_WORK_LIMIT_MS) {
      return refuse(overloaded(this.#ports.random()));
    }
    const past = this.#removed.past(by, null);
    const code = past === 'yes' ? null : this.#freeCode(config, wanted);
    if (code === null) {
      const why = 'All invite codes of this config are in use; try again later';
      return refusal('CODES_EXHAUSTED', why);
    }
    // Another request may have founded the lobby, and it may be over already. The lobby is asked.
    const unsure = past === 'unsure' || this.#over.past(lobbyId, null) !== 'no';
    const keyed =
      key === undefined ? {} : { keyed: { key, n: Math.max(at, this.#newest(key) + 1) } };
    this.#saveNow({ lobbyId, by, code, first, at, unsure, ...keyed }, withCode(row, code));
    return ok(code);
  }

  /** The `n` of the last lobby that was founded for the key, if there is one. It grows even if the clock is set back. */
  #newest(key: string): number {
    return this.#keys.get(key)?.keyed?.n ?? 0;
  }

  #isTaken(key: string, lobbyId: LobbyId): boolean {
    const others = [this.#keys.get(key)?.lobbyId ?? lobbyId, ...this.#quick.founding(key)];
    return others.some((each) => each !== lobbyId);
  }

  async keyOf(lobbyId: LobbyId): Promise<string | null> {
    const { key } = this.#codeOf(lobbyId)?.keyed ?? {};
    return key !== undefined && this.#keys.get(key)?.lobbyId === lobbyId ? key : null;
  }

  /** `wanted`, if nobody has it. */
  #freeCode(config: InviteCodeConfig | null, wanted?: string): string | null {
    const isFree = (code: string): boolean => !this.#codes.has(normalCode(code));
    if (wanted !== undefined && isFree(wanted)) {
      return wanted;
    }
    for (let tries = 0; tries < RANDOM_TRIES; tries += 1) {
      const code = randomCode(config, () => this.#ports.random());
      if (isFree(code)) {
        return code;
      }
    }
    const space = codeSpace(config);
    const start = Math.floor(this.#ports.random() * space);
    const searched = space <= SEARCHED_SPACE ? space : 0;
    for (let step = 0; step < searched; step += 1) {
      const code = codeAt(config, (start + step) % space);
      if (code !== null && isFree(code)) {
        return code;
      }
    }
    return null;
  }

  async find(guess: Guess): Promise<Reply<LobbyId>> {
    const now = this.#ports.now();
    const refused = this.#guesses.refusal(guess, now);
    if (refused !== null) {
      return refuse(refused);
    }
    const found = this.#codes.get(normalCode(guess.code));
    if (found === undefined) {
      this.#guesses.wrong(guess, now);
      return refusal('LOBBY_NOT_FOUND', 'No lobby of this config has this code');
    }
    return ok(found);
  }

  async put(row: DirectoryRow): Promise<void> {
    const { lobbyId, revision } = row;
    const known = this.#rows.get(lobbyId);
    // A lobby without a code was removed. A late row must not bring it back.
    if (known?.coded === undefined || known.revision >= revision) {
      return this.#gathered.settled();
    }
    const next = kept({ ...row, coded: known.coded });
    if (!next.isWhole) {
      return this.#save(known.coded, row);
    }
    this.#keep(next);
    this.#watched.changed();
    return this.#views.put(next);
  }

  async remove({ lobbyId, by }: Founding): Promise<void> {
    this.#removed.note(by);
    this.#over.note(lobbyId);
    const coded = this.#codeOf(lobbyId);
    if (coded !== undefined && coded.by !== by) {
      // Either of two foundings of one lobby may be the valid one. The lobby is asked.
      this.#saveNow({ ...coded, unsure: true, at: this.#ports.now() });
      return;
    }
    if (coded !== undefined) {
      const code = normalCode(coded.code);
      // Codes of earlier releases may differ in a dash alone.
      if (this.#codes.get(code) === lobbyId) {
        this.#codes.delete(code);
      }
      if (coded.keyed !== undefined && this.#keys.get(coded.keyed.key)?.lobbyId === lobbyId) {
        this.#keys.delete(coded.keyed.key);
      }
      this.#asked.delete(lobbyId);
    }
    if (this.#rows.delete(lobbyId)) {
      this.#listing.changed(lobbyId);
      this.#views.drop(lobbyId);
      void this.#gathered.put(ROW + lobbyId, undefined);
      this.#watched.changed();
    }
    await this.#gathered.settled();
  }

  /** Without a search: newest first, and without a status lobbies that accept nobody come after the others. */
  async browse(query: BrowseQuery): Promise<LobbyPage> {
    const { offset, limit, search } = query;
    const { shown, total, end } = this.#listing.page(query, search);
    const lobbies = this.#page(shown);
    const isMore = offset + lobbies.length < total;
    // A page that its size cut short returns a smaller limit, so the next page begins at `offset + limit`.
    const most = isMore && lobbies.length < limit ? Math.max(1, lobbies.length) : limit;
    const page = { lobbies, total, limit: most, offset, hasMore: isMore || end !== null };
    const last = isMore ? lobbies.at(-1) : end;
    return search?.sort === 'newest' && last ? { ...page, cursor: cursorOf(last) } : page;
  }

  async quickJoin(wanted: QuickJoin): Promise<Reply<LobbyView>> {
    return this.#quick.join(wanted);
  }

  async joinByKey(wanted: KeyJoin): Promise<Reply<LobbyView>> {
    return this.#quick.joinByKey(wanted);
  }

  /** As many views as fit the bytes of a page, but at least one. */
  #page(shown: readonly LobbyView[]): readonly LobbyView[] {
    const page: LobbyView[] = [];
    let bytes = 0;
    for (const { id } of shown) {
      const row = this.#rows.get(id as LobbyId);
      const view = must(row && this.#whole(row)?.view, 'the view of a lobby that is listed');
      bytes += sseBytes(view);
      if (page.length > 0 && bytes > MAX_PAGE_BYTES) {
        break;
      }
      page.push(view);
    }
    return page;
  }

  async census(): Promise<Census> {
    const byStatus: Partial<Record<Status, number>> = {};
    const matches = new Set<string | null>([null]);
    const privates: LobbyId[] = [];
    let players = 0;
    for (const { lobbyId, view } of this.#rows.values()) {
      if (view === null) {
        privates.push(lobbyId);
      } else {
        byStatus[view.status] = (byStatus[view.status] ?? 0) + 1;
        players += view.currentPlayers;
        matches.add(view.matchId);
      }
    }
    const privateIds = privates.toReversed().slice(0, PRIVATE_IDS);
    return { byStatus, players, matches: matches.size - 1, privates: privates.length, privateIds };
  }

  async beginning(id: string): Promise<readonly LobbyId[]> {
    const found = this.#rows.keys().filter((lobbyId) => lobbyId.startsWith(id));
    return found.take(PRIVATE_IDS).toArray();
  }

  async playersLike(part: string): Promise<readonly (readonly [string, LobbyId])[]> {
    const all = this.#rows.values().flatMap(({ lobbyId, view }) => {
      const like = view?.players.filter(({ id }) => id.toLowerCase().includes(part)) ?? [];
      return like.map(({ id }) => [id, lobbyId] as const);
    });
    return all.take(PLAYERS_LIKE).toArray();
  }

  async changes(): Promise<Reply<FarEnd>> {
    return this.#watched.open();
  }

  alarm(): Promise<void> {
    return this.#alarm.fired(() => {
      const now = this.#ports.now();
      const due = this.#asked.takeDue(now).map((id) => this.#rows.get(id as LobbyId));
      const unconfirmed = due.filter((row) => row !== undefined);
      // They are asked again unless they answer.
      unconfirmed.forEach((row) => this.#askLater(row, now + ASK_AGAIN_MS));
      const asking = unconfirmed.flatMap(({ coded }) => (coded ? [this.#check(coded)] : []));
      return asking.length === 0 ? undefined : Promise.all(asking).then(() => {});
    });
  }

  async #check(coded: Coded): Promise<void> {
    const { lobbyId } = coded;
    const project = must(this.#ports.name[0], 'the project of a directory');
    const config = must(this.#ports.name[1], 'the config of a directory');
    try {
      const lobby = await this.#ports.peers.lobby(lobbyId).adminRead(project, config);
      if (this.#codeOf(lobbyId) !== coded) {
        return;
      }
      if (lobby === null) {
        await this.remove(coded);
      } else if (coded.unsure) {
        this.#saveNow({ ...coded, unsure: false, first: undefined });
      } else if ((this.#rows.get(lobbyId)?.revision ?? 0) > 0) {
        this.#asked.delete(lobbyId);
      }
    } catch (error) {
      this.#ports.log('code_unchecked', { lobbyId, error: String(error) });
    }
  }
}
