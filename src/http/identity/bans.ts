// The isolate's cache of projects' bans (record 0045). A project's document has the revision of its bans, so they
// are fetched only once after each change, and never for a project that has had none.

import { Lru } from '../../common/lru';
import { refuse } from '../../common/result';
import { isPlayground } from '../../lobby/playground';
import type { Reply } from '../../lobby/refusals';
import { projectDocument, rememberProject, savedConfig } from '../../objects/caches/project';
import { type Ban, type BanChange, banEnds } from '../../objects/project/bans';
import type { ProjectDocument } from '../../objects/project/contract';
import { retrying } from '../ask';
import type { Asker } from './secrets';

type ByPlayer = ReadonlyMap<string, readonly Ban[]>;

const known = new Lru<{ readonly revision: number; readonly bans: Promise<ByPlayer> }>(200);

/** The bans by player, at least as new as the document. Calls at the same time share one request. */
async function bansOf(asker: Asker, document: ProjectDocument): Promise<ByPlayer | null> {
  const { peers, project } = asker;
  const { bans: revision } = document;
  if (revision === undefined) {
    return null;
  }
  const before = known.get(project);
  if (before !== undefined && before.revision >= revision) {
    return before.bans;
  }
  const bans = retrying(() => peers.project(project).bans()).then((list) =>
    Map.groupBy(list.bans, ({ playerId }) => playerId),
  );
  known.set(project, { revision, bans });
  bans.catch(() => known.delete(project));
  return bans;
}

/** Refuses BANNED with the ban that ends last. Null: the player may play. A playground has no bans. */
export async function bannedFrom(
  asker: Asker,
  document: ProjectDocument,
  { player, config }: { readonly player: string; readonly config: string },
  now: number,
): Promise<Reply<never> | null> {
  const bans = isPlayground(config) ? null : await bansOf(asker, document);
  const name = savedConfig(document, config)?.name ?? config;
  const holding = (bans?.get(player) ?? []).filter(
    (ban) => now < banEnds(ban) && (ban.config === null || ban.config === name),
  );
  const last = holding.find((ban) => holding.every((other) => banEnds(other) <= banEnds(ban)));
  return last === undefined
    ? null
    : refuse({
        code: 'BANNED',
        detail: last.reason ?? 'The player is banned',
        until: last.until,
      });
}

/** Changes the bans. This isolate sees the change at once. */
export async function changeBans(
  { peers, project }: Asker,
  change: BanChange,
): Promise<Reply<number>> {
  const reply = await retrying(() => peers.project(project).changeBans(change));
  if (reply.ok) {
    const document = await projectDocument(peers, project, Date.now());
    rememberProject(project, { ...document, bans: reply.value }, Date.now());
  }
  return reply;
}
