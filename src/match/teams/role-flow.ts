// Who takes which role on teams that need not be full (decision 61): each team has a least and a most number of players,
// and so has each of its roles. A flow with bounds answers it exactly, and quickly: a match has a hundred players at most.

import type { Shape } from './solver';
import type { Steps } from './steps';
import { leastOfRole } from '../rules/sizes';

/** Visits of an edge that take as long as a step. */
const VISITS_PER_STEP = 30;

/** A team that is used: how many players it takes of each role and in all, and who is on it already. */
export interface TeamRoom {
  readonly least: number;
  readonly most: number;
  /** By number of the role. */
  readonly demand: readonly number[];
  readonly members: Shape;
  /** Bots take what is left, also the one place of a role. */
  readonly bots: boolean;
}

/** Players who may go to any team, by the set of roles that they accept: how many must play, and how many may. */
export type Free = ReadonlyMap<number, { readonly must: number; readonly may: number }>;

/** How many of each role each team has, if all who must play find a role, and `enough` play in all; null: impossible. */
export function filled(
  rooms: readonly TeamRoom[],
  free: Free,
  steps: Steps,
  enough = 0,
): readonly (readonly number[])[] | null {
  const flow = new Flow();
  const roles = (rooms[0]?.demand ?? []).map(() => flow.node());
  for (const [set, { must, may }] of free) {
    const group = flow.node();
    flow.edge(flow.source, group, must, must + may);
    roles.forEach((role, at) => (set >> at) & 1 && flow.edge(group, role, 0, must + may));
  }
  const all = enough > 0 ? flow.node() : flow.sink;
  if (enough > 0) {
    flow.edge(all, flow.sink, enough, Infinity);
  }
  const taken = rooms.map(({ least, most, demand, members, bots }) => {
    const team = flow.node();
    const places = demand.map((count, at) => {
      const place = flow.node();
      flow.edge(roles[at] ?? 0, place, 0, count);
      return { place, edge: flow.edge(place, team, bots ? 0 : leastOfRole(count), count) };
    });
    for (let member = 0; member < members.length; member += 1) {
      const own = flow.node();
      flow.edge(flow.source, own, 1, 1);
      places.forEach(({ place }, at) => {
        if ((members.charCodeAt(member) >> at) & 1) {
          flow.edge(own, place, 0, 1);
        }
      });
    }
    flow.edge(team, all, least, most);
    return places.map(({ edge }) => edge);
  });
  const isPossible = flow.run();
  steps.left -= 1 + flow.visits / VISITS_PER_STEP;
  return isPossible ? taken.map((team) => team.map((edge) => flow.through(edge))) : null;
}

/** A flow from source to sink in which each edge carries at least and at most so much. */
class Flow {
  readonly source = 0;
  readonly sink = 1;
  /** What feeds the lower bounds, and what collects them. */
  readonly #from = 2;
  readonly #to = 3;
  #nodes = 4;
  visits = 0;
  /** Edges come in pairs, the second back. */
  readonly #heads: number[] = [];
  readonly #left: number[] = [];
  readonly #least: number[] = [];
  readonly #out: number[][] = [[], [], [], []];
  #needed = 0;

  node(): number {
    this.#out.push([]);
    this.#nodes += 1;
    return this.#nodes - 1;
  }

  /** The number of the edge. */
  edge(from: number, to: number, least: number, most: number): number {
    const edge = this.#pair(from, to, most - least);
    this.#least[edge] = least;
    if (least > 0) {
      this.#needed += least;
      this.#pair(this.#from, to, least);
      this.#pair(from, this.#to, least);
    }
    return edge;
  }

  #pair(from: number, to: number, most: number): number {
    const edge = this.#heads.length;
    this.#heads.push(to, from);
    this.#left.push(most, 0);
    this.#out[from]?.push(edge);
    this.#out[to]?.push(edge + 1);
    this.visits += 1;
    return edge;
  }

  through(edge: number): number {
    return (this.#least[edge] ?? 0) + (this.#left[edge + 1] ?? 0);
  }

  /** True if every edge can carry what it must. */
  run(): boolean {
    this.#pair(this.sink, this.source, Infinity);
    let fed = 0;
    for (let more = this.#augment(); more > 0; more = this.#augment()) {
      fed += more;
    }
    return fed === this.#needed;
  }

  /** Finds a shortest way along which more can go, and sends it. How much that was. */
  #augment(): number {
    const cameBy = new Int32Array(this.#nodes).fill(-1);
    const line = [this.#from];
    for (const at of line) {
      for (const edge of this.#out[at] ?? []) {
        this.visits += 1;
        const to = this.#heads[edge] ?? 0;
        if ((this.#left[edge] ?? 0) > 0 && cameBy[to] === -1 && to !== this.#from) {
          cameBy[to] = edge;
          line.push(to);
        }
      }
    }
    if (cameBy[this.#to] === -1) {
      return 0;
    }
    const way: number[] = [];
    for (let at = this.#to; at !== this.#from; at = this.#heads[(way.at(-1) ?? 0) ^ 1] ?? 0) {
      way.push(cameBy[at] ?? 0);
    }
    const more = Math.min(...way.map((edge) => this.#left[edge] ?? 0));
    for (const edge of way) {
      this.#left[edge] = (this.#left[edge] ?? 0) - more;
      this.#left[edge ^ 1] = (this.#left[edge ^ 1] ?? 0) + more;
    }
    return more;
  }
}
