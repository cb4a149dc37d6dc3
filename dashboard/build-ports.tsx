// The ports of a build.

import type { JSX } from 'preact';
import type { Build } from '../src/fleet/build';
import { DEFAULT_PORT_NAMES } from '../src/fleet/ports';

/** The ports that its servers open. */
export function PortsOf({ build }: { readonly build: Build }): JSX.Element {
  return build.ports.length === 0 ? (
    <span class="dim">{DEFAULT_PORT_NAMES.join(', ')}</span>
  ) : (
    <ul class="plain">
      {build.ports.map(({ name, internal_port, protocol, tls, offset, fixed }) => (
        <li key={name}>
          {name}{' '}
          <code>
            {fixed ?? (offset === undefined ? (internal_port ?? 'any') : `first + ${offset}`)}/
            {protocol}
          </code>
          {tls !== undefined && ' (wss by the proxy)'}
        </li>
      ))}
    </ul>
  );
}
