// A launch for tests: every field given, each changeable.

import type { BuildLaunch, LaunchSpec } from '../../src/fleet/port';

let specs = 0;

export function launchSpec(launch: BuildLaunch = {}, more: Partial<LaunchSpec> = {}): LaunchSpec {
  specs += 1;
  const instanceId = `spec-${process.pid}-${specs}`;
  return {
    instanceId,
    serverId: instanceId,
    project: 'dev',
    name: `server ${specs}`,
    region: 'us-east',
    build: { name: 'default', version: 1, label: null, launch, ports: [] },
    computeSize: null,
    matchId: null,
    startupArgs: null,
    customData: {},
    ttlSeconds: null,
    token: `token-${specs}`,
    reportUrl: `http://127.0.0.1:1/v3/servers/${instanceId}/status`,
    ...more,
  };
}
