// A Server object with everybody around it in the test's hand: its fleet, its project, its owner, and its log.

import type { Fleet, LaunchSpec } from '../../src/fleet/port';
import { onlyFleet, type ServerSurroundings } from '../../src/fleet/fleets';
import type { Build } from '../../src/fleet/build';
import type { Candidate } from '../../src/lobby/hosting';
import type { LaunchOrder, ServerReport } from '../../src/objects/contracts/server';
import type { ProjectDocument, ServerRow } from '../../src/objects/contracts/project';
import { ServerActor } from '../../src/objects/server/actor';
import type { Instance } from '../../src/objects/server/state';
import {
  simulatedFleet,
  type SimulatedFleet,
  type SimulatedFleetOptions,
} from '../../proof/sim/simulated-fleet';
import { fakePorts, lives } from '../fleet/ports.ts';
import { matchOrder } from './match-order.ts';

export interface ServerRigOptions {
  readonly build?: Partial<Build>;
  readonly document?: Partial<ProjectDocument>;
  /** How its fleet behaves. */
  readonly simulated?: Partial<SimulatedFleetOptions>;
  /** What its fleet does otherwise. */
  readonly fleet?: Partial<Fleet>;
  readonly around?: Partial<ServerSurroundings>;
  /** What an earlier object left. */
  readonly saved?: Map<string, unknown>;
  readonly hosts?: () => Promise<readonly Candidate[]>;
  readonly project?: object;
  readonly upSince?: number;
}

export function serverRig(options: ServerRigOptions = {}) {
  const told: ServerReport[] = [];
  const rows: ServerRow[] = [];
  const logged: (readonly [string, object | undefined])[] = [];
  const stops: string[] = [];
  const specs: LaunchSpec[] = [];
  const is = { owned: true, keptMs: undefined as number | undefined };
  const owner = {
    serverReport: async (report: ServerReport) => (told.push(report), is.owned),
    hosts: options.hosts ?? (async () => []),
  };
  const project = {
    serverChanged: async (row: ServerRow) => (rows.push(row), is.keptMs),
    ...options.project,
  };
  const build = {
    name: 'game',
    version: 7,
    label: null,
    status: 'ready' as const,
    launch: {},
    ports: [],
    ...options.build,
  };
  const fake = fakePorts({
    name: matchOrder.instanceId,
    document: { revision: 1, configs: {}, builds: { game: build }, ...options.document },
    peers: {
      project: () => project as never,
      match: () => owner as never,
      lobby: () => owner as never,
    },
    ...(options.saved === undefined ? {} : { saved: options.saved }),
    upSince: options.upSince,
  });
  const simulated: SimulatedFleet = simulatedFleet({
    now: () => fake.now(),
    ...options.simulated,
  });
  const fleet: Fleet = {
    ...simulated,
    launch: (spec) => {
      specs.push(spec);
      return simulated.launch(spec);
    },
    stop: (id) => {
      stops.push(id);
      return simulated.stop(id);
    },
    ...options.fleet,
  };
  const ports = {
    ...fake.ports,
    log: (event: string, facts?: object): void => void logged.push([event, facts]),
  };
  const around = { fleets: onlyFleet(fleet), publicUrl: 'https://muster.test', ...options.around };
  const actor = new ServerActor(ports, around);
  const saw = (): Instance => fake.saved.get('instance') as Instance;
  const live = (ms: number): Promise<void> => lives(fake, () => actor.alarm(), ms);
  /** Launches, and lets the answer come. */
  const launch = async (patch: Partial<LaunchOrder> = {}) => {
    const launching = actor.launch({ ...matchOrder, ...patch });
    await fake.pass(60_000);
    return launching;
  };
  return { ...fake, actor, simulated, told, rows, logged, stops, specs, is, saw, live, launch };
}

/** A server that runs. */
export async function runningServer(
  options: ServerRigOptions = {},
  order: Partial<LaunchOrder> = {},
) {
  const rig = serverRig(options);
  await rig.launch(order);
  if (rig.saw().status !== 'running') {
    throw new Error(`the server is ${rig.saw().status}`);
  }
  return rig;
}

/** The code of a refusal, or `ok`. */
export function codeOf(reply: { readonly ok: boolean }): string {
  const { refusal } = reply as { readonly refusal?: { readonly code: string } };
  return refusal?.code ?? 'ok';
}

/** The names of what was logged, each with some facts of it. */
export function linesOf(
  { logged }: Pick<ReturnType<typeof serverRig>, 'logged'>,
  ...facts: readonly string[]
): readonly (readonly unknown[])[] {
  return logged.map(([event, told]) => [
    event,
    ...facts.map((fact) => (told as Readonly<Record<string, unknown>>)[fact]),
  ]);
}
