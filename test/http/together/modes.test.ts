import { together } from './together';

together({
  avoid: () => import('../avoid.test'),
  backfill: () => import('../backfill.test'),
  bots: () => import('../bots.test'),
  compatibility: () => import('../compatibility.test'),
  patterns: () => import('../patterns.test'),
  places: () => import('../places.test'),
  votes: () => import('../votes.test'),
});
