import { together } from './together';

together({
  events: () => import('../events.test'),
  ice: () => import('../ice.test'),
  'join-page': () => import('../join-page.test'),
  origins: () => import('../origins.test'),
  reference: () => import('../reference.test'),
  signals: () => import('../signals.test'),
  site: () => import('../site.test'),
  sockets: () => import('../sockets.test'),
});
