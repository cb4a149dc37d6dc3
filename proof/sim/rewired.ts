// For deliberate bugs: an actor's ports, some of them replaced.

import type { ActorPorts } from '../../src/objects/contracts/actor-ports';
import type { Peers } from '../../src/objects/contracts/peers';
import type { Store } from '../../src/objects/kit/ports';

/** The ports, with some of them replaced. */
export function rewired(
  ports: ActorPorts,
  others: { readonly store?: Store; readonly peers?: Peers },
): ActorPorts {
  return {
    name: ports.name,
    store: others.store ?? ports.store,
    peers: others.peers ?? ports.peers,
    now: () => ports.now(),
    uuid: () => ports.uuid(),
    instanceId: () => ports.instanceId(),
    token: (id, of) => ports.token(id, of),
    random: () => ports.random(),
    behindMs: () => ports.behindMs(),
    background: (work) => ports.background(work),
    later: (ms, act) => ports.later(ms, act),
    lines: ports.lines,
    document: (project) => ports.document(project),
    log: (event, facts) => ports.log(event, facts),
    abort: (reason) => ports.abort(reason),
  };
}

/** The store, whatever holds it. */
export function forwarded(store: Store): Store {
  return {
    get: (key) => store.get(key),
    put: (key, value) => store.put(key, value),
    delete: (key) => store.delete(key),
    list: (prefix, page) => store.list(prefix, page),
    atomically: (act) => store.atomically(act),
    clear: () => store.clear(),
    setAlarm: (at) => store.setAlarm(at),
  };
}
