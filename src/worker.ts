// The only entry: requests go to http/, and the platform finds the object classes here.

import type { Env } from './objects/placement/env';
import { serve } from './http/serve';

export {
  DirectoryObject,
  LobbyObject,
  MatchObject,
  ProjectObject,
  QueueObject,
  SeatObject,
  ServerObject,
} from './objects/placement/objects';
export { BoxObject } from './objects/placement/box/box';

export default {
  fetch: (request, env, context) => serve(request, env, context),
} satisfies ExportedHandler<Env>;
