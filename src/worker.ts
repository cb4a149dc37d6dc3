// The only entry point: requests go to http/, and the platform finds the object classes here.

import type { Env } from './objects/placement/env';
import { endEarly } from './http/isolate/ending-early';
import { serve, serveInBox } from './http/serve/serve';
import { inWorker, type Place } from './objects/placement/at';
import { Box } from './objects/placement/box/box';

export {
  DirectoryObject,
  LobbyObject,
  MatchObject,
  PlayersObject,
  ProjectObject,
  QueueObject,
  RatingsObject,
  SeatObject,
  ServerObject,
} from './objects/placement/objects';
/** The object that holds all actors of a box and serves the requests. */
export class BoxObject extends Box {
  protected override serve(request: Request, place: Place): Promise<Response> {
    return serve(request, place);
  }

  protected override endEarly(goes: boolean): void {
    endEarly(goes);
  }
}

export default {
  fetch: (request, env, context) =>
    env.BOX === undefined
      ? serve(request, inWorker(env, context))
      : serveInBox(request, env, env.BOX, context.props.isGuarded),
} satisfies ExportedHandler<Env, unknown, unknown, { readonly isGuarded?: boolean }>;
