// The images of builds. An image that this machine has is used as it is and never fetched again, so a tag that moves
// cannot change what a build runs. Others are fetched, each once at a time, by a program that ends with the agent.

import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import { ofEngines } from './confine.ts';
import { lastLine } from './engine.ts';
import type { Engine } from './engine.ts';
import { spawnKept } from './keeper.ts';
import { log, logError } from './log.ts';
import type { AgentSettings } from './settings.ts';
import { BadSpec, NotYet } from './spec.ts';

/** How many images are fetched at once: builds are many, and the line is one. */
const MOST_AT_ONCE = Math.max(2, availableParallelism());
/** How long the answer stands for an image that could not be fetched. */
const RETRY_MS = 5_000;
/** The same for one that was fetched and is of no use here. It would be fetched for nothing. */
const USELESS_MS = 10 * 60_000;
const GRACE_MS = 1_000;
const MB = 1024 * 1024;

/** The machine's architecture as images name it. */
const ARCHITECTURES: Readonly<Record<string, string>> = {
  x64: 'amd64',
  ia32: '386',
  ppc64: 'ppc64le',
};

interface Fetching {
  readonly begunAt: number;
  /** The last line that the program printed: what is being fetched. */
  line: string;
  /** Why there is no image. Null while it is being fetched. */
  failure: string | null;
  /** Until then the failure is the answer. */
  until: number;
  done: Promise<void>;
}

export interface Images {
  /**
   * Resolves if the image is here and may run, with the folders that it calls volumes. Otherwise fetches it, and waits
   * `patienceMs` for that. Throws BadSpec for an image that cannot be had or used, and NotYet while it is being fetched.
   */
  ready(image: string, patienceMs: number): Promise<readonly string[]>;
}

export function createImages(engine: Engine, { imageMb }: Pick<AgentSettings, 'imageMb'>): Images {
  /** Those under way, and those that failed a short while ago. */
  const fetches = new Map<string, Fetching>();

  /** Its volumes if the image is here, else null. Throws BadSpec if it is of no use. */
  async function volumesOf(image: string): Promise<readonly string[] | null> {
    const format = '--format={{.Os}}/{{.Architecture}} {{.Size}} {{json .Config.Volumes}}';
    const { ok, stdout } = await engine.call('image', 'inspect', format, '--', image);
    if (!ok) {
      return null;
    }
    const [platform = '', size = '', ...volumes] = stdout.trim().split(' ');
    const own = `linux/${ARCHITECTURES[process.arch] ?? process.arch}`;
    if (platform !== own) {
      throw new BadSpec(`the image ${image} is for ${platform}, and this machine runs ${own}`);
    }
    const mb = Math.ceil(Number(size) / MB);
    if (mb > imageMb) {
      throw new BadSpec(`the image ${image} has ${mb} MB, and AGENT_IMAGE_MB allows ${imageMb}`);
    }
    const named = JSON.parse(volumes.join(' ') || 'null') as object | null;
    return Object.keys(named ?? {});
  }

  async function pull(image: string, fetching: Fetching): Promise<void> {
    const { exited } = await spawnKept([await engine.program(), 'pull', '--', image], {
      env: ofEngines({ proxies: true }),
      graceMs: GRACE_MS,
      output: (line) => {
        fetching.line = lastLine(line) || fetching.line;
        return null;
      },
    });
    if ((await exited) !== 0) {
      throw new BadSpec(failureOf(image, fetching.line));
    }
    const found = await volumesOf(image).catch(async (error: unknown) => {
      fetching.until = performance.now() + USELESS_MS;
      await engine.call('image', 'rm', '--', image);
      throw error;
    });
    if (found === null) {
      throw new BadSpec(`the image ${image} was fetched, and yet it is not there`);
    }
  }

  function fetchOf(image: string): Fetching {
    const known = fetches.get(image);
    if (known !== undefined && (known.failure === null || performance.now() < known.until)) {
      return known;
    }
    const busy = [...fetches.values()].filter(({ failure }) => failure === null).length;
    if (busy >= MOST_AT_ONCE) {
      throw new NotYet(`the image ${image} is not here, and ${busy} others are being fetched`);
    }
    const now = performance.now();
    const done = Promise.resolve();
    const fetching: Fetching = { begunAt: now, line: '', failure: null, until: 0, done };
    fetches.set(image, fetching);
    log('agent', 'info', 'image_fetching', `fetches the image ${image}`);
    fetching.done = pull(image, fetching).then(
      () => {
        fetches.delete(image);
        log('agent', 'info', 'image_fetched', `has fetched the image ${image}`);
      },
      (error: unknown) => {
        fetching.until = Math.max(fetching.until, performance.now() + RETRY_MS);
        fetching.failure = error instanceof Error ? error.message : String(error);
        log('agent', 'warn', 'image_failed', fetching.failure);
        if (!(error instanceof BadSpec)) {
          logError('could not fetch an image', error);
        }
      },
    );
    return fetching;
  }

  return {
    ready: async (image, patienceMs) => {
      const here = await volumesOf(image);
      if (here !== null) {
        return here;
      }
      const fetching = fetchOf(image);
      const patience = new AbortController();
      await Promise.race([
        fetching.done,
        sleep(patienceMs, null, { signal: patience.signal }).catch(() => null),
      ]);
      patience.abort();
      if (fetching.failure !== null) {
        throw new BadSpec(fetching.failure);
      }
      if (fetches.get(image) === fetching) {
        const seconds = Math.round((performance.now() - fetching.begunAt) / 1000);
        const line = fetching.line === '' ? '' : `: ${fetching.line}`;
        throw new NotYet(`the image ${image} is being fetched since ${seconds} s${line}`);
      }
      return (await volumesOf(image)) ?? [];
    },
  };
}

/** Podman and Docker have no code for an image that a registry does not have, and hide those that one may not read. */
function failureOf(image: string, line: string): string {
  const isMissing = /manifest unknown|not found|no such|does not exist|denied|unauthorized/i;
  return isMissing.test(line)
    ? `there is no image ${image}, or this machine may not read it: ${line}`
    : `the image ${image} could not be fetched: ${line}`;
}
