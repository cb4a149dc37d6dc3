import { together } from './together';

together({
  'as-typed': () => import('../as-typed.test'),
  attributes: () => import('../attributes.test'),
  binding: () => import('../binding.test'),
  'config-fields': () => import('../config-fields.test'),
  finding: () => import('../finding.test'),
  'from-flexmatch': () => import('../from-flexmatch.test'),
  playground: () => import('../playground.test'),
});
