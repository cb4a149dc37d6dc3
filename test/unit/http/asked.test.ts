// What is kept of a request that begins a search or a game: its id, and the caller's trace, if that is recorded and not too many ask.

import { describe, expect, it } from 'vitest';
import { askedBy } from '../../../src/http/wire/requests';

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const ON = { OTLP_URL: 'http://collector.test:4318' };
let projects = 0;

function asked(traceparent: string | null, env: typeof ON | object = ON, project = '') {
  const headers = { 'x-request-id': 'r1', ...(traceparent !== null && { traceparent }) };
  const request = new Request('https://muster.test/v3/', { headers });
  projects += 1;
  return askedBy({ request, env, project: project || `p${projects}` });
}

describe('the trace of a caller', () => {
  it.each([TRACE, TRACE.replace(/01$/, '03'), TRACE.replace(/01$/, 'ff')])('%s counts', (trace) => {
    expect(asked(trace)).toEqual({ requestId: 'r1', trace });
  });

  it.each([
    null,
    '',
    TRACE.replace(/01$/, '00'),
    TRACE.replace(/01$/, '02'),
    TRACE.replace('00-', 'ff-'),
    TRACE.toUpperCase(),
    `${TRACE}-more`,
    `${TRACE}, ${TRACE}`,
    TRACE.replace('4bf92f3577b34da6a3ce929d0e0e4736', '0'.repeat(32)),
    TRACE.replace('00f067aa0ba902b7', '0'.repeat(16)),
    TRACE.replace('4bf9', '4bf'),
    `00-${'a'.repeat(100_000)}`,
  ])('%j does not', (trace) => {
    expect(asked(trace)).toEqual({ requestId: 'r1' });
  });

  it('is not read without a collector', () => {
    expect(asked(TRACE, {})).toEqual({ requestId: 'r1' });
  });

  it('counts for sixty requests of a project at once, whoever sends them', () => {
    const all = Array.from({ length: 100 }, () => asked(TRACE, ON, 'busy'));
    expect(all.filter(({ trace }) => trace !== undefined)).toHaveLength(60);
    expect(asked(TRACE, ON, 'another')).toHaveProperty('trace');
  });
});
