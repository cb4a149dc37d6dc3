// The bell of a project: whom it tells what, how seldom, and that nothing a player wrote means anything to a chat.

import { describe, expect, it } from 'vitest';
import type { Hook } from '../../../../src/fleet/hook';
import { type Bell, QUIET_MS } from '../../../../src/objects/contracts/bell';
import { ProjectActor } from '../../../../src/objects/project/actor';
import { fakePorts } from '../../../fleet/ports.ts';

const DOCUMENT = { revision: 0, configs: {}, builds: {} };
const BACKEND: Hook = { url: 'https://api.example.com/', secret: 's'.repeat(32) };
const DISCORD: Hook = { url: 'https://discord.com/api/webhooks/1/token', format: 'discord' };
const SLACK: Hook = { url: 'https://hooks.slack.com/services/T/B/x', format: 'slack' };

function waiting(mode = 'duel'): Bell {
  const facts = { config: 'arena', mode, players: 1, waitedSeconds: 40 };
  return { type: 'queue.waiting', says: ['', `1 player waits for ${mode}, 40 s.`], facts };
}

function open(name: string): Bell {
  const facts = { config: 'arena', lobbyId: 'l', name, players: 1, maxPlayers: 4, inviteUrl: null };
  return { type: 'lobby.open', says: [name, ' is open: 1 of 4, arena.'], facts };
}

async function projectWith(hook: Hook | null, saved?: Map<string, unknown>) {
  const fake = fakePorts({ name: 'studio', document: DOCUMENT, ...(saved && { saved }) });
  const told: { readonly hook: Hook; readonly body: Record<string, unknown> }[] = [];
  const tell = async (of: Hook, body: string): Promise<void> => {
    told.push({ hook: of, body: JSON.parse(body) as Record<string, unknown> });
  };
  const project = new ProjectActor(fake.ports, tell);
  if (hook !== null) {
    await project.changeSecrets({ act: 'set hooks', hook });
  }
  return { fake, project, told, bodies: () => told.map(({ body }) => body) };
}

describe('the bell of a project', () => {
  it('tells a backend the facts', async () => {
    const { project, bodies } = await projectWith(BACKEND);
    await project.ring(waiting());
    const { facts } = waiting();
    const at = expect.stringMatching(/^2027-/);
    expect(bodies()).toEqual([{ id: expect.any(String), at, type: 'queue.waiting', ...facts }]);
  });

  it('tells a chat a sentence, in the form that it takes', async () => {
    const discord = await projectWith(DISCORD);
    await discord.project.ring(waiting());
    expect(discord.bodies()).toEqual([
      { content: '1 player waits for duel, 40 s.', allowed_mentions: { parse: [] } },
    ]);
    const slack = await projectWith(SLACK);
    await slack.project.ring(waiting());
    expect(slack.bodies()).toEqual([{ text: '1 player waits for duel, 40 s.' }]);
  });

  it('tells nobody where nobody is to be told', async () => {
    const { project, fake, told } = await projectWith(null);
    const saved = structuredClone(fake.saved);
    await project.ring(waiting());
    expect([told, fake.saved]).toEqual([[], saved]);
  });

  it('rings at most once in five minutes for each queue and config, also after a crash', async () => {
    const { project, fake, told } = await projectWith(DISCORD);
    await project.ring(waiting());
    await project.ring(waiting());
    await project.ring(waiting('ranked'));
    await project.ring(open('Den'));
    await project.ring(open('Pit'));
    expect(told).toHaveLength(3);
    const again = await projectWith(null, fake.saved);
    await again.project.ring(waiting());
    expect(again.told).toEqual([]);
    again.fake.stall(QUIET_MS);
    await again.project.ring(waiting());
    await again.project.ring(waiting());
    expect(again.told).toHaveLength(1);
    // Only what is quiet is kept.
    expect(again.fake.saved.get('rung')).toHaveLength(1);
  });

  it('is told once: a call that fails is not made again, and harms nobody', async () => {
    const fake = fakePorts({ name: 'studio', document: DOCUMENT });
    let calls = 0;
    const logged: string[] = [];
    const ports = { ...fake.ports, log: (what: string) => void logged.push(what) };
    const project = new ProjectActor(ports, async () => {
      calls += 1;
      throw new Error('status 429');
    });
    await project.changeSecrets({ act: 'set hooks', hook: DISCORD });
    await project.ring(waiting());
    fake.stall(QUIET_MS / 2);
    await project.ring(waiting());
    await fake.pass(QUIET_MS / 4);
    expect([calls, logged]).toEqual([1, ['hook_failed']]);
  });

  it.each([
    ['@everyone', '@\u200beveryone', '@\u200beveryone'],
    ['<@123> <!channel>', '\\<@\u200b123\\> \\<!channel\\>', '&lt;@\u200b123&gt; &lt;!channel&gt;'],
    [
      '[free](https://evil.test)',
      '\\[free\\]\\(https:\u200b/\u200b/\u200bevil.\u200btest\\)',
      '[free](https:\u200b/\u200b/\u200bevil.\u200btest)',
    ],
    [
      '*FREE* _gold_ ~now~ `c` || d',
      '\\*FREE\\* \\_gold\\_ \\~now\\~ \\`c\\` \\|\\| d',
      '*FREE* _gold_ ~now~ `c` || d'.replaceAll(/[*_~`]/g, '\u200b$&\u200b'),
    ],
    ['> quoted', '\\> quoted', '\u200b&gt;\u200b quoted'],
    ['a\nb\u202ec & d', 'abc & d', 'abc &amp; d'],
    ['x'.repeat(300), 'x'.repeat(80), 'x'.repeat(80)],
  ])('tells the name %j as text', async (name, forDiscord, forSlack) => {
    for (const [hook, shown, field] of [
      [DISCORD, forDiscord, 'content'],
      [SLACK, forSlack, 'text'],
    ] as const) {
      const { project, bodies } = await projectWith(hook);
      await project.ring(open(name));
      expect(bodies()[0]?.[field]).toBe(`${shown} is open: 1 of 4, arena.`);
    }
  });
});
