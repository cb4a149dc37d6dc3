// Builds as they are saved (decision 34).

import { describe, expect, it } from 'vitest';
import { defaultBuild, parseBuild } from '../../src/lobby/build';

describe('a build', () => {
  it.each<[string, object, object]>([
    ['nothing said', {}, { version: '1', status: 'ready', launch: {} }],
    [
      'not ready',
      { status: 'not_ready', version: '1.2' },
      { version: '1.2', status: 'not_ready', launch: {} },
    ],
    [
      'not ready, as people write it',
      { status: 'not ready' },
      { version: '1', status: 'not_ready', launch: {} },
    ],
    [
      'all of it',
      {
        name: 'v1',
        launch: {
          command: './server',
          args: ['-p', ''],
          image: 'repo/game:1',
          fleet: 'eu',
          fleetName: 'arena',
          env: { MODE: '' },
        },
      },
      {
        version: '1',
        status: 'ready',
        launch: {
          command: './server',
          args: ['-p', ''],
          image: 'repo/game:1',
          fleet: 'eu',
          fleetName: 'arena',
          env: { MODE: '' },
        },
      },
    ],
    [
      'only what was said',
      { launch: { command: null, image: 'a' } },
      { version: '1', status: 'ready', launch: { image: 'a' } },
    ],
  ])('%s', (_, body, expected) => {
    const parsed = parseBuild('v1', body);
    expect(parsed).toStrictEqual({ ok: true, value: { name: 'v1', ...expected } });
    expect(parseBuild('v1', parsed.ok ? parsed.value : null)).toStrictEqual(parsed);
  });

  it('there is one from the start', () => {
    expect(defaultBuild()).toEqual({ name: 'default', version: '1', status: 'ready', launch: {} });
  });

  const ENV = 'an environment name has letters, digits and _, and starts with no digit';
  it.each<[unknown, string, string]>([
    [null, '', 'must be an object'],
    [{ name: 'v2' }, 'name', 'must be v1, as asked for'],
    [{ version: 2 }, 'version', 'must be a text'],
    [{ version: 'v'.repeat(65) }, 'version', 'must be at most 64 characters long'],
    [{ status: 'done' }, 'status', 'must be one of ready, not_ready, not ready'],
    [{ launch: './server' }, 'launch', 'must be an object'],
    [{ launch: { command: '' } }, 'launch.command', 'must not be empty'],
    [{ launch: { args: '-p' } }, 'launch.args', 'must be a list'],
    [{ launch: { args: ['a', 1] } }, 'launch.args[1]', 'must be a text'],
    [
      { launch: { args: Array.from({ length: 65 }, () => 'a') } },
      'launch.args',
      'must have at most 64 entries',
    ],
    [
      { launch: { image: 'a'.repeat(1025) } },
      'launch.image',
      'must be at most 1024 characters long',
    ],
    [{ launch: { env: ['A=1'] } }, 'launch.env', 'must be an object'],
    [{ launch: { env: { A: 1 } } }, 'launch.env.A', 'must be a text'],
    [{ launch: { env: { '1A': '' } } }, 'launch.env.1A', ENV],
    [{ launch: { env: { 'A=B': '' } } }, 'launch.env.A=B', ENV],
    [JSON.parse('{"launch":{"env":{"__proto__":"x"}}}'), 'launch.env.__proto__', ENV],
  ])('%j is refused', (body, path, message) => {
    expect(parseBuild('v1', body)).toEqual({ ok: false, refusal: [{ path, message }] });
  });

  it('has a name that can stand in a path', () => {
    expect(parseBuild('a/b', {})).toMatchObject({ ok: false, refusal: [{ path: 'name' }] });
  });
});
