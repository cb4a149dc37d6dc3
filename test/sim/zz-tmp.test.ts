import { it } from 'vitest';
import { scenarioOf } from '../../proof/sim/scenario';
import { run } from '../../proof/sim/run';
const [from, most, place] = (process.env['ZZ'] ?? '1 20 box').split(' ');
it('x', { timeout: 400_000 }, async () => {
  const t0 = Date.now();
  const counts: Record<string, number> = {};
  let done = 0;
  for (let seed = Number(from); done < Number(most) && Date.now() - t0 < 200_000; seed += 1) {
    if (scenarioOf(seed).rematches === 0) continue;
    done += 1;
    const out = await run(seed, { placement: place as 'box' });
    for (const [k, v] of Object.entries(out.counts)) if (/rematch|booked|lobby.rematch/.test(k)) counts[k] = (counts[k] ?? 0) + v;
    if (out.violations.length > 0) console.log('VIOLATION', seed, out.violations.slice(0, 3));
  }
  console.log('DONE', place, done, JSON.stringify(counts, null, 1), Date.now() - t0);
});
