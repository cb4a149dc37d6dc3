import { together } from './together';

together({
  'conformance-games': () => import('../conformance-games.test'),
  'conformance-match': () => import('../conformance-match.test'),
  'conformance-matching': () => import('../conformance-matching.test'),
  'conformance-time': () => import('../conformance-time.test'),
  matchmaking: () => import('../matchmaking.test'),
  'mode-change': () => import('../mode-change.test'),
  modes: () => import('../modes.test'),
});
