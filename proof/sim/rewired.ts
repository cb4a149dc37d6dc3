// For deliberate bugs: an actor's ports, some of them replaced.

import type { Host } from '../../src/objects/contracts/host';
import type { Peers } from '../../src/objects/contracts/peers';
import type { Store } from '../../src/objects/kit/ports';

/** The host with one of its ports replaced. */
export function rewired(
  host: Host,
  ports: { readonly store?: Store; readonly peers?: Peers },
): Host {
  return {
    name: host.name,
    store: ports.store ?? host.store,
    peers: ports.peers ?? host.peers,
    now: () => host.now(),
    uuid: () => host.uuid(),
    instanceId: () => host.instanceId(),
    token: (id, of) => host.token(id, of),
    random: () => host.random(),
    behindMs: () => host.behindMs(),
    background: (work) => host.background(work),
    later: (ms, act) => host.later(ms, act),
    lines: host.lines,
    document: (project) => host.document(project),
    log: (event, facts) => host.log(event, facts),
    abort: (reason) => host.abort(reason),
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
