// Holds new matches back that could not start: while launches of their build fail (record 0089), their lobbies are not
// asked to hold, and only wait. The project says when one may be tried. Backfills go on, as do all time-outs.

import { within } from '../../common/later';
import { FAILING_LAUNCHES } from '../../common/limits';
import type { Ticket } from '../../match/ticket/ticket';
import type { SavedNow } from '../contracts/match';
import type { ActorPorts } from '../contracts/actor-ports';
import type { QueueState } from './state';

/** How soon it is found out that launches succeed again. */
const LOOK_MS = 2_000;
const ANSWER_MS = 3_000;
/** What players read of a match without a build, and how often the alarm of a queue that sleeps looks for one. */
const UNBUILT_MS = 10_000;

interface Core {
  readonly ports: ActorPorts;
  readonly state: QueueState;
  /** Saves that the proposal is held no more, and drives it. */
  readonly letGo: (id: string) => void;
  /** The build that a new match of such tickets would run on. */
  readonly buildOf: (ticket: Ticket | undefined) => Promise<SavedNow['build']>;
}

export class Brake {
  readonly #core: Core;
  /** A launch has failed lately, so each new match is held back until the project has said that it may start. */
  isOn: boolean;
  /** When a held match is tried next, epoch ms. Null: none is held, or that is not known yet. */
  tryAt: number | null = null;
  #isLooking = false;
  /** Matches whose launch has failed since one had a build. */
  #failures = 0;
  #cancel: () => void = () => {};

  constructor(core: Core) {
    this.#core = core;
    this.isOn = core.state.proposals.values().some(({ held }) => held === true);
  }

  /** A launch of a match of the queue has failed. */
  failed(): void {
    this.isOn = true;
    this.#failures += 1;
  }

  /** Call whenever a match may be held. */
  look(): void {
    if (this.isOn && !this.#isLooking) {
      this.#isLooking = true;
      this.#cancel();
      this.#core.ports.background(Promise.resolve().then(() => this.#look()));
    }
  }

  /** Lets go what may start now, eldest first. */
  async #look(): Promise<void> {
    const { state, ports } = this.#core;
    const said = new Map<string, number | null>();
    let waitMs = Infinity;
    // Those that come meanwhile are at the end of it.
    for (const { id, held } of state.proposals.values()) {
      const wait = held === true ? await this.#waitOf(id, said) : null;
      if (wait !== null && wait > 0) {
        waitMs = Math.min(waitMs, wait);
      } else if (held === true) {
        this.#core.letGo(id);
      }
    }
    this.#isLooking = false;
    const isHolding = waitMs < Infinity;
    this.isOn = isHolding || said.size === 0 || said.values().some((each) => each !== null);
    this.tryAt = isHolding ? ports.now() + waitMs : null;
    if (isHolding) {
      this.#cancel = ports.later(Math.min(waitMs, LOOK_MS), () => this.look());
    }
  }

  /** How long it waits, ms. Null: it does not. `said`: what the project has said by now, by build and region. */
  async #waitOf(id: string, said: Map<string, number | null>): Promise<number | null> {
    const { state, ports } = this.#core;
    const first = state.tickets.get(state.proposals.get(id)?.tickets[0] ?? ('' as Ticket['id']));
    const build = await this.#core.buildOf(first?.ticket);
    const { what, tickets = [] } = state.proposals.get(id) ?? {};
    const all = tickets.flatMap((each) => state.tickets.get(each)?.ticket ?? []);
    // One that somebody has left comes to nothing.
    if (what?.kind !== 'new' || all.length < tickets.length || build === undefined) {
      return null;
    }
    if (build === null) {
      // The first fail, as their players are told (spec: Rule semantics 9). No try is needed: the document says when there is a build.
      return this.#failures < FAILING_LAUNCHES ? null : UNBUILT_MS;
    }
    this.#failures = 0;
    const { region } = what.proposal;
    const key = JSON.stringify([build.name, region]);
    const known = said.get(key);
    // After a try the answer is another.
    if (known !== undefined && known !== 0) {
      return known;
    }
    const asked = ports.peers.project(ports.name[0] ?? '').launchPause(build.name, region, true);
    const pause = await within(ports, ANSWER_MS, asked).catch(() => null);
    said.set(key, pause);
    return pause;
  }
}
