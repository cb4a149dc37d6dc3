// Which address of this machine a phone is told.

import type { NetworkInterfaceInfo } from 'node:os';
import { expect, it } from 'vitest';
import { addressesOf } from '../../../scripts/network.ts';

function ipv4(address: string, internal = false): NetworkInterfaceInfo {
  return { address, internal, family: 'IPv4', netmask: '', mac: '', cidr: null };
}

const INTERFACES = {
  lo: [ipv4('127.0.0.1', true)],
  docker0: [ipv4('172.17.0.1')],
  wlan0: [{ ...ipv4('fe80::1'), family: 'IPv6', scopeid: 1 } as const, ipv4('192.168.1.20')],
};

it.each([
  ['0.0.0.0', ['192.168.1.20', '172.17.0.1']],
  ['::', ['192.168.1.20', '172.17.0.1']],
  ['192.168.1.20', ['192.168.1.20']],
  ['127.0.0.1', []],
  ['localhost', []],
])('on %s', (host, addresses) => {
  expect(addressesOf(host, INTERFACES)).toEqual(addresses);
});
