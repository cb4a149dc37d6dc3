// The local agent: starts one real process a game server, and tells the service how it fares.
// It ends all its servers when it ends; should it be killed, their keepers do (keeper.ts). With
// AGENT_ADOPT=1 they go on instead, and the next agent takes them up where this one left them.
// Settings are in its environment, see settings.ts.

import { chmod, mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';

import { prepareRunDir } from './confine.ts';
import { unsettledLeases } from './folder.ts';
import { createAgentHttp } from './http.ts';
import { claimNameWithin, holderOf } from './ports.ts';
import { settleLeases } from './settle.ts';
import { createServers } from './servers.ts';
import { readSettings } from './settings.ts';
import type { AgentSettings } from './settings.ts';

/** How long the last reports may take once the servers have ended. */
const LAST_REPORTS_MS = 3_000;

const settings = settingsOrExit();
// Another agent's servers would look like leftovers to us, and be ended. One that is on its way
// out, because what started it is gone, is given the time it needs.
const name = `agent-${resolve(settings.dataDir)}`;
if ((await claimNameWithin(settings.graceMs + LAST_REPORTS_MS + 1_000, name)) === null) {
  const holder = await holderOf(name);
  console.error(
    `agent: ${settings.dataDir} is in use by another agent${holder}: stop it, or set AGENT_DATA to another folder`,
  );
  process.exit(1);
}
// Leases hold tokens, logs what players wrote: nobody else's business.
await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
await chmod(settings.dataDir, 0o700);
if (settings.user !== null) {
  await prepareRunDir(settings.user);
}
// What an agent before us left is listed before we start anything of our own.
const leases = await unsettledLeases(settings.dataDir);
const servers = createServers(settings);
const ended = await servers.takeOver(leases);
const http = createAgentHttp(servers, settings);
let ending = false;

http.on('error', (error) => {
  console.error(`agent: cannot listen on ${settings.host}:${settings.port}: ${error.message}`);
  process.exit(1);
});
http.listen(settings.port, settings.host, () => {
  const address = http.address();
  const port = typeof address === 'object' && address !== null ? address.port : settings.port;
  console.log(`agent: ready on http://${settings.host}:${port}`);
  void settleLeases(ended, settings);
});
for (const output of [process.stdout, process.stderr]) {
  // The terminal is gone: no reason to leave the servers to their keepers.
  output.on('error', () => undefined);
}
process.on('SIGTERM', () => end('told to stop'));
process.on('SIGINT', () => end('told to stop'));
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

function end(why: string): void {
  if (ending) {
    return;
  }
  ending = true;
  console.log(`agent: stopping, ${why}`);
  http.close();
  http.closeIdleConnections();
  if (settings.adopts) {
    process.exit(0);
  }
  void servers.endAll(LAST_REPORTS_MS).finally(() => process.exit(0));
}
