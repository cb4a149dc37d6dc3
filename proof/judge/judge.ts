// Judges one history: a pure function of its text.

import { caseOf } from './case.ts';
import { checkLobbies } from './checks/lobbies.ts';
import { checkMatches } from './checks/matches.ts';
import { checkPlaces } from './checks/places.ts';
import { checkRest } from './checks/rest.ts';
import { checkSpectators } from './checks/spectators.ts';
import { checkStreams } from './checks/streams.ts';
import { Findings } from './findings.ts';
import { historyOf } from './lines.ts';

/** Throws `Unreadable` if the text is no history. */
export function judge(text: string): Findings {
  const findings = new Findings();
  const of = caseOf(historyOf(text), findings);
  checkPlaces(of);
  checkLobbies(of);
  checkSpectators(of);
  checkStreams(of);
  checkMatches(of);
  checkRest(of);
  return findings;
}
