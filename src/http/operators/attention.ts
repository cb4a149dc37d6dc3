// GET /admin/attention: what needs an operator and changes no object that the dashboard listens to: how searches
// ended lately, the last output of failing builds, and fleets that do not answer. The dashboard asks once a minute.

import { within } from '../../common/later';
import type { InstanceId } from '../../common/ids';
import { must } from '../../common/result';
import { messageOf } from '../../fleet/rest';
import { surroundingsOf } from '../../fleet/surroundings';
import { retrying } from '../refused';
import type { KeyedCall } from '../call';
import { json } from '../problem';
import { freshDocument } from './configs';
import { queuesOf } from './journal';
import type { AttentionView, Ended } from './readings';

const HOUR_MS = 3_600_000;
/** The last hour and the day before it. */
const HOURS = 25;
/** A fleet that has not answered by then counts as silent. */
const ANSWER_MS = 3_000;
/** No server has this id: a fleet that answers says so. */
const NOBODY = 'does-the-fleet-answer';

export async function attention(call: KeyedCall): Promise<Response> {
  const [modes, said, fleets] = await Promise.all([
    modesLately(call),
    lastWords(call),
    silentFleets(call),
  ]);
  return json({ modes, said, fleets } satisfies AttentionView);
}

async function modesLately(call: KeyedCall): Promise<AttentionView['modes']> {
  const { peers, project } = call;
  const hourAgo = Date.now() - HOUR_MS;
  const read = (await queuesOf(call, null, null)).map(async ({ config, mode }) => {
    const { points } = await retrying(() => peers.queue(project, config, mode).trends(HOURS));
    const sum = (isOfHour: boolean): Ended => {
      const total = { ended: 0, unmatched: 0 };
      for (const { ended, unmatched } of points.filter(({ at }) => at > hourAgo === isOfHour)) {
        total.ended += ended;
        total.unmatched += unmatched;
      }
      return total;
    };
    return { config, mode, hour: sum(true), before: sum(false) };
  });
  return Promise.all(read);
}

async function lastWords(call: KeyedCall): Promise<AttentionView['said']> {
  const { peers, project } = call;
  const { builds } = await freshDocument(call);
  const failing = Object.values(builds).filter((build) => build.failing === true);
  const read = failing.map(async ({ name: build }) => {
    const found = () => peers.project(project).servers(1, 0, ['failed'], { build });
    const id = (await retrying(found)).servers[0]?.instance_id as InstanceId | undefined;
    const last = id === undefined ? null : await retrying(() => peers.server(id).read(project));
    const output = last?.ok === true ? (last.value.output ?? '') : '';
    const line = output.trimEnd().split('\n').at(-1) ?? '';
    return line === '' ? [] : [{ build, line }];
  });
  return (await Promise.all(read)).flat();
}

async function silentFleets({ env, later }: KeyedCall): Promise<AttentionView['fleets']> {
  const { fleets } = surroundingsOf(env);
  const asked = fleets.names.map(async (name) => {
    const fleet = must(fleets.named(name), 'a fleet by its name');
    return within({ later }, ANSWER_MS, fleet.inspect(NOBODY)).then(
      () => [],
      (error: unknown) => [{ name, detail: messageOf(error) }],
    );
  });
  return (await Promise.all(asked)).flat();
}
