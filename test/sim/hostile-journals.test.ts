// Journals that somebody spoilt, or made up: a replay names the line that is wrong, or plays it. It never stumbles over
// what it did not look at, and it never runs without an end.

import { beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../proof/sim/random';
import { DAYS_MODE, recordDay } from '../../proof/sim/day';
import { compare, parseJournal } from '../../dashboard/replay/replay';
import { whatIf } from '../../dashboard/replay/what-if';
import { RULE_SAMPLES } from '../../proof/sim/rule-samples';
import { roleMode, ticket } from '../match/support/make';

/** So many journals are spoilt, each at one to three places. */
const SPOILT = 150;
const SAYS = /^(line \d+ (is spoilt: |begins another journal)|this is no journal of a queue: )/;

const HOSTILE: readonly string[] = [
  'null',
  'true',
  '""',
  '"constructor"',
  '"__proto__"',
  '-1',
  '0',
  '0.5',
  '1e15',
  '8.64e15',
  '1e999',
  '-1e999',
  '9007199254740993',
  '[]',
  '[[[[[]]]]]',
  '{}',
  '{"__proto__":{"k":"enter"}}',
  '{"constructor":{"prototype":1},"toString":1,"valueOf":2}',
  `"${'x'.repeat(5_000)}"`,
  `[${'"t1",'.repeat(2_000)}"t1"]`,
  `[${'{},'.repeat(200)}{}]`,
];

const roles = { tank: 1, heal: 1 };
/** Roles, a target wait, and a rule of each type. */
const RICH = roleMode(
  { red: roles, blue: roles },
  {
    allowBackfill: true,
    maxPartySize: 2,
    targetWait: 20,
    rules: RULE_SAMPLES.map(({ rule }) => rule).filter(({ type }) => type !== 'region'),
  },
);

let day: readonly string[];

beforeAll(async () => {
  const { text } = await recordDay(40, 77);
  const t = 1_800_000_000_000 + 86_400_000;
  const richly = (id: string, at: number) =>
    ticket(id, {
      at: t + at,
      roles: [['tank'], ['heal', 'tank']],
      state: { mmr: 1_000 + at, build: 'default', clan: id },
      pings: { 'us-east': [40, 70], 'eu-west': [90, 170] },
      avoids: ['somebody'],
      pace: 0.1,
    });
  const [anchor, ...others] = ['anchor', 't-a', 't-b', 't-c', 't-d'].map(richly);
  const here = { players: ['p-1'], avoids: ['p-2'] };
  const open = [{ name: 'red', slots: 2, roles: { tank: 1, heal: 1 }, here }];
  const version = 'default';
  const match = { matchId: 'm-open', startedAt: t, anchor, region: 'us-east', version, open };
  const late = [
    { k: 'anew', t, mode: RICH, before: DAYS_MODE, free: 1, taken: 0 },
    { k: 'offer', t, match: { ...match, forming: [others.slice(0, 1)], kicked: ['p-3'] } },
    ...others.map((each) => ({ k: 'enter', t, ticket: each })),
    { k: 'refresh', t, ticket: others[0] },
    { k: 'match', t, tickets: ['t-a', 't-b'], full: true, region: 'us-east' },
    { k: 'commit', t, ids: ['t-a', 't-b'] },
    { k: 'fill', t, matchId: 'm-open', ticket: 't-c', team: 0, roles: null },
    { k: 'release', t, ids: ['t-c'] },
    { k: 'withdraw', t, matchId: 'm-open' },
  ];
  day = [...text.trimEnd().split('\n'), ...late.map((line) => JSON.stringify(line))];
});

/** Replaces, drops or doubles one value at any depth of a line. */
function spoilt(line: string, random: Random): string {
  // Each value of JSON text, by where it begins: names are not among them.
  const values = [
    ...line.matchAll(/(?<=[:[,])("(?:[^"\\]|\\.)*"|-?[\d.eE+]+|null|true|false|[[{])/g),
  ];
  const { index, 0: value } = random.pick(values);
  const end = index + ('[{'.includes(value) ? lengthOf(line.slice(index)) : value.length);
  const hostile = random.pick(HOSTILE);
  return line.slice(0, index) + hostile + line.slice(end);
}

/** Of the list or object with which a text begins. */
function lengthOf(text: string): number {
  let depth = 0;
  for (const { 0: each, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    depth += '[{'.includes(each) ? 1 : '}]'.includes(each) ? -1 : 0;
    if (depth === 0) {
      return index + 1;
    }
  }
  return text.length;
}

const HOW = {
  'a value': (lines: string[], at: number, random: Random) => {
    lines[at] = spoilt(lines[at] ?? '', random);
  },
  'a name': (lines: string[], at: number, random: Random) => {
    const names = [...(lines[at] ?? '').matchAll(/"\w+":/g)];
    const { index, 0: name } = random.pick(names);
    const line = lines[at] ?? '';
    const other = random.pick(['"__proto__":', '"constructor":', '"k":', '"x":']);
    lines[at] = line.slice(0, index) + other + line.slice(index + name.length);
  },
  twice: (lines: string[], at: number, random: Random) => {
    lines.splice(1 + random.below(lines.length - 1), 0, lines[at] ?? '');
  },
  gone: (lines: string[], at: number) => {
    lines.splice(at, 1);
  },
  swapped: (lines: string[], at: number, random: Random) => {
    const other = random.below(lines.length);
    [lines[at], lines[other]] = [lines[other] ?? '', lines[at] ?? ''];
  },
  'cut off': (lines: string[], at: number, random: Random) => {
    const line = lines[at] ?? '';
    lines[at] = line.slice(0, random.below(line.length));
  },
} as const;

describe('a journal that is spoilt', () => {
  it('is refused with the line that is wrong, or is played to its end', () => {
    const told = { refused: 0, played: 0 };
    const before = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));
    for (let seed = 1; seed <= SPOILT; seed += 1) {
      const random = new Random(seed, 53);
      const lines = [...day];
      const done: string[] = [];
      for (let places = 1 + random.below(3); places > 0; places -= 1) {
        const how = random.pick(Object.keys(HOW) as (keyof typeof HOW)[]);
        const at = random.chance(0.1)
          ? 0
          : lines.length - 1 - random.below(random.pick([lines.length, 14]));
        done.push(`${how} of line ${at + 1}`);
        HOW[how](lines, at, random);
      }
      try {
        const found = whatIf(lines.join('\n'), random.pick([DAYS_MODE, RICH]));
        expect(found.now.entered).toBeLessThanOrEqual(lines.length);
        told.played += 1;
      } catch (error) {
        expect((error as Error).message, `${seed}: ${done.join(', ')}`).toMatch(SAYS);
        told.refused += 1;
      }
    }
    expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype))).toBe(before);
    expect(told.refused).toBeGreaterThan(SPOILT / 4);
    expect(told.played).toBeGreaterThan(SPOILT / 8);
  });

  it('of another version, or two in one file, or cut off, is said to be that', () => {
    const [head = '', ...lines] = day;
    const reads =
      (...text: readonly string[]) =>
      () =>
        parseJournal(text.join('\n'));
    expect(reads(head.replace('"version":1', '"version":2'), ...lines)).toThrow(
      'line 1 is spoilt: version: is another version than 1, which is all that this release reads',
    );
    expect(reads(...day, head)).toThrow(`line ${day.length + 1} begins another journal`);
    expect(reads('')).toThrow('it is empty');
    expect(reads(head, '{"k":"enter"', ...lines)).toThrow('line 2 is spoilt: it is no line');
    expect(reads(head, '17', ...lines)).toThrow('line 2 is spoilt');
    // The last line was still being written.
    expect(parseJournal([...day, '{"k":"ent'].join('\n')).lines).toHaveLength(day.length - 1);
    // A later release may have lines that this one does not know.
    expect(parseJournal([...day, '{"k":"toString","t":1}'].join('\n')).lines).toHaveLength(
      day.length - 1,
    );
  });

  it('with instants from the first to the last of all clocks is played to its end', () => {
    const [head = ''] = day;
    const instants = [0, 8.64e15, 1, 1.8e12, 8.64e15, 0.1];
    const lines = instants.map((t, index) =>
      JSON.stringify({ k: 'enter', t, ticket: ticket(`t${index}`, { at: t }) }),
    );
    const text = [head, ...lines].join('\n');
    expect(compare(parseJournal(text)).matches).toBe(0);
    const { now } = whatIf(text, RICH);
    expect(now.matched + now.left + now.neverMatched).toBe(now.entered);
    const early = JSON.stringify({ k: 'enter', t: 0, ticket: ticket('early', { at: 1.8e12 }) });
    expect(() => whatIf([head, early].join('\n'), RICH)).toThrow(
      'line 2 is spoilt: ticket.startedAt: is long after the line itself',
    );
  });

  it('that would take steps without an end is given up', () => {
    const [head = ''] = day;
    // Where waits matter, a queue looks each second at who waits, here for days.
    const patient = { ...RICH, timeout: 86_400 };
    const lines = Array.from({ length: 5 }, (_, index) => {
      const t = 90_000_000 * index;
      return JSON.stringify({ k: 'enter', t, ticket: ticket(`t${index}`, { at: t }) });
    });
    expect(() => whatIf([head, ...lines].join('\n'), patient)).toThrow(
      'this journal takes more than 255000 steps: replay a shorter part of it',
    );
  });

  it('of many lines is read line by line, up to the first that is wrong', () => {
    const [head = ''] = day;
    const line = '{"k":"advance","t":1800000000000}\n';
    const text = `${head}\n${line.repeat(300_000)}{"k":"advance","t":"late"}\n`;
    expect(() => parseJournal(text)).toThrow('line 300002 is spoilt: t: ');
  });
});
