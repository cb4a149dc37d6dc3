// A Directory: the invite codes of a config's live lobbies, never one twice, and the rows that
// browsing shows. Rows are pushed by the lobbies under their revision; an older one never
// overwrites a newer. A code whose lobby never sent a row is asked after and freed.

import type { LobbyId } from '../ids';
import { codeAt, codeSpace, normalCode, randomCode, SEARCHED_SPACE } from '../lobby/codes';
import type { InviteCodeConfig } from '../lobby/config';
import { refusal, type Reply } from '../lobby/refusals';
import type { LobbyView } from '../lobby/view';
import { must } from '../result';
import { Alarm } from './alarm';
import type { BrowsePage, BrowseQuery, DirectoryRow, DirectoryRpc } from './contracts';
import type { Host } from './host';

const CODE = 'code:';
const ROW = 'row:';
const RANDOM_TRIES = 24;
/** A lobby is founded within a moment of getting its code; after this it is asked after. */
const UNCONFIRMED_MS = 60_000;

interface CodeRow {
  readonly lobbyId: LobbyId;
  readonly code: string;
  readonly at: number;
}

export class DirectoryActor implements DirectoryRpc {
  readonly #host: Host;
  readonly #alarm: Alarm;
  readonly #codes = new Map<string, CodeRow>();
  readonly #codeOf = new Map<LobbyId, CodeRow>();
  /** Oldest first. */
  readonly #rows = new Map<LobbyId, DirectoryRow>();

  constructor(host: Host) {
    this.#host = host;
    this.#alarm = new Alarm(host);
    for (const [, row] of host.store.list<CodeRow>(CODE)) {
      this.#remember(row);
    }
    const rows = [...host.store.list<DirectoryRow>(ROW)].map(([, row]) => row);
    rows.sort((a, b) => (a.view?.createdAt ?? '').localeCompare(b.view?.createdAt ?? ''));
    for (const row of rows) {
      this.#rows.set(row.lobbyId, row);
    }
  }

  #remember(row: CodeRow): void {
    this.#codes.set(normalCode(row.code), row);
    this.#codeOf.set(row.lobbyId, row);
  }

  async allocate(lobbyId: LobbyId, config: InviteCodeConfig | null): Promise<Reply<string>> {
    const known = this.#codeOf.get(lobbyId);
    if (known !== undefined) {
      return { ok: true, value: known.code };
    }
    const code = this.#freeCode(config);
    if (code === null) {
      return refusal('CODES_EXHAUSTED', 'All invite codes of this config are in use; try later');
    }
    const row: CodeRow = { lobbyId, code, at: this.#host.now() };
    this.#host.store.put(CODE + normalCode(code), row);
    this.#remember(row);
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
      return;
    }
    this.#host.store.put(ROW + row.lobbyId, row);
    this.#rows.set(row.lobbyId, row);
  }

  async remove(lobbyId: LobbyId): Promise<void> {
    const row = this.#codeOf.get(lobbyId);
    if (row !== undefined) {
      this.#host.store.delete(CODE + normalCode(row.code));
      this.#codes.delete(normalCode(row.code));
      this.#codeOf.delete(lobbyId);
    }
    if (this.#rows.delete(lobbyId)) {
      this.#host.store.delete(ROW + lobbyId);
    }
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

  async alarm(): Promise<void> {
    this.#alarm.fired();
    const now = this.#host.now();
    const unconfirmed = [...this.#codeOf.values()].filter(
      ({ lobbyId }) => !this.#rows.has(lobbyId),
    );
    await Promise.all(
      unconfirmed.filter(({ at }) => at + UNCONFIRMED_MS <= now).map((row) => this.#check(row)),
    );
    for (const { lobbyId, at } of this.#codeOf.values()) {
      if (!this.#rows.has(lobbyId)) {
        this.#alarm.arm(Math.max(at + UNCONFIRMED_MS, now + UNCONFIRMED_MS / 2));
      }
    }
  }

  async #check({ lobbyId }: CodeRow): Promise<void> {
    const project = must(this.#host.name[0], 'the project of a directory');
    const config = must(this.#host.name[1], 'the config of a directory');
    try {
      if ((await this.#host.peers.lobby(lobbyId).adminRead(project, config)) === null) {
        await this.remove(lobbyId);
      }
    } catch (error) {
      this.#host.log('code_unchecked', { lobbyId, error: String(error) });
    }
  }
}
