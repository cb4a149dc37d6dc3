// The lines for room (record 0068): the servers of matches that wait, in the order in which they came, a line for each
// build and region. First come, first served.
//
// How many have their turn at a time is tried out. It is one while fleets are full. Once they take several in a row, each
// doubles it, so that a line is gone soon when there is much room, however long a fleet takes to answer. A turn is not a right but
// a try: whoever has it asks the fleets, and comes back if they are full. So a turn may be given twice, or to somebody who
// is gone: one that has not asked for too long is passed over, and has its place again when it asks.

import type { ServerGroup } from '../../../packages/js/src/dashboard-types';
import { iso } from '../../common/clock';
import type { InstanceId } from '../../common/ids';
import { backoff } from '../../common/later';
import { must } from '../../common/result';
import type { ActorPorts } from '../contracts/actor-ports';
import type { InLine, ServerRow, TurnInLine } from '../contracts/project';
import { commit } from '../kit/commit';

/** Who waits, since when, and until when at most, epoch ms. */
interface LineRow extends Pick<InLine, 'id' | 'build' | 'region'> {
  readonly since: number;
  readonly until: number;
}

interface LineMember extends LineRow {
  /** Who does not ask until then is passed over. */
  dueAt: number;
  /** It has its turn, and knows. */
  isCalled: boolean;
}

interface ServerQueue {
  /** In the order of their wait. */
  waiting: LineMember[];
  /** How many in a row were taken; below 0, how often in a row there was no room. Not saved. */
  luck: number;
}

const PREFIX = 'line:';
/** How soon the first asks again, if nobody tells that there is room. */
const TRIES = { first: 500, last: 4_000 };
/** Further back they ask more rarely, so that a line of 600 asks some thirty times a second. */
const PLACE_MS = 500;
const LONGEST_MS = 30_000;
/** A launch that its fleet does not answer takes 20 s. */
const LEASE_MS = 30_000;
const MOST_AT_A_TIME = 16;
/** So many in a row say that there is more room. Fewer may have had a place each that just came free. */
const ROOM = 4;
const NO_LINE: TurnInLine = { position: 0, since: 0, isTurn: true, againMs: 0 };

function widthOf({ luck }: ServerQueue): number {
  return luck < ROOM ? 1 : Math.min(MOST_AT_A_TIME, 2 ** (luck - ROOM + 1));
}

export class WaitingLines {
  readonly #ports: ActorPorts;
  readonly #lines = new Map<string, ServerQueue>();

  constructor(ports: ActorPorts) {
    this.#ports = ports;
    for (const [, row] of ports.store.list<LineRow>(PREFIX)) {
      this.#add(row, LONGEST_MS);
    }
  }

  #add(row: LineRow, againMs: number): LineMember {
    const key = JSON.stringify([row.build, row.region]);
    const line = this.#lines.get(key) ?? { waiting: [], luck: 0 };
    const who = { ...row, dueAt: this.#ports.now() + againMs + LEASE_MS, isCalled: false };
    line.waiting = [...line.waiting, who].sort((a, b) => a.since - b.since);
    this.#lines.set(key, line);
    return who;
  }

  #lineOf({ build, region }: Pick<InLine, 'build' | 'region'>): ServerQueue | undefined {
    return this.#lines.get(JSON.stringify([build, region]));
  }

  /** Whether somebody waits there. */
  isFull(region: string): boolean {
    return this.#lines.values().some(({ waiting }) => waiting[0]?.region === region);
  }

  shown(): readonly ServerGroup[] {
    return [...this.#lines.values()].flatMap(({ waiting }) =>
      waiting.slice(0, 1).map(({ build, region, since }): ServerGroup => {
        const count = waiting.length;
        return { state: 'waiting', build, region, fleet: null, count, since: iso(since) };
      }),
    );
  }

  stand(asked: InLine, isFull: boolean): TurnInLine {
    const now = this.#ports.now();
    this.#forget(({ until }) => until + LEASE_MS <= now);
    const known = this.#lineOf(asked)?.waiting ?? [];
    if (known.length === 0 && asked.since === null && !isFull) {
      return NO_LINE;
    }
    const who = known.find(({ id }) => id === asked.id) ?? this.#join(asked, known.at(-1)?.since);
    const line = must(this.#lineOf(asked), 'the line of a server that stands in it');
    line.luck = isFull ? Math.min(line.luck, 0) - 1 : line.luck;
    const isAhead = ({ since, dueAt }: LineMember) => since < who.since && dueAt > now;
    const ahead = line.waiting.filter(isAhead).length;
    const isInFront = ahead < widthOf(line);
    const againMs = isInFront
      ? backoff(Math.max(0, -line.luck - 1), TRIES)
      : Math.min(LONGEST_MS, Math.max(TRIES.first, ahead * PLACE_MS));
    who.isCalled = isInFront && !isFull;
    who.dueAt = now + againMs + LEASE_MS;
    return { position: ahead + 1, since: who.since, isTurn: who.isCalled, againMs };
  }

  #join({ id, build, region, patienceMs, ...asked }: InLine, last = 0): LineMember {
    // No two come at the same instant, and while the clock is set back nobody comes before the others.
    const since = asked.since ?? Math.max(this.#ports.now(), last + 1);
    const row: LineRow = { id, build, region, since, until: since + patienceMs };
    commit(this.#ports, () => this.#ports.store.put(PREFIX + id, row));
    return this.#add(row, 0);
  }

  #forget(isGone: (who: LineMember) => boolean): void {
    for (const [key, line] of this.#lines) {
      const gone = line.waiting.filter(isGone);
      if (gone.length > 0) {
        commit(this.#ports, () => gone.forEach(({ id }) => this.#ports.store.delete(PREFIX + id)));
        line.waiting = line.waiting.filter((who) => !gone.includes(who));
      }
      if (line.waiting.length === 0) {
        this.#lines.delete(key);
      }
    }
  }

  /** News of a server, which may end its wait or make room. Returns the servers that have their turn now. */
  heard({ block, waits }: ServerRow): readonly InstanceId[] {
    const { instance_id: id, version_tag: build, region, stopped_at: stoppedAt } = block;
    const isRoom = stoppedAt !== null;
    const line = build === null ? undefined : this.#lineOf({ build, region });
    const who = waits === true ? undefined : line?.waiting.find((each) => each.id === id);
    if (line !== undefined && who !== undefined) {
      line.luck = isRoom ? line.luck : Math.max(line.luck, 0) + 1;
      this.#forget((each) => each === who);
    } else if (!isRoom) {
      return [];
    }
    return [...this.#lines.values()].flatMap((each) => this.#called(each, isRoom));
  }

  /** `isRoom`: a server has ended. Its place may be any line's: the first of each tries, also one that has just tried. */
  #called(line: ServerQueue, isRoom: boolean): readonly InstanceId[] {
    const now = this.#ports.now();
    line.luck = isRoom ? Math.max(line.luck, 0) : line.luck;
    const inFront = line.waiting.filter(({ dueAt }) => dueAt > now).slice(0, widthOf(line));
    const called = inFront.filter(({ isCalled }, index) => !isCalled || (isRoom && index === 0));
    for (const who of called) {
      who.isCalled = true;
      who.dueAt = now + LEASE_MS;
    }
    return called.map(({ id }) => id);
  }
}
