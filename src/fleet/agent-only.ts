// What of a build only local agents do, and receivers of your own that do as they like.

import type { LaunchBuild } from './port';

/** The fields of the build that do nothing elsewhere. */
export function agentOnly({ launch, ports }: LaunchBuild): readonly string[] {
  const { files, keep, ready = 'port' } = launch;
  const fields: Readonly<Record<string, boolean>> = {
    'launch.files': files !== undefined,
    'launch.keep': keep !== undefined,
    'launch.ready': ready !== 'port',
    'ports[].offset': ports.some(({ offset }) => offset !== undefined),
    'ports[].fixed': ports.some(({ fixed }) => fixed !== undefined),
  };
  return Object.keys(fields).filter((name) => fields[name]);
}
