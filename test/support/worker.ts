// The service as the tests in workerd run it. An object that is reached by its id alone has no name, and then no actor
// either: it can only be emptied (anew.ts).

import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../../src/objects/placement/env';
import worker, * as service from '../../src/worker';

type Made = new (state: DurableObjectState, env: Env) => DurableObject<Env>;

class Nameless extends DurableObject<Env> {}

function orNameless<Kind extends Made>(kind: Kind): Kind {
  return new Proxy(kind, {
    construct: (target, [state, env]: [DurableObjectState, Env], made) =>
      state.id.name === undefined
        ? new Nameless(state, env)
        : (Reflect.construct(target, [state, env], made) as object),
  });
}

export const BoxObject = orNameless(service.BoxObject);
export const DirectoryObject = orNameless(service.DirectoryObject);
export const LobbyObject = orNameless(service.LobbyObject);
export const MatchObject = orNameless(service.MatchObject);
export const PlayersObject = orNameless(service.PlayersObject);
export const ProjectObject = orNameless(service.ProjectObject);
export const QueueObject = orNameless(service.QueueObject);
export const RatingsObject = orNameless(service.RatingsObject);
export const SeatObject = orNameless(service.SeatObject);
export const ServerObject = orNameless(service.ServerObject);

export default worker;
