/** Whether one more is allowed: so many a second, and no more. */
export function ration(most: number): () => boolean {
  let second = 0;
  let used = 0;
  return () => {
    const now = Math.floor(performance.now() / 1000);
    used = now === second ? used + 1 : 1;
    second = now;
    return used <= most;
  };
}
