// Projects that share a box take turns. Each has a limited number of requests under way, and its others wait in order, so
// it only delays itself. A request that waits for something else (a fleet, a match) gives up its turn after a moment.

import type { Later } from '../../common/later';
import { quotasOf } from '../../common/quotas';
import { Refused } from '../wire/answer';
import type { Place } from '../../objects/placement/at';
import type { Env } from '../../objects/placement/env';
import { limited } from './rates';

/** How many requests a project may have under way: beside other projects, and if none was active for a moment. */
const BESIDE = 3;
const ALONE = 64;
const MOMENT_MS = 2_000;
const TURN_MS = 100;
const MAX_WAITING = 2_000;
const RETRY_SECONDS = 2;

interface ProjectTurns {
  running: number;
  readonly waiting: (() => void)[];
}

type TurnsByProject = Map<string, ProjectTurns>;

/** By project: of each object, because what it has under way ends with it. */
const all = new WeakMap<Later, TurnsByProject>();

/** Whether projects share a box, so that their requests take turns. */
export function isShared(env: Env): boolean {
  return env.BOX !== undefined && quotasOf(env).isShared;
}

/** Runs a part of a call of no project, in the turn of the project that it is about. */
export function sharing<T>({ env, later }: Place, project: string, work: () => Promise<T>) {
  return isShared(env) ? inTurn(project, later, work) : work();
}

/**
 * Runs `work` when the project has a turn. Throws Refused, RATE_LIMITED, if too many of its requests wait. `later` sets the
 * timers of the object that serves them.
 */
export async function inTurn<T>(project: string, later: Later, work: () => Promise<T>): Promise<T> {
  if (project !== latest?.project) {
    latest = { project, changedAt: latest === null ? null : Date.now() };
  }
  const lines: TurnsByProject = all.get(later) ?? new Map();
  all.set(later, lines);
  const line = lines.get(project) ?? { running: 0, waiting: [] };
  lines.set(project, line);
  if (line.running >= atOnce()) {
    if (line.waiting.length >= MAX_WAITING) {
      const detail = 'Too many requests of this project at once; ask again after Retry-After';
      throw new Refused(limited('turns.project', detail, { retryAfter: RETRY_SECONDS }));
    }
    await new Promise<void>((resume) => line.waiting.push(resume));
  } else {
    line.running += 1;
  }
  let isOver = false;
  const over = (): void => {
    if (!isOver) {
      isOver = true;
      passOn(line);
      if (line.running === 0) {
        lines.delete(project);
      }
    }
  };
  const ended = later(TURN_MS, over);
  try {
    return await work();
  } finally {
    ended();
    over();
  }
}

/** The project of the last request, and when that changed. Null: there has only been one project. */
let latest: { readonly project: string; readonly changedAt: number | null } | null = null;

function atOnce(): number {
  const changedAt = latest?.changedAt ?? -Infinity;
  const isAlone = Date.now() - changedAt > MOMENT_MS;
  return isAlone ? ALONE : BESIDE;
}

function passOn(line: ProjectTurns): void {
  line.running -= 1;
  const most = atOnce();
  while (line.waiting.length > 0 && line.running < most) {
    line.running += 1;
    line.waiting.shift()?.();
  }
}
