// What ends early when another machine takes over the box: event streams and long polls would hold it here, and all others wait.

const open = new Set<() => void>();
let isLeaving = false;

/** `end` is called when the box moves. Returns a function that forgets it. */
export function endsEarly(end: () => void): () => void {
  open.add(end);
  if (isLeaving) {
    queueMicrotask(end);
  }
  return () => void open.delete(end);
}

/** Ends what is open. `goes`: the box leaves this machine, so whatever is opened from now on ends at once too. */
export function endEarly(goes: boolean): void {
  isLeaving = goes;
  open.forEach((end) => end());
}
