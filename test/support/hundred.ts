// A lobby of a hundred players, p0 to p99, of which p0 is the host.

import { Player } from '../../scripts/player.ts';

export async function hundredIn(
  url: string,
  config: string,
  stateOf: (at: number) => object,
): Promise<readonly Player[]> {
  const players = Array.from({ length: 100 }, (_, at) => new Player(url, `p${at}`));
  const [host, ...guests] = players;
  const first = { name: 'A hundred', maxPlayers: 100, state: stateOf(0) };
  const code = (await host?.ok('POST', `/lobbies/${config}`, first))?.code;
  await Promise.all(
    guests.map((guest, at) =>
      guest.ok('POST', `/lobbies/${config}/join`, { code, state: stateOf(at + 1) }),
    ),
  );
  return players;
}
