// The local agent: starts one process for each game server, and reports the server's status to the service. When
// the agent ends, it ends all of its servers. If the agent is killed, their keepers end them (keeper.ts). With
// AGENT_ADOPT=1 the servers go on instead, and the next agent adopts them. On SIGUSR2, or if an agent before it was
// killed while it drained, the agent drains (drain.ts). The settings are environment variables (settings.ts).

import { chmod, mkdir, realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { prepareRunDir } from './confine.ts';
import { createContainers } from './containers.ts';
import { DRAINED, drained, isDraining, noteDrain } from './drain.ts';
import { unsettledLeases } from './folder.ts';
import { claimFolder, holderOf } from './folder-claim.ts';
import { answerEchoes } from './echo.ts';
import { createAgentHttp } from './http.ts';
import { log } from './log.ts';
import { settleLeases } from './settle.ts';
import { createServers } from './servers.ts';
import { readSettings } from './settings.ts';
import type { AgentSettings } from './settings.ts';

/** How long the last reports may take once the servers have ended. */
const LAST_REPORTS_MS = 3_000;
const TOLD = 'told to stop';

// The signal may come before the agent is ready, and would end it.
const toldToDrain = new Promise<void>((told) => process.on('SIGUSR2', told));
const given = settingsOrExit();
// Leases hold tokens and logs hold the text of players, so nobody else may read the folder.
await mkdir(given.dataDir, { recursive: true, mode: 0o700 });
await chmod(given.dataDir, 0o700);
// Whatever name led here, the next agent finds the same paths.
const dataDir = await realpath(given.dataDir);
const settings: AgentSettings = { ...given, dataDir };
// The servers of another agent would look like leftovers to this one, which would end them. An agent that is just
// ending, because its parent is gone, gets the time that it needs.
const endingMs = settings.graceMs + LAST_REPORTS_MS + 1_000;
if ((await claimFolder(dataDir, 'agent', endingMs)) === null) {
  const holder = await holderOf(dataDir, 'agent');
  console.error(
    `agent: ${dataDir} is in use by another agent${holder}: stop it, or set AGENT_DATA to another folder`,
  );
  process.exit(1);
}
if (settings.user !== null) {
  await prepareRunDir(settings.user);
}
// List what an earlier agent left before starting any server.
const leases = await unsettledLeases(settings.dataDir);
const containers = createContainers(settings);
const servers = createServers(settings, containers);
const ended = await servers.takeOver(leases);
const http = createAgentHttp(servers, settings, containers);
let ending = false;

http.on('error', (error) => {
  console.error(`agent: cannot listen on ${settings.host}:${settings.port}: ${error.message}`);
  process.exit(1);
});
http.listen(settings.port, settings.host, () => {
  const address = http.address();
  const port = typeof address === 'object' && address !== null ? address.port : settings.port;
  const url = `http://${settings.host}:${port}`;
  log('agent', 'info', 'ready', { message: `ready on ${url}`, url });
});
if (settings.echoPort !== null) {
  answerEchoes(settings.bindHost, settings.echoPort);
}
const settled = settleLeases(ended, settings, containers);
containers.sweep((instanceId) => (servers.inspect(instanceId)?.state ?? 'stopped') !== 'stopped');
for (const output of [process.stdout, process.stderr]) {
  // If the terminal is gone, the agent must not crash and leave the servers to their keepers.
  output.on('error', () => undefined);
}
void (isDraining(dataDir) ? drain() : toldToDrain.then(drain));
process.on('SIGTERM', () => end(TOLD));
process.on('SIGINT', () => end(TOLD));
if (settings.withParent) {
  process.stdin.on('end', () => end('its parent is gone'));
  process.stdin.on('error', () => end('its parent is gone'));
  process.stdin.resume();
}

function settingsOrExit(): AgentSettings {
  try {
    return readSettings(process.env);
  } catch (error) {
    console.error(`agent: ${error instanceof Error ? error.message : String(error)}`);
    return process.exit(1);
  }
}

async function drain(): Promise<void> {
  noteDrain(dataDir, true);
  await drained(servers, (text) => log('agent', 'info', 'draining', text));
  // The games of the agent before this one end too, and the service is told if it answers.
  await Promise.race([settled, sleep(endingMs)]);
  end('it has drained', DRAINED);
}

function end(why: string, code = 0): void {
  if (ending) {
    return;
  }
  ending = true;
  log('agent', 'info', 'stopping', `stopping, ${why}`);
  if (settings.adopts && code !== DRAINED) {
    process.exit(code);
  }
  // Until then the agent answers: the service asks about the servers that end.
  void servers.endAll(LAST_REPORTS_MS).finally(() => {
    // No game is left that a drain could wait for. If only the parent is gone, the next agent drains on.
    if (code === DRAINED || why === TOLD) {
      noteDrain(dataDir, false);
    }
    process.exit(code);
  });
}
