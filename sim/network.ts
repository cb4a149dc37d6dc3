// Requests between objects: delayed, lost on the way there or back, delivered twice or late.
// Calls on one stub arrive in order, calls on different stubs in any.

import { clone } from './clone';
import type { Weather } from './faults';
import { shortly, type Journal } from './journal';
import type { Loop } from './loop';
import type { Node } from './node';
import { Broken, type Call, type Caller } from './parts';

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

/** Methods whose second delivery would be a second request of a person, not an echo. */
const ONCE: ReadonlySet<string> = new Set([
  'execute',
  'events',
  'watch',
  'create',
  'join',
  'joinFailed',
]);

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
    this.#options.journal.count('calls');
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
    if (!ONCE.has(method) && weather.chance('late')) {
      journal.count('requests late');
      call.failed(new Broken('no word of the request'), weather.silence());
      loop.at(at + weather.delay(), () => to.deliver(call, true));
      return;
    }
    loop.at(at, () => to.deliver(call, false));
    // Nothing on the way to a fleet doubles a request by itself.
    if (!ONCE.has(method) && to.kind !== 'fleet' && weather.chance('duplicate')) {
      journal.count('requests doubled');
      loop.at(at + weather.delay(), () => to.deliver(call, true));
    }
  }

  #back(
    { call, to }: { call: Call; to: Node },
    value: unknown,
    resolve: (value: unknown) => void,
  ): void {
    const { loop, weather, journal } = this.#options;
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
