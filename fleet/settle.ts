// Clears up after an agent before this one: its servers died with it, or are about to, or died
// while nobody was there. Each is seen to its end, and the service is told that it stopped.

import { serverFolder } from './folder.ts';
import type { Lease } from './folder.ts';
import { adoptKept, exitCodeIn, untilGone } from './keeper.ts';
import { endingOf } from './output.ts';
import { startReporter } from './reports.ts';
import type { AgentSettings } from './settings.ts';

export async function settleLeases(
  leases: readonly Lease[],
  settings: AgentSettings,
): Promise<void> {
  await Promise.all(leases.map((lease) => settle(lease, settings)));
}

async function settle(lease: Lease, settings: AgentSettings): Promise<void> {
  const { instanceId, group } = lease;
  const folder = serverFolder(settings, instanceId);
  if (group === null) {
    // It was to outlive an agent; we do not take it up, so it ends now.
    const kept = await adoptKept({ exitPath: folder.exitPath, mark: instanceId });
    kept?.signal('SIGTERM');
    const kill = setTimeout(() => kept?.signal('SIGKILL'), settings.graceMs);
    await kept?.exited;
    clearTimeout(kill);
  } else {
    // Its keeper has been at it since the pipe closed; after the grace we help.
    await untilGone(group, instanceId, settings.graceMs + 1_000);
  }
  const ending = await endingOf(folder.logPath, await exitCodeIn(folder.exitPath));
  console.log(`agent: server ${lease.instanceId} ended with the agent before this one`);
  const reporter = startReporter({
    url: lease.reportUrl,
    token: lease.token,
    leaseMs: settings.leaseMs,
    abandonMs: settings.abandonMs,
    current: () => ({ status: 'stopped', ...ending }),
    onUnowned: () => undefined,
  });
  reporter.changed();
  await reporter.done;
  await folder.settle();
}
