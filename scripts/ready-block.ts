// The text that `npm start` prints once it accepts requests: where everything is, and what to try first.

import { join } from 'node:path';

import { dashboardLink } from './dev-keys.ts';
import { SEEDED } from './seed.ts';

export interface Start {
  readonly dataDir: string;
  readonly ms: number;
  /** Addresses by which other machines reach the service, the likeliest first. Empty on a loopback address. */
  readonly addresses: readonly string[];
  /** Whether this start saved the config of the examples. */
  readonly isSeeded: boolean;
}

/** The addresses and keys of the running programs. */
export interface Reached {
  readonly url: string;
  readonly agentUrl: string;
  /** The server key of project `dev`. Empty if the keys are those of API_KEYS. */
  readonly serverKey: string;
  readonly clientKey: string;
}

/** The whole text. Every command in it works as it is, unless the keys are those of API_KEYS. */
export function readyBlock(running: Reached, start: Start): string {
  const { url, agentUrl, serverKey } = running;
  const { dataDir, ms, addresses, isSeeded } = start;
  const dashboard = serverKey === '' ? `${url}/dashboard/` : dashboardLink(url, serverKey);
  const seeded = isSeeded
    ? `\n  config    ${SEEDED.config}, with the mode ${SEEDED.mode} (1 against 1), is saved for the examples; change or delete it as you like`
    : '';
  return `
muster: ready after ${ms} ms
  service   ${url}
  dashboard ${dashboard}
  API       ${url}/docs
  agent     ${agentUrl}, starts game servers on this machine
  keys      ${keysOf(running, dataDir)}${seeded}
  data      ${dataDir}
  stop      Ctrl-C; the data stays
${addresses.length > 0 ? elsewhere(running, start) : ''}
${tryThis(running)}`;
}

function keysOf({ clientKey, serverKey }: Reached, dataDir: string): string {
  if (serverKey === '') {
    return 'those of API_KEYS; the development keys are not accepted';
  }
  const kept = (name: string): string => join(dataDir, name);
  const isKept = clientKey !== 'client_dev_key';
  const client = isKept ? `players, kept in ${kept('client-key')}` : 'players';
  const why = isKept ? '; client_dev_key works on a loopback address only' : '';
  return `${clientKey} (${client}), ${serverKey} (operators, kept in ${kept('server-key')})${why}`;
}

/** How to play from a phone or a second machine: with this machine's address and the client key. */
function elsewhere({ url, clientKey }: Reached, { addresses }: Start): string {
  const { port } = new URL(url);
  const [first = '', ...others] = addresses;
  const at = `http://${first}:${port}`;
  const key = clientKey === '' ? 'CLIENT_KEY' : clientKey;
  const also = others.length > 0 ? `\n  This machine's other addresses: ${others.join(', ')}` : '';
  return `
From a phone or a second machine in the same network, open:
  ${at}/?key=${key}   (two players on one page)${
    clientKey === ''
      ? ''
      : `\n  ${at}/examples/browser-lobby/?key=${key}   (one player on each device)`
  }
  A game uses ${at} as its address and ${key === 'CLIENT_KEY' ? 'one of your client keys' : `${key} as its key`}. If nothing opens there, allow port ${port} and the ports of
  game servers (20000-20999, UDP and TCP) in this machine's firewall.${also}
`;
}

function tryThis({ url, clientKey, serverKey }: Reached): string {
  const key = clientKey === '' ? 'CLIENT_KEY' : clientKey;
  const yours = clientKey === '' ? ' Put one of your client keys in place of CLIENT_KEY.' : '';
  const headers = `-H 'api-key: ${key}' -H 'x-player-id: ann'`;
  const server = serverKey === '' ? '' : `\n  export SERVER_KEY=${serverKey}`;
  return `For the commands of the guides, in a second terminal:
  export MUSTER=${url}/v3${server}
Try this as the player ann. Watch her events, then create a lobby and start its game server in a second terminal:
  curl -N ${url}/v3/lobbies/main/me/events ${headers}
  curl -X POST ${url}/v3/lobbies/main ${headers} -d '{"name":"hello"}'
  curl -X POST ${url}/v3/lobbies/main/me/start ${headers}
${yours}
The log follows, a line an event:`;
}
