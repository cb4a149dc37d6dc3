// What is kept of a request that begins a search or a game: its id, and the caller's trace, if that is recorded and not too many ask.

import { describe, expect, it } from 'vitest';
import { answeredAs, askedBy } from '../../../src/http/wire/requests';

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const ON = { OTLP_URL: 'http://collector.test:4318' };
let projects = 0;

function requestWith(traceparent: string | null): Request {
  const headers = { 'x-request-id': 'r1', ...(traceparent !== null && { traceparent }) };
  return new Request('https://muster.test/v3/', { headers });
}

function asked(traceparent: string | null, env: typeof ON | object = ON, project = '') {
  const request = requestWith(traceparent);
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

  it('counts for no request that is refused', async () => {
    const ask = async (status: number): Promise<boolean> => {
      const request = requestWith(TRACE);
      const { trace } = askedBy({ request, env: ON, project: 'refusing' });
      await answeredAs(request, new Response(null, { status }), { route: '/', begunAt: 0 });
      return trace !== undefined;
    };
    for (let turn = 0; turn < 100; turn += 1) {
      expect(await ask([400, 401, 403, 404, 409, 429, 503][turn % 7] ?? 0)).toBe(true);
    }
    const accepted = [];
    for (let turn = 0; turn < 100; turn += 1) {
      accepted.push(await ask(200));
    }
    expect(accepted.filter((each) => each)).toHaveLength(60);
  });

  it('counts once for a request that is handled again elsewhere', () => {
    const [first, last] = [requestWith(TRACE), requestWith(TRACE)];
    const all = [first, ...Array.from({ length: 58 }, () => requestWith(TRACE)), first, last];
    const traces = all.map((request) => askedBy({ request, env: ON, project: 'moving' }).trace);
    expect(traces.every((trace) => trace === TRACE)).toBe(true);
    expect(asked(TRACE, ON, 'moving')).not.toHaveProperty('trace');
  });
});
