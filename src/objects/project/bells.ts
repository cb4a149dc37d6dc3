// Tells the webhook of a project that somebody waits: a backend as an event, a chat as a sentence. It tells at most once
// in five minutes of each queue, and of the lobbies of each config, and it tells each once: a bell that rings late is
// worth nothing. When it rang is saved in one row.

import { iso } from '../../common/clock';
import { metrics } from '../../common/metrics';
import type { Hook, TellHook } from '../../fleet/hook';
import { type Bell, QUIET_MS } from '../contracts/bell';
import type { ActorPorts } from '../contracts/actor-ports';
import { commit } from '../kit/commit';

const RUNG = 'rung';
const MOST_SHOWN = 80;

/** The name as text that a chat takes for no mention, link or style. */
function inert(name: string, format: Hook['format']): string {
  const short = Array.from(name.replaceAll(/[\p{Cc}\p{Cf}]/gu, ''))
    .slice(0, MOST_SHOWN)
    .join('');
  // A character without width ends what could be a mention or a link.
  const still = short.replaceAll(/[@.:/#]/g, '$&\u200b');
  if (format === 'discord') {
    return still.replaceAll(/[\\*_~`|<>[\]()-]/g, String.raw`\$&`);
  }
  const plain = still.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  // Slack has no way to escape what styles text. It styles no words that such a character does not touch.
  return plain.replaceAll(/^&gt;|[*_~`]/g, '\u200b$&\u200b');
}

function bodyFor({ format }: Hook, { type, says: [name, rest], facts }: Bell, event: object) {
  const sentence = inert(name, format) + rest;
  const discord = { content: sentence, allowed_mentions: { parse: [] } };
  const chat = format === 'slack' ? { text: sentence } : discord;
  return format === undefined ? { ...event, type, ...facts } : chat;
}

/** Rings unless the same rang lately. A call that fails is logged, and not made again. */
export async function ring(
  ports: ActorPorts,
  tell: TellHook,
  hook: Hook,
  bell: Bell,
): Promise<void> {
  const now = ports.now();
  const [project = ''] = ports.name;
  const saved = ports.store.get<readonly (readonly [place: string, at: number])[]>(RUNG) ?? [];
  const rung = saved.filter(([, at]) => Math.abs(now - at) < QUIET_MS);
  const place = JSON.stringify([bell.type, bell.facts.config, bell.facts['mode']]);
  if (rung.some(([known]) => known === place)) {
    return;
  }
  commit(ports, () => ports.store.put(RUNG, [...rung, [place, now]]));
  const id = ports.uuid();
  try {
    await tell(hook, JSON.stringify(bodyFor(hook, bell, { id, at: iso(now) })), project);
    metrics.count('muster_hooks_total', { project, outcome: 'told' });
  } catch (error) {
    metrics.count('muster_hooks_total', { project, outcome: 'failed' });
    ports.log('hook_failed', { id, attempts: 1, error: String(error) });
  }
}
