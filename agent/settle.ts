// Cleans up after an earlier agent. Its servers died with it, are about to die, or died while no agent ran. This
// waits for the end of each server and reports to the service that it stopped.

import { containerGraceMs } from './containers.ts';
import type { Containers } from './containers.ts';
import { serverFolder } from './folder.ts';
import type { Lease } from './folder.ts';
import { claimKept } from './keep.ts';
import { adoptKept, exitCodeIn, untilGone } from './keeper.ts';
import { endLeft } from './left.ts';
import { log, logError } from './log.ts';
import { endingOf } from './output.ts';
import { Rounds, startReporter } from './reports.ts';
import type { AgentSettings } from './settings.ts';

export async function settleLeases(
  leases: readonly Lease[],
  settings: AgentSettings,
  containers: Containers,
): Promise<void> {
  // A lease that cannot be settled must not end the agent, or the next agent would end as well.
  await Promise.all(
    leases.map((lease) =>
      settle(lease, settings, containers).catch((error: unknown) =>
        logError(`could not settle server ${lease.instanceId}`, error),
      ),
    ),
  );
}

async function settle(
  lease: Lease,
  settings: AgentSettings,
  containers: Containers,
): Promise<void> {
  const { instanceId, group, container = false, kept: folderKept } = lease;
  // Nobody else may have the folder while the server may still write there.
  const leave = folderKept === undefined ? null : await claimKept(folderKept);
  const folder = serverFolder(settings, instanceId, container);
  const graceMs = container ? containerGraceMs(settings) : settings.graceMs;
  if (group === null) {
    // The server was started to outlive its agent, but this agent does not adopt it, so it ends now.
    const kept = await adoptKept({ exitPath: folder.exitPath, mark: instanceId });
    kept?.signal('SIGTERM');
    const kill = setTimeout(() => kept?.signal('SIGKILL'), graceMs);
    await kept?.exited;
    clearTimeout(kill);
  } else {
    // The keeper has been ending the server since the pipe closed. After the grace period this kills it.
    await untilGone(group, instanceId, graceMs + 1_000);
  }
  if (container) {
    await containers.remove(instanceId);
  } else {
    // Not by its group: another may have that number now.
    await endLeft(
      { group: -1, variable: `MUSTER_CONFIG=${folder.configPath}` },
      performance.now() + graceMs,
    );
  }
  leave?.();
  const ending = await endingOf(folder.logPath, await exitCodeIn(folder.exitPath));
  const message = `server ${instanceId} ended with the agent before this one`;
  log('agent', 'info', 'server_ended', { message, instanceId });
  const reporter = startReporter({
    service: new Rounds(lease.reportUrl, settings.serviceUrls),
    token: lease.token,
    leaseMs: () => settings.leaseMs,
    abandonMs: settings.abandonMs,
    current: () => ({ status: 'stopped', ...ending, detail: 'it ended with its agent' }),
    onUnowned: () => undefined,
  });
  reporter.changed();
  await reporter.done;
  await folder.settle();
}
