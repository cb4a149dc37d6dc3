// What the project's own changes are called in the audit list. Pure.

import type { Deed } from './audit';
import type { Ban, BanChange } from './bans';
import { changedNames, own } from './changes';
import type { ProjectDocument } from './contract';
import { DEFAULT_PLAYERS, type SecretsChange } from './identity';

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

/** Fields that every save changes. */
const OWN: ReadonlySet<string> = new Set(['id', 'revision', 'version']);

function changedFields(before: object | undefined, after: object): string {
  const was = new Map<string, unknown>(Object.entries(before ?? {}));
  const fields = Object.entries(after).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(was.get(field)) && !OWN.has(field),
  );
  const names = fields.map(([field]) => field).join(', ');
  return before === undefined ? 'new' : names || 'nothing changed';
}

export function deedOfBan(change: BanChange): Done {
  const {
    playerId,
    config,
    until = null,
    reason = null,
  }: Partial<Ban> = change.act === 'lift' ? change : change.ban;
  const words = [`from ${config ?? 'everywhere'}`, until && `until ${until}`, reason];
  const detail = words.filter((word) => word !== null).join(', ');
  return { kind: change.act === 'lift' ? 'unbanned' : 'banned', on: playerId ?? null, detail };
}

/** Names the secret by its id or provider, and never says its value. */
export function deedOfSecret(change: SecretsChange): Done {
  const of: { provider?: string; id?: string; act?: string } =
    'secret' in change ? change.secret : change;
  return { kind: 'secrets_changed', on: of.provider ?? of.id ?? null, detail: change.act };
}
