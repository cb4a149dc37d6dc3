import { together } from './together';

together({
  'crashed-servers': () => import('../crashed-servers.test'),
  'players-who-host': () => import('../players-who-host.test'),
  results: () => import('../results.test'),
  'running-matches': () => import('../running-matches.test'),
  'seat-tickets': () => import('../seat-tickets.test'),
  'waiting-for-server': () => import('../waiting-for-server.test'),
  'warm-servers': () => import('../warm-servers.test'),
});
