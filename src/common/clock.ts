// Time is always an argument. Instants are epoch milliseconds internally, and ISO text only in views.

export function iso(at: number): string {
  return new Date(at).toISOString();
}

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}
