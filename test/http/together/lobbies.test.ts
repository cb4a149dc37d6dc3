import { together } from './together';

together({
  'conformance-lobbies': () => import('../conformance-lobbies.test'),
  'conformance-events': () => import('../conformance-events.test'),
  me: () => import('../me.test'),
  'made-up-ids': () => import('../made-up-ids.test'),
  'proto-names': () => import('../proto-names.test'),
  'several-modes': () => import('../several-modes.test'),
  whereabouts: () => import('../whereabouts.test'),
});
