// The isolate's cache of projects' bans (record 0045), which are never read for a project that has had none.

import type { By } from '../../common/happening';
import { isPlayground } from '../../lobby/playground';
import { rememberPart, savedConfig } from '../../objects/caches/project';
import { type Ban, type BanChange, banEnds } from '../../objects/contracts/bans';
import type { ProjectDocument } from '../../objects/contracts/project';
import { ByRevision } from '../../common/fresh';
import { Refused, retrying } from '../wire/answer';
import type { Asker } from './secrets';

const known = new ByRevision<{
  readonly revision: number;
  readonly byPlayer: ReadonlyMap<string, readonly Ban[]>;
}>();

/** Throws Refused, BANNED, with the player's ban that ends last. A playground has no bans. */
export async function checkBans(
  { peers, project }: Asker,
  document: ProjectDocument,
  { player, config }: { readonly player: string; readonly config: string },
  now: number,
): Promise<void> {
  const { bans: revision } = document;
  if (revision === undefined || isPlayground(config)) {
    return;
  }
  const { byPlayer } = await known.get(project, revision, async () => {
    const { bans, ...list } = await retrying(() => peers.project(project).bans());
    return { ...list, byPlayer: Map.groupBy(bans, ({ playerId }) => playerId) };
  });
  const name = savedConfig(document, config)?.name ?? config;
  const holding = (byPlayer.get(player) ?? []).filter(
    (ban) => now < banEnds(ban) && (ban.config === null || ban.config === name),
  );
  const last = holding.find((ban) => holding.every((other) => banEnds(other) <= banEnds(ban)));
  if (last !== undefined) {
    const { reason, until } = last;
    throw new Refused({ code: 'BANNED', detail: reason ?? 'The player is banned', until });
  }
}

/** Changes the bans. This isolate sees the change at once. */
export async function changeBans({ peers, project }: Asker, change: BanChange, by: By) {
  const reply = await retrying(() => peers.project(project).changeBans(change, by));
  if (reply.ok) {
    await rememberPart(peers, project, { bans: reply.value });
  }
  return reply;
}
