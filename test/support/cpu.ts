// How long something computes. What another program takes of the processor meanwhile does not count.

/** What it answers, and the processor time of this thread, in ms. */
export function timed<T>(run: () => T): readonly [value: T, ms: number] {
  const before = process.threadCpuUsage();
  const value = run();
  const { user, system } = process.threadCpuUsage(before);
  return [value, (user + system) / 1_000];
}
