// The service's log: one JSON object a line.

/** One JSON object a line, for whoever reads the logs. */
export function logEvent(
  event: string,
  facts: Readonly<Record<string, string | number | boolean>>,
): void {
  console.log(JSON.stringify({ event, ...facts }));
}
