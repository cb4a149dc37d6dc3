// What an isolate knows of its instance, one of several machines that share a bucket. The starter tells of the bucket and of the
// stop (scripts/instance.ts).

/** What is wrong with the bucket, and what was within the last hour, as operators read it. Null: nothing. */
export interface BucketTrouble {
  readonly now: string | null;
  readonly lately: string | null;
}

export const instance = {
  /** It stops soon, and proxies take it out. */
  isLeaving: false,
  /** Since when the owner of the lobbies has not answered, epoch ms. Null: it does. */
  awaySince: null as number | null,
  bucket: { now: null, lately: null } as BucketTrouble,
};
