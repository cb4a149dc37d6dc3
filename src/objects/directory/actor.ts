// A Directory object: holds the invite codes of a config's live lobbies, each code once, and the rows that
// browsing shows. The lobbies push their rows with a revision, and an older row never overwrites a newer one. If a
// lobby stays silent after it got its code, the Directory asks whether it exists.

import type { LobbyId, MemberId } from '../../common/ids';
import { codeAt, codeSpace, normalCode, randomCode, SEARCHED_SPACE } from '../../lobby/codes';
import type { InviteCodeConfig } from '../../lobby/config';
import type { Status } from '../../lobby/lobby';
import { acceptsPlayers } from '../../lobby/members';
import { overloaded, refusal, type Reply } from '../../lobby/refusals';
import type { LobbyView } from '../../lobby/view';
import { MAX_PAGE_BYTES, NEW_WORK_LIMIT_MS } from '../../common/limits';
import { must } from '../../common/result';
import { sseBytes } from '../../common/sse';
import { Alarm } from '../kit/alarm';
import type { BrowsePage, BrowseQuery, DirectoryRow, DirectoryRpc, Founding } from './contract';
import { Agenda } from '../kit/agenda';
import { Gathered } from '../kit/gathered';
import type { Host } from '../host';
import type { FarEnd } from '../kit/ports';
import { Guesses, type Guess } from './guesses';
import { listLarge } from '../kit/large';
import { Lately } from '../kit/lately';
import { Watched } from '../kit/watched';
import { PRIVATE_IDS, type Census } from '../reports';

const CODE = 'code:';
const ROW = 'row:';
/** Largest view kept in memory. A larger one is read from storage when it is shown. Players choose its size. */
const KEPT_BYTES = 8 * 1024;
const RANDOM_TRIES = 24;
/** A lobby is founded within a moment of getting its code. After this time the Directory asks whether it exists. */
const UNCONFIRMED_MS = 60_000;
const ASK_AGAIN_MS = 30_000;

interface CodeRow extends Founding {
  readonly code: string;
  readonly at: number;
  /** The revision of the first row, which came with the request for the code. A later one proves the founding. */
  readonly first?: number | undefined;
  /** The code was given out while it was unknown whether the lobby was already gone. The lobby is asked. */
  readonly unsure: boolean;
}

interface Kept extends DirectoryRow {
  /** False: the view in memory lacks the large fields, which only showing it needs. */
  readonly isWhole: boolean;
}

function kept(row: DirectoryRow): Kept {
  const { lobbyId, revision, view } = row;
  if (view === null || sseBytes(view) <= KEPT_BYTES) {
    return { lobbyId, revision, view, isWhole: true };
  }
  const thin = { ...view, settings: {}, players: [], server: null, customProperties: {} };
  return { lobbyId, revision, view: thin, isWhole: false };
}

export class DirectoryActor implements DirectoryRpc {
  readonly #host: Host;
  readonly #alarm: Alarm;
  /** The write batcher. Memory is ahead of storage by its rows. */
  readonly #gathered: Gathered;
  readonly #watched: Watched;
  readonly #codes = new Map<string, CodeRow>();
  readonly #codeOf = new Map<LobbyId, CodeRow>();
  /** When to ask each lobby whose code is not confirmed. */
  readonly #asked = new Agenda();
  /** Oldest first. */
  readonly #rows = new Map<LobbyId, Kept>();
  readonly #removed: Lately<MemberId>;
  readonly #over: Lately<LobbyId>;
  readonly #guesses = new Guesses();

  constructor(host: Host) {
    this.#host = host;
    this.#alarm = new Alarm(host, () => [this.#asked.nextAt]);
    this.#gathered = new Gathered(host);
    this.#watched = new Watched(host);
    this.#removed = new Lately(() => host.now());
    this.#over = new Lately(() => host.now());
    const rows = Array.from(listLarge<DirectoryRow>(host.store, ROW), kept);
    rows.sort((a, b) => (a.view?.createdAt ?? '').localeCompare(b.view?.createdAt ?? ''));
    for (const row of rows) {
      this.#rows.set(row.lobbyId, row);
    }
    for (const [, row] of host.store.list<CodeRow>(CODE)) {
      this.#remember(row);
    }
  }

