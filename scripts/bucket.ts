// Whether the bucket of a cluster answers. Anything that it answers counts, a refusal too: what a refusal means, workerd says.

/** A bucket that is silent for so long is named. The instance itself ends after some ten seconds. */
const SILENT_MS = 3_000;
const ANSWER_MS = 2_000;

export class BucketWatch {
  readonly #name: string;
  readonly #address: string;
  /** When it last answered, epoch ms. */
  #heardAt = Date.now();

  /** `bucket`: `s3://bucket/prefix`. `access`: variables of workerd. */
  constructor(bucket: string, access: Readonly<Record<string, string>>) {
    const { AWS_ENDPOINT_URL, AWS_REGION } = access;
    const endpoint = AWS_ENDPOINT_URL ?? `https://s3.${AWS_REGION}.amazonaws.com`;
    const [, , name = ''] = bucket.split('/');
    this.#name = bucket;
    this.#address = `${endpoint.replace(/\/+$/, '')}/${name}`;
  }

  /** What is wrong with it, for operators. Null: it answers. */
  async look(): Promise<string | null> {
    const signal = AbortSignal.timeout(ANSWER_MS);
    try {
      const answer = await fetch(this.#address, { method: 'HEAD', redirect: 'manual', signal });
      await answer.body?.cancel();
      this.#heardAt = Date.now();
    } catch {
      // It is silent.
    }
    const since = new Date(this.#heardAt).toISOString();
    return Date.now() - this.#heardAt < SILENT_MS
      ? null
      : `bucket: no answer since ${since} (${this.#name}). Without it nothing can be saved, so all machines stop until it is back`;
  }
}
