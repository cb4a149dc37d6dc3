// A Directory: the invite codes of a config's live lobbies, never one twice, and the rows that
// browsing shows. Rows are pushed by the lobbies under their revision; an older one never
// overwrites a newer. A code whose lobby never sent a row is asked after and freed.

import type { LobbyId, MemberId } from '../ids';
import { codeAt, codeSpace, normalCode, randomCode, SEARCHED_SPACE } from '../lobby/codes';
import type { InviteCodeConfig } from '../lobby/config';
import type { Status } from '../lobby/lobby';
import { refusal, type Reply } from '../lobby/refusals';
import type { LobbyView } from '../lobby/view';
import { must } from '../result';
import { Alarm } from './alarm';
import type { BrowsePage, BrowseQuery, DirectoryRow, DirectoryRpc, Founding } from './contracts';
import { Gathered } from './gathered';
import type { Host } from './host';
import { listLarge } from './large';
import { Lately } from './lately';
import { PRIVATE_IDS, type Census } from './reports';

const CODE = 'code:';
const ROW = 'row:';
const RANDOM_TRIES = 24;
/** A lobby is founded within a moment of getting its code; after this it is asked after. */
const UNCONFIRMED_MS = 60_000;

interface CodeRow extends Founding {
  readonly code: string;
  readonly at: number;
  /** Given out when nobody could know whether that lobby was already gone: it is asked. */
  readonly unsure: boolean;
}

export class DirectoryActor implements DirectoryRpc {
  readonly #host: Host;
  readonly #alarm: Alarm;
  /** Memory is ahead of what is saved by what is gathered here. */
  readonly #gathered: Gathered;
  readonly #codes = new Map<string, CodeRow>();
  readonly #codeOf = new Map<LobbyId, CodeRow>();
  /** Oldest first. */
  readonly #rows = new Map<LobbyId, DirectoryRow>();
  readonly #removed: Lately<MemberId>;
  readonly #over: Lately<LobbyId>;

  constructor(host: Host) {
    this.#host = host;
    this.#alarm = new Alarm(host);
    this.#gathered = new Gathered(host);
    this.#removed = new Lately(() => host.now());
    this.#over = new Lately(() => host.now());
    for (const [, row] of host.store.list<CodeRow>(CODE)) {
      this.#remember(row);
    }
    const rows = [...listLarge<DirectoryRow>(host.store, ROW)];
    rows.sort((a, b) => (a.view?.createdAt ?? '').localeCompare(b.view?.createdAt ?? ''));
    for (const row of rows) {
      this.#rows.set(row.lobbyId, row);
    }
  }

  #save(row: CodeRow): void {
    this.#gathered.putNow(CODE + normalCode(row.code), row);
    this.#remember(row);
  }

  #remember(row: CodeRow): void {
    this.#codes.set(normalCode(row.code), row);
    this.#codeOf.set(row.lobbyId, row);
  }

  async allocate(founding: Founding, config: InviteCodeConfig | null): Promise<Reply<string>> {
    const { lobbyId, by } = founding;
    const known = this.#codeOf.get(lobbyId);
    if (known !== undefined) {
      // Founding it is tried again: what a question under way brings back is outdated.
      this.#save({ ...known, by, at: this.#host.now() });
      return { ok: true, value: known.code };
    }
    const past = this.#removed.past(by, null);
    const code = past === 'yes' ? null : this.#freeCode(config);
    if (code === null) {
      return refusal('CODES_EXHAUSTED', 'All invite codes of this config are in use; try later');
    }
    // The lobby may have been founded by another request, and be over: it is asked.
    const unsure = past === 'unsure' || this.#over.past(lobbyId, null) !== 'no';
    const row: CodeRow = { lobbyId, by, code, at: this.#host.now(), unsure };
    this.#save(row);
    this.#alarm.arm(row.at + UNCONFIRMED_MS);
    return { ok: true, value: code };
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

  async find(code: string): Promise<LobbyId | null> {
    return this.#codes.get(normalCode(code))?.lobbyId ?? null;
  }

  async put(row: DirectoryRow): Promise<void> {
    const known = this.#rows.get(row.lobbyId);
    // Without a code the lobby has been removed: a late row must not bring it back.
    if (!this.#codeOf.has(row.lobbyId) || (known !== undefined && known.revision >= row.revision)) {
      return this.#gathered.settled();
    }
    this.#rows.set(row.lobbyId, row);
    await this.#gathered.put(ROW + row.lobbyId, row);
  }

  async remove({ lobbyId, by }: Founding): Promise<void> {
    this.#removed.note(by);
    this.#over.note(lobbyId);
    const row = this.#codeOf.get(lobbyId);
    if (row !== undefined && row.by !== by) {
      // Of two foundings of one lobby, either may be the one that holds: the lobby is asked.
      this.#save({ ...row, unsure: true, at: this.#host.now() });
      this.#alarm.arm(this.#host.now() + UNCONFIRMED_MS);
      return;
    }
    if (row !== undefined) {
      void this.#gathered.delete(CODE + normalCode(row.code));
      this.#codes.delete(normalCode(row.code));
      this.#codeOf.delete(lobbyId);
    }
    if (this.#rows.delete(lobbyId)) {
      void this.#gathered.delete(ROW + lobbyId);
    }
    await this.#gathered.settled();
  }

  async browse({ region, status, limit, offset }: BrowseQuery): Promise<BrowsePage> {
    const shown: LobbyView[] = [];
    for (const { view } of this.#rows.values()) {
      const fits =
        view !== null &&
        (region === null || view.region === region) &&
        (status === null || view.status === status);
      if (fits) {
        shown.push(view);
      }
    }
    const total = shown.length;
    const lobbies = shown.toReversed().slice(offset, offset + limit);
    return { lobbies, total, limit, offset, hasMore: offset + lobbies.length < total };
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

  async alarm(): Promise<void> {
    this.#alarm.fired();
    const now = this.#host.now();
    const unconfirmed = [...this.#codeOf.values()].filter((row) => !this.#isConfirmed(row));
    await Promise.all(
      unconfirmed.filter(({ at }) => at + UNCONFIRMED_MS <= now).map((row) => this.#check(row)),
    );
    for (const row of this.#codeOf.values()) {
      if (!this.#isConfirmed(row)) {
        this.#alarm.arm(Math.max(row.at + UNCONFIRMED_MS, now + UNCONFIRMED_MS / 2));
      }
    }
  }

  #isConfirmed({ lobbyId, unsure }: CodeRow): boolean {
    return this.#rows.has(lobbyId) && !unsure;
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
        this.#save({ ...row, unsure: false });
      }
    } catch (error) {
      this.#host.log('code_unchecked', { lobbyId, error: String(error) });
    }
  }
}
