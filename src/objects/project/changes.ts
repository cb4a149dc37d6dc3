// What a change of the project means: the modes whose queues are told, and the entries of the audit list. Pure.

import { changedNames, own, type Named } from '../../common/named';
import type { LobbyConfig } from '../../lobby/config';
import { playgroundOf } from '../../lobby/playground';
import type { Deed } from '../contracts/audit';
import type { Ban, BanChange } from '../contracts/bans';
import { DEFAULT_PLAYERS, type SecretsChange } from '../contracts/secrets';
import type { ProjectDocument } from '../contracts/project';

export interface RecheckDebt {
  readonly config: string;
  readonly mode: string;
}

/** Modes whose config changed. Their queues check their tickets again. */
export function changedModes(before: Named<LobbyConfig>, after: Named<LobbyConfig>): RecheckDebt[] {
  return changedNames(before, after).flatMap((name) => {
    const modes = Object.keys(own(before, name)?.matchmaking.modes ?? {});
    return modes.flatMap((mode) => [name, playgroundOf(name)].map((config) => ({ config, mode })));
  });
}

type Done = Omit<Deed, 'by'>;

/** What a save of the document did, with the names of the changed fields. */
export function deedsOfSave(before: ProjectDocument, after: ProjectDocument): readonly Done[] {
  const deeds = (['config', 'build'] as const).flatMap((kind) => {
    const [was, is] = [before[`${kind}s`], after[`${kind}s`]];
    return changedNames<object>(was, is).map((on): Done => {
      const saved = own<object>(is, on);
      return saved === undefined
        ? { kind: `${kind}_deleted`, on }
        : { kind: `${kind}_saved`, on, detail: changedFields(own<object>(was, on), saved) };
    });
  });
  if (after.players !== undefined && after.players !== before.players) {
    const detail = changedFields(before.players ?? DEFAULT_PLAYERS, after.players);
    deeds.push({ kind: 'settings_saved', on: null, detail });
  }
  return deeds;
}

function changedFields(before: object | undefined, after: object): string {
  const was = new Map<string, unknown>(Object.entries(before ?? {}));
  // Every save changes these.
  const always = ['id', 'revision', 'version'];
  const names = Object.entries(after)
    .filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(was.get(field)))
    .flatMap(([field]) => (always.includes(field) ? [] : field));
  return before === undefined ? 'new' : names.join(', ') || 'nothing changed';
}

export function deedOfBan(change: BanChange): Done {
  const isLift = change.act === 'lift';
  const { playerId, config, until, reason }: Partial<Ban> = isLift ? change : change.ban;
  const words = [`from ${config ?? 'everywhere'}`, until && `until ${until}`, reason];
  const detail = words.filter((word) => word !== null && word !== undefined).join(', ');
  return { kind: isLift ? 'unbanned' : 'banned', on: playerId ?? null, detail };
}

/** Names the secret by its id or provider, and never says its value. */
export function deedOfSecret(change: SecretsChange): Done {
  const of: { provider?: string; id?: string; name?: string; act?: string } =
    'secret' in change ? change.secret : 'viewer' in change ? change.viewer : change;
  const detail = of.name === undefined ? change.act : `${change.act} ${of.name}`;
  return { kind: 'secrets_changed', on: of.provider ?? of.id ?? null, detail };
}
