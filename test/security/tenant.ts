// The keys of the one project of a test: `the client key` and `the server key`.

import { createHash } from 'node:crypto';

const KIND = ['client', 'server'] as const;
export const API_KEYS = JSON.stringify(
  KIND.map((kind) => {
    const sha256 = createHash('sha256').update(`the ${kind} key`).digest('hex');
    return { project: 'tenant', kind, sha256 };
  }),
);
