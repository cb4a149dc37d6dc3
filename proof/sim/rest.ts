// Once a run is quiet, everybody who has a key reads all that it may, twice: what the history of the run says of its end.

import type { MatchId, PlayerId } from '../../src/common/ids';
import { iso, isoOrNull } from '../../src/common/clock';
import type { MatchRecord } from '../../src/objects/contracts/reports';
import { SimClient, type Crowd } from './client';
import { answerOf, asked, type History } from './history';
import { CONFIG, RATING } from './scenario';

const ROUNDS = 2;
/** Everything is asked within a moment: nothing fails any more. */
const READ_MS = 30_000;

/** The fields that the judge reads of `GET /v3/matches/{id}`. */
function shown({ id, config, mode, outcome, reason, formedAt, runningAt, ...record }: MatchRecord) {
  const { teams, instanceId, result, ref, madeBy } = record;
  return {
    id,
    config,
    mode,
    outcome,
    reason,
    formedAt: iso(formedAt),
    runningAt: isoOrNull(runningAt),
    teams,
    server: instanceId === null ? null : { id: instanceId },
    ...(result === undefined ? {} : { result }),
    ...(ref === undefined ? {} : { ref }),
    ...(madeBy && { made_by: madeBy }),
  };
}

async function readAll(crowd: Crowd, history: History): Promise<void> {
  const { world, scenario } = crowd;
  const { project } = world;
  const peers = world.peersOf(world.client('admin'));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let index = 1; index <= scenario.players; index += 1) {
      await new SimClient(`p${index}` as PlayerId, crowd).read();
    }
  }
  const page = { region: null, status: null, limit: 100, offset: 0 };
  await asked(
    history,
    { who: null, does: `GET /v3/lobbies/${CONFIG}?limit=100` },
    {
      ask: () => peers.directory(project, CONFIG).browse(page),
      answer: (body) => ({ status: 200, body }),
    },
  );
  for (const id of [...history.matches].toSorted()) {
    await asked(
      history,
      { who: null, does: `GET /v3/matches/${id}` },
      {
        ask: () => peers.match(id as MatchId).record(project),
        answer: (record) =>
          record === null
            ? { status: 404, body: { code: 'NOT_FOUND' } }
            : { status: 200, body: shown(record) },
      },
    );
  }
  if (scenario.config.trusted?.includes(RATING.field) === true) {
    const query = { limit: 100, offset: 0, around: null, season: null };
    await asked(
      history,
      { who: null, does: `GET /v3/ratings?config=${CONFIG}&mode=first` },
      { ask: () => peers.ratings(project, RATING.field).page(query), answer: answerOf },
    );
  }
}

export async function restRead(crowd: Crowd, history: History): Promise<void> {
  const { world } = crowd;
  let isRead = false;
  history.note({ rest: true });
  const reading = readAll(crowd, history).finally(() => {
    isRead = true;
  });
  reading.catch((error: unknown) => history.note({ note: String(error) }));
  await world.loop.run(world.loop.now + READ_MS, () => isRead);
}
