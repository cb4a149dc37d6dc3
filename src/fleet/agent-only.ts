// What of a build only local agents do, and receivers of your own that do as they like.

import type { LaunchBuild } from './port';

/** A fleet's answer to a check (port.ts) of a build that has more than the fleet can do. */
export async function agentOnly({ launch, ports }: LaunchBuild): Promise<string | null> {
  const { files, keep } = launch;
  const isSet = { 'launch.files': files, 'launch.keep': keep };
  const vain = Object.entries(isSet).flatMap(([name, value]) => (value === undefined ? [] : name));
  const numbers = ['offset', 'fixed'] as const;
  const used = numbers.filter((key) => ports.some((port) => port[key] !== undefined));
  const all = [...vain, ...used.map((key) => `ports[].${key}`)];
  return all.length === 0 ? null : `only local agents do ${all.join(' and ')}`;
}
