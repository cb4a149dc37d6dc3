// Requests between objects: delayed, lost on the way there or back, delivered twice or late.
// Calls on one stub arrive in order, calls on different stubs in any.

import type { HoldReply } from '../../src/objects/contracts/lobby';
import { clone } from './clone';
import type { Weather } from './faults';
import { shortly, type Journal } from './journal';
import type { Loop } from './loop';
import { Broken, type Call, type Caller, type Kind, type Node } from './parts';

export interface NetworkOptions {
  readonly loop: Loop;
  readonly weather: Weather;
  readonly journal: Journal;
}

export interface Request {
  readonly from: Caller;
  readonly to: Node;
  readonly method: string;
  readonly args: readonly unknown[];
  /** When the last call on the same stub arrives. */
  readonly stub: { lastAt: number };
}

/** Parts of a person's request: a second delivery would be a second request, not an echo. */
const ONCE: ReadonlySet<string> = new Set([
  'execute',
  'events',
  'watch',
  'create',
  'join',
  'quickJoin',
  'joinByKey',
  'deleteIfHost',
  'signal',
]);
/** Of these, the calls that an object may give up on. They may still arrive late. */
const ASKED_BY_OBJECTS: ReadonlySet<string> = new Set(['deleteIfHost']);

/** Answers that show that something rare has happened, by method. */
const RARE: Readonly<Record<string, (value: unknown) => string | null>> = {
  hold: (value) => ((value as HoldReply).held ? null : 'a hold is refused'),
  open: (value) => (value === 'aborted' ? 'a commit comes too late' : null),
  admit: (value) => (value === null ? null : 'a running match has no room any more'),
  outcome: (value) => (value === 'aborted' ? 'a lobby lets go of a match nobody opened' : null),
};

const calls = new Map<Kind, Map<string, string>>();

/** The name of the count, made once: calls are many. */
function callOf(kind: Kind, method: string): string {
  const known = calls.get(kind) ?? new Map<string, string>();
  calls.set(kind, known);
  const name = known.get(method) ?? `call: ${kind}.${method}`;
  known.set(method, name);
  return name;
}

/** A run has some hundred calls. So many mean that somebody asks again and again without a pause. */
const MAX_CALLS = 20_000;

export function countCall(
  journal: Journal,
  kind: Kind,
  { method, args }: Pick<Call, 'method' | 'args'>,
): void {
  journal.count('calls');
  const all = journal.counts.get('calls') ?? 0;
  if (all === MAX_CALLS) {
    journal.violation(`calls without end, such as ${kind}.${method}`);
  }
  if (all >= MAX_CALLS) {
    throw new Error('calls without end');
  }
  journal.count(callOf(kind, method));
  if (method === 'returned') {
    journal.count(`returned: ${String(args[1])}`);
  }
}

export function countAnswer(journal: Journal, method: string, value: unknown): void {
  const rare = RARE[method]?.(value) ?? null;
  if (rare !== null) {
    journal.count(`happened: ${rare}`);
  }
}

export class Network {
  readonly #options: NetworkOptions;
  #calls = 0;

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  send(request: Request): Promise<unknown> {
    const { from, to, method } = request;
    const args = clone(request.args);
    this.#calls += 1;
    const id = this.#calls;
    countCall(this.#options.journal, to.kind, { method, args });
    return new Promise((resolve, reject) => {
      const call: Call = {
        id,
        from,
        method,
        args,
        answered: (value) => this.#back({ call, to }, value, resolve),
        failed: (error, after) => this.#fail({ call, to }, error, { after, reject }),
      };
      from.gate(() => this.#leave(request, call));
    });
  }

  #leave({ to, stub, method }: Request, call: Call): void {
    const { loop, weather, journal } = this.#options;
    if (weather.chance('lostRequest')) {
      journal.count('requests lost');
      journal.say(() => `--- request #${call.id} ${method} to ${to.label} is lost`);
      call.failed(new Broken('the request was lost'), weather.silence());
      return;
    }
    const at = Math.max(loop.now + weather.latency(), stub.lastAt + 0.001);
    stub.lastAt = at;
    const mayBeLate = !ONCE.has(method) || ASKED_BY_OBJECTS.has(method);
    if (mayBeLate && weather.chance('late')) {
      journal.count('requests late');
      journal.count(`again: ${to.kind}.${method}`);
      call.failed(new Broken('no word of the request'), weather.silence());
      loop.at(at + weather.delay(), () => to.deliver(call, true));
      return;
    }
    loop.at(at, () => to.deliver(call, false));
    // The network never duplicates a request to a fleet.
    if (!ONCE.has(method) && to.kind !== 'fleet' && weather.chance('duplicate')) {
      journal.count('requests doubled');
      journal.count(`again: ${to.kind}.${method}`);
      loop.at(at + weather.delay(), () => to.deliver(call, true));
    }
  }

  #back(
    { call, to }: { call: Call; to: Node },
    value: unknown,
    resolve: (value: unknown) => void,
  ): void {
    const { loop, weather, journal } = this.#options;
    countAnswer(journal, call.method, value);
    if (weather.chance('lostReply')) {
      journal.count('replies lost');
      journal.say(() => `--- reply #${call.id} ${call.method} of ${to.label} is lost`);
      call.failed(new Broken('the reply was lost'), weather.silence());
      return;
    }
    loop.after(weather.latency(), () => {
      if (!call.from.gone) {
        journal.say(() => `${call.from.label} <- #${call.id} ${call.method}: ${shortly(value)}`);
        resolve(value);
      }
    });
  }

  #fail(
    { call, to }: { call: Call; to: Node },
    error: unknown,
    { after, reject }: { after: number; reject: (error: unknown) => void },
  ): void {
    const { loop, weather, journal } = this.#options;
    loop.after(after + weather.latency(), () => {
      if (!call.from.gone) {
        journal.say(
          () =>
            `${call.from.label} <- #${call.id} ${call.method} of ${to.label} fails: ${String(error)}`,
        );
        reject(error);
      }
    });
  }
}
