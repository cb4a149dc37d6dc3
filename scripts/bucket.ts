// What is wrong with the bucket of a cluster, in words for operators: whether anything answers at its address, and what workerd
// says about it.

import { isLogged } from './workerd-output.ts';

/** A bucket that is silent for so long is named. The instance itself ends after some ten seconds. */
const SILENT_MS = 3_000;
const ANSWER_MS = 2_000;
const LATELY_MS = 3_600_000;
/** While something is wrong, workerd says so each second. */
const SAID_MS = 5_000;

const KEY = 'check the key, and that it may read, write, list and delete';
/** What workerd says about a bucket, and what that means. */
const SAYINGS: readonly (readonly [RegExp, string])[] = [
  [
    /ignores conditional writes/,
    'it ignores conditional writes, so two machines could own the same lobbies: take one that has them',
  ],
  [/: 404 NoSuchBucket/, 'there is no bucket of that name'],
  [/: (40[13] ?\w*)/, `it refuses us with $1: ${KEY}`],
  [/: (507 ?\w*|4\d\d \w*(?:Quota|Full|Storage)\w*)/, 'it is full ($1)'],
  [/: (\d{3} ?\w*)/, 'it answers with $1'],
  [/timed out|client error/, 'it does not answer: check AWS_ENDPOINT_URL'],
];
/** Each second, as long as it lasts. */
const REPEATED =
  /cluster\.rs:\d+: warning: (?:renewing the cluster lease|listing the cluster) failed/;

/** Errors of the system and of Node's client. Any other was said by the other side, such as a certificate that workerd may trust and Node not. */
const SILENCE = /^(?:E(?!PROTO$|RR_)|UND_ERR_)/;

/** Whether a call failed because nobody answered. */
function isSilence(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as { readonly code?: unknown };
  return typeof code !== 'string' || SILENCE.test(code);
}

export class BucketWatch {
  /** `s3://bucket/prefix`. */
  readonly name: string;
  readonly #address: string;
  /** When it last answered, epoch ms. */
  #heardAt = Date.now();
  /** The last trouble, and when it was last seen. */
  #last: { readonly what: string; readonly at: number } | null = null;
  #said: { readonly what: string; readonly since: number; readonly at: number } | null = null;

  /** `bucket`: `s3://bucket/prefix`. `access`: variables of workerd. */
  constructor(bucket: string, access: Readonly<Record<string, string>>) {
    const { AWS_ENDPOINT_URL, AWS_REGION } = access;
    const endpoint = AWS_ENDPOINT_URL ?? `https://s3.${AWS_REGION}.amazonaws.com`;
    const [, , name = ''] = bucket.split('/');
    this.name = bucket;
    this.#address = `${endpoint.replace(/\/+$/, '')}/${name}`;
  }

  /** What a line of workerd says about the bucket. Null: nothing, as Muster's own log, whose words others choose. */
  meaningOf(line: string): string | null {
    if (isLogged(line)) {
      return null;
    }
    const [, said] = /\bbucket(?: config)?: (.*)/.exec(line) ?? [];
    const saying = said && SAYINGS.find(([pattern]) => pattern.test(said));
    if (!said || !saying) {
      return null;
    }
    const [pattern, means] = saying;
    const [, what = ''] = pattern.exec(said) ?? [];
    return `bucket: ${means.replace('$1', what.trim())}`;
  }

  /** Takes a line of workerd. Returns false for one that repeats what `look` tells. */
  hears(line: string): boolean {
    const what = this.meaningOf(line);
    if (what !== null) {
      const now = Date.now();
      const isSame = this.#said?.what === what && now - this.#said.at < SAID_MS;
      this.#said = { what, since: isSame ? (this.#said?.since ?? now) : now, at: now };
    }
    return what === null || !REPEATED.test(line);
  }

  /** What is wrong with it, for everybody to read, and for operators what was within an hour, with its name. Null: nothing. */
  async look(): Promise<{ readonly now: string | null; readonly lately: string | null }> {
    const now = await this.#trouble();
    if (now !== null) {
      this.#last = { what: now, at: Date.now() };
    }
    const isLate = this.#last !== null && Date.now() - this.#last.at < LATELY_MS;
    const until = now === null ? `, until ${new Date(this.#last?.at ?? 0).toISOString()}` : '';
    return { now, lately: isLate ? `${this.#last?.what}${until} (${this.name})` : null };
  }

  async #trouble(): Promise<string | null> {
    const signal = AbortSignal.timeout(ANSWER_MS);
    try {
      const answer = await fetch(this.#address, { method: 'HEAD', redirect: 'manual', signal });
      await answer.body?.cancel();
      this.#heardAt = Date.now();
    } catch (error) {
      this.#heardAt = isSilence(error) ? this.#heardAt : Date.now();
    }
    const at = Date.now();
    if (at - this.#heardAt >= SILENT_MS) {
      return `bucket: no answer since ${new Date(this.#heardAt).toISOString()}`;
    }
    return this.#said !== null && at - this.#said.at < SAID_MS
      ? `${this.#said.what} (since ${new Date(this.#said.since).toISOString()})`
      : null;
  }
}
