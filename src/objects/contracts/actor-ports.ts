// Everything that an actor is given: the platform's ports, the other actors, and its project's document.

import type { Ports } from '../kit/ports';
import type { Peers } from './peers';
import type { ProjectDocument } from './project';

export interface ActorPorts extends Ports {
  readonly peers: Peers;
  /** The project's configs and builds, at most a few seconds old. */
  document(project: string): Promise<ProjectDocument>;
}
