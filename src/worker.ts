// The only entry: requests go to http/, and the platform finds the object classes here.

import type { Env } from './objects/env';
import { serve } from './http/serve';

export { DirectoryObject } from './objects/directory-object';
export { LobbyObject } from './objects/lobby-object';
export { MatchObject } from './objects/match-object';
export { ProjectObject } from './objects/project-object';
export { QueueObject } from './objects/queue-object';
export { SeatObject } from './objects/seat-object';
export { ServerObject } from './objects/server-object';

export default {
  fetch: (request, env, context) => serve(request, env, context),
} satisfies ExportedHandler<Env>;