  #save(row: CodeRow): void {
    this.#gathered.putNow(CODE + normalCode(row.code), row);
    this.#remember(row);
    this.#alarm.arm();
  }

  #remember(row: CodeRow): void {
    this.#codes.set(normalCode(row.code), row);
    this.#codeOf.set(row.lobbyId, row);
    this.#askLater(row, row.at + UNCONFIRMED_MS);
  }

  #askLater({ lobbyId, unsure, first = 0 }: CodeRow, at: number): void {
    if (unsure || (this.#rows.get(lobbyId)?.revision ?? 0) <= first) {
      this.#asked.set(lobbyId, at);
    } else {
      this.#asked.delete(lobbyId);
    }
  }

  async allocate(
    founding: Founding,
    config: InviteCodeConfig | null,
    row?: DirectoryRow,
  ): Promise<Reply<string>> {
    const { lobbyId, by } = founding;
    const first = row?.revision;
    const known = this.#codeOf.get(lobbyId);
    if (known !== undefined) {
      // The founding is repeated, so the answer to a question under way is outdated.
      this.#show(known.code, row);
      this.#save({ ...known, by, first, at: this.#host.now() });
      return { ok: true, value: known.code };
    }
    if (this.#host.behindMs() > NEW_WORK_LIMIT_MS) {
      return { ok: false, refusal: overloaded(this.#host.random()) };
    }
    const past = this.#removed.past(by, null);
    const code = past === 'yes' ? null : this.#freeCode(config);
    if (code === null) {
      return refusal(
        'CODES_EXHAUSTED',
        'All invite codes of this config are in use; try again later',
      );
    }
    // Another request may have founded the lobby, and it may be over already. The lobby is asked.
    const unsure = past === 'unsure' || this.#over.past(lobbyId, null) !== 'no';
    this.#show(code, row);
    this.#save({ lobbyId, by, code, first, at: this.#host.now(), unsure });
    return { ok: true, value: code };
  }

  /** Shows the row under its code. The next save writes the row and the code in one commit. */
  #show(code: string, row: DirectoryRow | undefined): void {
    const known = row === undefined ? undefined : this.#rows.get(row.lobbyId);
    if (row !== undefined && (known === undefined || known.revision <= row.revision)) {
      const shown = { ...row, view: row.view === null ? null : { ...row.view, code } };
      this.#rows.set(row.lobbyId, kept(shown));
      this.#watched.changed();
      void this.#gathered.put(ROW + row.lobbyId, shown);
    }
  }

  #freeCode(config: InviteCodeConfig | null): string | null {
    const isFree = (code: string): boolean => !this.#codes.has(normalCode(code));
    for (let tries = 0; tries < RANDOM_TRIES; tries += 1) {
      const code = randomCode(config, () => this.#host.random());
      if (isFree(code)) {
        return code;
      }
    }
    const space = codeSpace(config);
    const start = Math.floor(this.#host.random() * space);
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
    const now = this.#host.now();
    const refused = this.#guesses.refusal(guess, now);
    if (refused !== null) {
      return { ok: false, refusal: refused };
    }
    const found = this.#codes.get(normalCode(guess.code));
    if (found === undefined) {
      this.#guesses.wrong(guess, now);
      return refusal('LOBBY_NOT_FOUND', 'No lobby of this config has this code');
    }
    return { ok: true, value: found.lobbyId };
  }

  async put(row: DirectoryRow): Promise<void> {
    const known = this.#rows.get(row.lobbyId);
    const code = this.#codeOf.get(row.lobbyId);
    // A lobby without a code was removed. A late row must not bring it back.
    if (code === undefined || (known !== undefined && known.revision >= row.revision)) {
      return this.#gathered.settled();
    }
    this.#rows.set(row.lobbyId, kept(row));
    this.#watched.changed();
    if (!code.unsure) {
      this.#asked.delete(row.lobbyId);
    }
    await this.#gathered.put(ROW + row.lobbyId, row);
  }

  async remove({ lobbyId, by }: Founding): Promise<void> {
    this.#removed.note(by);
    this.#over.note(lobbyId);
    const row = this.#codeOf.get(lobbyId);
    if (row !== undefined && row.by !== by) {
      // Either of two foundings of one lobby may be the valid one. The lobby is asked.
      this.#save({ ...row, unsure: true, at: this.#host.now() });
      return;
    }
    if (row !== undefined) {
      void this.#gathered.delete(CODE + normalCode(row.code));
      this.#codes.delete(normalCode(row.code));
      this.#codeOf.delete(lobbyId);
      this.#asked.delete(lobbyId);
    }
    if (this.#rows.delete(lobbyId)) {
      void this.#gathered.delete(ROW + lobbyId);
      this.#watched.changed();
    }
    await this.#gathered.settled();
  }

  /** Newest first. Without a status filter, lobbies that accept nobody come after the others. */
  async browse({ region, status, limit, offset }: BrowseQuery): Promise<BrowsePage> {
    const shown: Kept[] = [];
    const closed: Kept[] = [];
    for (const row of this.#rows.values()) {
      const { view } = row;
      const fits =
        view !== null &&
        (region === null || view.region === region) &&
        (status === null || view.status === status);
      if (fits) {
        (status !== null || acceptsPlayers(view) ? shown : closed).push(row);
      }
    }
    const total = shown.length + closed.length;
    const ordered = [...shown.toReversed(), ...closed.toReversed()];
    const lobbies = this.#page(ordered.slice(offset, offset + limit));
    const hasMore = offset + lobbies.length < total;
    // A page that its size cut short returns a smaller limit, so the next page begins at `offset + limit`.
    const isCut = hasMore && lobbies.length < limit;
    return { lobbies, total, limit: isCut ? lobbies.length : limit, offset, hasMore };
  }

  /** As many views as fit the bytes of a page, but at least one. */
  #page(rows: readonly Kept[]): readonly LobbyView[] {
    const page: LobbyView[] = [];
    let bytes = 0;
    for (const row of rows) {
      const view = row.isWhole ? row.view : this.#saved(row.lobbyId);
      bytes += view === null ? 0 : sseBytes(view);
      if (page.length > 0 && bytes > MAX_PAGE_BYTES) {
        break;
      }
      page.push(must(view, 'the view of a listed lobby'));
    }
    return page;
  }

  #saved(lobbyId: LobbyId): LobbyView | null {
    return this.#gathered.get<DirectoryRow>(ROW + lobbyId)?.view ?? null;
  }

  async census(): Promise<Census> {
    const byStatus: Partial<Record<Status, number>> = {};
    const matches = new Set<string>();
    const privateIds: LobbyId[] = [];
    let players = 0;
    for (const { lobbyId, view } of this.#rows.values()) {
      if (view === null) {
        privateIds.push(lobbyId);
        continue;
      }
      byStatus[view.status] = (byStatus[view.status] ?? 0) + 1;
      players += view.currentPlayers;
      if (view.matchId !== null) {
        matches.add(view.matchId);
      }
    }
    const newest = privateIds.toReversed().slice(0, PRIVATE_IDS);
    const privates = privateIds.length;
    return { byStatus, players, matches: matches.size, privates, privateIds: newest };
  }

  async beginning(id: string): Promise<readonly LobbyId[]> {
    const found = [...this.#rows.values()].filter(({ lobbyId }) => lobbyId.startsWith(id));
    return found.slice(0, PRIVATE_IDS).map(({ lobbyId }) => lobbyId);
  }

  async changes(): Promise<Reply<FarEnd>> {
    return this.#watched.open();
  }

  alarm(): Promise<void> {
    return this.#alarm.fired(async () => {
      const now = this.#host.now();
      const due = this.#asked.takeDue(now).map((id) => this.#codeOf.get(id as LobbyId));
      const unconfirmed = due.filter((row) => row !== undefined);
      // They are asked again unless they answer.
      unconfirmed.forEach((row) => this.#askLater(row, now + ASK_AGAIN_MS));
      await Promise.all(unconfirmed.map((row) => this.#check(row)));
    });
  }

  async #check(row: CodeRow): Promise<void> {
    const { lobbyId } = row;
    const project = must(this.#host.name[0], 'the project of a directory');
    const config = must(this.#host.name[1], 'the config of a directory');
    try {
      const lobby = await this.#host.peers.lobby(lobbyId).adminRead(project, config);
      if (this.#codeOf.get(lobbyId) !== row) {
        return;
      }
      if (lobby === null) {
        await this.remove(row);
      } else if (row.unsure) {
        this.#save({ ...row, unsure: false, first: undefined });
      } else if (this.#rows.has(lobbyId)) {
        this.#asked.delete(lobbyId);
      }
    } catch (error) {
      this.#host.log('code_unchecked', { lobbyId, error: String(error) });
    }
  }
}
