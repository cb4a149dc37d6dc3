// Time comes in as an argument: instants are epoch milliseconds inside, ISO text only in views.

export type Now = () => number;

export function iso(at: number): string {
  return new Date(at).toISOString();
}
