// Uses the tokens of game servers at full speed, in a process of its own: `node proof/bench/limits/tokens.ts URL SECONDS
// CONNECTIONS JSON`, where JSON is a list of `{id, token}`. Each connection reports, asks for seats and reads the roster
// without a pause, whatever the answers say. Prints the number of answers by status.

import { Agent, request } from 'node:http';

const [url = '', seconds = '1', connections = '24', servers = '[]'] = process.argv.slice(2);
const tokens = JSON.parse(servers) as readonly { readonly id: string; readonly token: string }[];
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
const until = Date.now() + Number(seconds) * 1_000;
const statuses: Record<number, number> = {};
const asked = [
  ['POST', 'status', { status: 'running' }],
  ['POST', 'seats', { ticket: 'none' }],
  ['GET', 'roster', null],
] as const;

function ask(at: number, turn: number): Promise<number> {
  const { id = '', token = '' } = tokens[at % tokens.length] ?? {};
  const [method, path, body] = asked[turn % asked.length] ?? asked[0];
  const { hostname: host, port } = new URL(url);
  const headers = { authorization: `Bearer ${token}` };
  return new Promise((resolve) => {
    const options = { agent, host, port, method, path: `/v3/servers/${id}/${path}`, headers };
    const sent = request(options, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', () => resolve(0));
    sent.end(body === null ? undefined : JSON.stringify(body));
  });
}

async function worker(at: number): Promise<void> {
  for (let turn = at; Date.now() < until; turn += 1) {
    const status = await ask(at, turn);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
}

await Promise.all(Array.from({ length: Number(connections) }, (_, at) => worker(at)));
process.stdout.write(JSON.stringify(statuses));
process.exit(0);
