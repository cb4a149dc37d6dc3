// What was promised, how often that was put to the test, and what did not hold.

export const PROMISES = {
  'one lobby': 'a player is in one lobby of a config',
  'moved whole':
    'a lobby moves to another config when it was asked to, with all of its players and spectators',
  'one match': 'a player is in one match of a config at once',
  'one match a search': 'a search leads into one match',
  'cancel or match': 'a search that was cancelled leads into no match',
  rematch: 'a rematch is made once, of the lobbies of the match before, once each has asked',
  'made once': 'a ref is one match, with all whom it was made of',
  'one server': 'a match has one server, and a server one match',
  'one result': 'a match has one result',
  'rated once': 'a result counts once on the ladder, and nothing else counts',
  'forward only': 'no stream goes back',
  'one state': 'a revision shows one state',
  'read later': 'what was answered is read later',
  'written is shown': 'a change that was accepted stays until something changes it again',
  'backend is shown': 'what the backend said of a player is what its lobby shows',
  capacity: 'no lobby and no team is larger than it may be',
  'only watches': 'a spectator is no player, has no place in a match, and changes nothing',
  kicked: 'who was kicked is in only after coming again',
  banned: 'who is banned gets in nowhere',
  'comes to rest': 'nothing is half done once the service rests',
  'told is true': 'the backend is told what was, and of all of it',
  'browsing finds': 'browsing shows the public lobbies, and no others',
} as const;

export type Promised = keyof typeof PROMISES;

export interface Fault {
  readonly promise: Promised;
  readonly what: string;
}

export class Findings {
  readonly cases = new Map<Promised, number>();
  readonly #faults = new Map<string, Fault>();

  /** Notes a case, and a fault unless the promise holds in it. */
  check(promise: Promised, holds: boolean, what: () => string): void {
    this.cases.set(promise, (this.cases.get(promise) ?? 0) + 1);
    if (!holds) {
      const fault = { promise, what: what() };
      this.#faults.set(`${promise} ${fault.what}`, fault);
    }
  }

  get faults(): readonly Fault[] {
    return [...this.#faults.values()];
  }
}
