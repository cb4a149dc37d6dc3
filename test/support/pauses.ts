// How long the machine stood still. Bounds of time that a test holds the service to leave that out.

const TICK_MS = 20;

/** Watches from now on. `end` says how many milliseconds the machine stood still, by how late each timer was. */
export function watchPauses(): { readonly end: () => number } {
  let [paused, at] = [0, performance.now()];
  const look = (): void => {
    const now = performance.now();
    paused += Math.max(0, now - at - 2 * TICK_MS);
    at = now;
  };
  const timer = setInterval(look, TICK_MS);
  return {
    end: () => {
      clearInterval(timer);
      look();
      return paused;
    },
  };
}
