// How a match launches its server: with which build and which order, and how long its lobbies wait for the answer.

import type { MatchId } from '../../common/ids';
import { resolveBuild } from '../../match/ticket/ticket';
import { ok, refuse, type Result } from '../../common/result';
import type { ServerReport } from '../server/contract';
import type { Host } from '../host';
import { configOf } from '../caches/project';
import { launchOrder, type Match } from './state';

/**
 * How long the match waits for the fleet before its lobbies are told that it is launching. If the fleet accepts the
 * server at once, `matched` and `in_game` are one update, which the lobby shows as two (decision 25).
 */
export const AT_ONCE_MS = 100;

/**
 * Returns the server's first report, or why there is none: no ready build has the mode's version (spec:
 * Versioning), or the fleet refused.
 */
export async function launch(
  host: Host,
  match: Match,
  id: MatchId,
): Promise<Result<ServerReport, string>> {
  const { roster } = match;
  const document = await host.document(roster.project);
  const { serverSettings } = configOf(document, roster.config);
  const builds = Object.values(document.builds);
  const build = resolveBuild(roster.rules, roster.version, serverSettings.gameBuild, builds);
  if (!build.ok) {
    const { project, config, mode } = roster;
    host.log('launch_failed', { project, config, mode, reason: build.refusal });
    return build;
  }
  const choice = { build: build.value, computeSize: serverSettings.serverSize };
  const order = launchOrder(match, id, choice);
  const launched = await host.peers.server(match.instanceId, order.region).launch(order);
  return launched.ok ? ok(launched.value) : refuse(launched.refusal.detail);
}
