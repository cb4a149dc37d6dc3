// Clears up after an agent that was killed: its servers died with it, or are about to. Each is
// seen to its end, and the service is told that it stopped.

import { serverFolder } from './folder.ts';
import type { Lease } from './folder.ts';
import { untilGone } from './keeper.ts';
import { startReporter } from './reports.ts';
import type { AgentSettings } from './settings.ts';

export async function settleLeases(
  leases: readonly Lease[],
  settings: AgentSettings,
): Promise<void> {
  await Promise.all(leases.map((lease) => settle(lease, settings)));
}

async function settle(lease: Lease, settings: AgentSettings): Promise<void> {
  if (lease.group !== null) {
    // Its keeper has been at it since the pipe closed; after the grace we help.
    await untilGone(lease.group, lease.instanceId, settings.graceMs + 1_000);
  }
  console.log(`agent: server ${lease.instanceId} ended with the agent before this one`);
  const reporter = startReporter({
    url: lease.reportUrl,
    token: lease.token,
    leaseMs: settings.leaseMs,
    abandonMs: settings.abandonMs,
    current: () => ({ status: 'stopped', exit_code: null }),
    onUnowned: () => undefined,
  });
  reporter.changed();
  await reporter.done;
  await serverFolder(settings.dataDir, lease.instanceId).settle();
}
