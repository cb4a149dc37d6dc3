// Homes behind routers on an internet of their own: network namespaces of this machine that reach nothing else. A router
// translates addresses as its kind does (RFC 4787 has the names of what it maps and filters).

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * `full cone`: anybody may answer at a port that the player has used. `restricted`: who was sent something, from any port.
 * `port restricted`: from the port that it was sent to. `symmetric`: the same, and each destination sees another port.
 * `no UDP`: a firewall of a company or hotel.
 */
export const KINDS = ['full cone', 'restricted', 'port restricted', 'symmetric', 'no UDP'] as const;
export type Kind = (typeof KINDS)[number];

/** Of documentation (RFC 5737), so it is nobody's. Muster, the pages and coturn have the first address. */
const INTERNET = '203.0.113';
export const CENTRE = `${INTERNET}.1`;
const MASQUERADE = 'nat -A POSTROUTING -o wan -j MASQUERADE';

/** For iptables. `lan` and `wan` are the two sides of the router. */
function rulesOf(kind: Kind, own: string): readonly string[] {
  const forward = 'nat -A PREROUTING -i wan -p udp';
  // What nobody here has asked for leaves no trace, or it would take the port from who asks later.
  const closed = 'filter -A INPUT -i wan -j DROP';
  switch (kind) {
    case 'full cone':
      return [MASQUERADE, `${forward} -j DNAT --to-destination ${own}`, closed];
    case 'restricted':
      return [
        MASQUERADE,
        'filter -A FORWARD -o wan -p udp -m recent --name sent --rdest --set',
        `${forward} -m recent --name sent --rsource --rcheck -j DNAT --to-destination ${own}`,
        closed,
      ];
    case 'port restricted':
      return [MASQUERADE, closed];
    case 'symmetric':
      return [`${MASQUERADE} --random`, closed];
    default:
      return [MASQUERADE, 'filter -A FORWARD -p udp -j DROP', closed];
  }
}

/** A namespace that was made for this run. */
function nameOf(what: string): string {
  return `muster-nats-${process.pid}-${what}`;
}

async function ip(line: string): Promise<void> {
  await run('ip', line.split(' '));
}

export interface Home {
  readonly kind: Kind;
  /** A program that runs another one inside of the home. */
  readonly browser: string;
}

export class Networks {
  readonly #made: string[] = [];
  readonly #folder: string;
  readonly #internet = nameOf('internet');

  constructor(folder: string) {
    this.#folder = folder;
  }

  async #namespace(name: string): Promise<string> {
    await ip(`netns add ${name}`);
    this.#made.push(name);
    await ip(`-n ${name} link set lo up`);
    return name;
  }

  async #cable(
    one: { readonly space: string; readonly name: string },
    two: { readonly space: string; readonly name: string },
  ): Promise<void> {
    await ip(
      `link add ${one.name} netns ${one.space} type veth peer name ${two.name} netns ${two.space}`,
    );
    await ip(`-n ${one.space} link set ${one.name} up`);
    await ip(`-n ${two.space} link set ${two.name} up`);
  }

  /** The internet, and how a program is run there. Throws where this machine has no namespaces. */
  async begin(): Promise<readonly string[]> {
    const space = await this.#namespace(this.#internet);
    await ip(`-n ${space} link add switch type bridge`);
    await ip(`-n ${space} addr add ${CENTRE}/24 dev switch`);
    await ip(`-n ${space} link set switch up`);
    await this.#beyond(space, 'switch');
    return ['ip', 'netns', 'exec', space];
  }

  /** What is for an address of somebody's home gets lost on the internet. A relay would take an error for its end. */
  async #beyond(space: string, port: string): Promise<void> {
    const nobody = `${INTERNET}.254`;
    await ip(`-n ${space} neigh add ${nobody} lladdr 02:00:00:00:00:01 dev ${port} nud permanent`);
    await ip(`-n ${space} route add default via ${nobody} dev ${port}`);
  }

  async home(kind: Kind): Promise<Home> {
    const at = this.#made.length;
    const router = await this.#namespace(nameOf(`router-${at}`));
    const home = await this.#namespace(nameOf(`home-${at}`));
    const own = `192.168.${at}.2`;
    const port = `port${at}`;
    await this.#cable({ space: router, name: 'wan' }, { space: this.#internet, name: port });
    await this.#cable({ space: router, name: 'lan' }, { space: home, name: 'net' });
    await ip(`-n ${this.#internet} link set ${port} master switch`);
    await ip(`-n ${router} addr add ${INTERNET}.${10 + at}/24 dev wan`);
    await ip(`-n ${router} addr add 192.168.${at}.1/24 dev lan`);
    await this.#beyond(router, 'wan');
    await ip(`-n ${home} addr add ${own}/24 dev net`);
    await ip(`-n ${home} route add default via 192.168.${at}.1`);
    await ip(`netns exec ${router} sysctl -qw net.ipv4.ip_forward=1`);
    for (const rule of rulesOf(kind, own)) {
      await ip(`netns exec ${router} iptables -t ${rule}`);
    }
    const browser = join(this.#folder, `browser-${at}`);
    const chromium = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
    const script = `#!/bin/sh\nexec ip netns exec ${home} ${chromium} "$@"\n`;
    await writeFile(browser, script, { mode: 0o755 });
    return { kind, browser };
  }

  async end(): Promise<void> {
    for (const name of this.#made.toReversed()) {
      await ip(`netns del ${name}`).catch(() => {});
    }
  }
}
