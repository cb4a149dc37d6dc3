// The settings of an instance, and whose data a folder has.

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { claimForCluster, clusterOf, copiedFrom, mannerOf } from '../../scripts/cluster.ts';
import { DATABASE } from '../../scripts/database.ts';
import { must } from '../../src/common/result.ts';

const SETTINGS = {
  CLUSTER: 's3://bucket/muster',
  CLUSTER_ADDRESS: '10.0.0.2:7000',
  CLUSTER_KEY: 'k'.repeat(32),
  AWS_REGION: 'auto',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'secret',
};

describe('settings', () => {
  it('make an instance, or none', () => {
    expect(clusterOf({})).toBeNull();
    expect(clusterOf(SETTINGS)).toMatchObject({
      bucket: 's3://bucket/muster',
      access: { AWS_REGION: 'auto', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' },
    });
    expect(
      clusterOf({ ...SETTINGS, FLEET: 'local', FLEET_URL: 'http://10.0.0.2:9000' }),
    ).not.toBeNull();
    const slashed = clusterOf({ ...SETTINGS, CLUSTER: `${SETTINGS.CLUSTER}/` });
    expect(slashed?.bucket).toBe(SETTINGS.CLUSTER);
  });

  it.each([
    [{ CLUSTER: 'bucket/muster' }, 'CLUSTER must be like s3://bucket/prefix'],
    [{ CLUSTER: 's3://bucket' }, 'CLUSTER must be like s3://bucket/prefix'],
    [{ CLUSTER: '' }, 'CLUSTER_ADDRESS is set, and CLUSTER is not'],
    [{ CLUSTER_ADDRESS: '' }, 'CLUSTER_ADDRESS must be host:port'],
    [{ CLUSTER_ADVERTISE: 'here' }, 'CLUSTER_ADVERTISE must be host:port'],
    [{ CLUSTER_KEY: 'short' }, 'at least 32 bytes'],
    [{ AWS_REGION: '' }, 'AWS_REGION is not set'],
    [{ AWS_SECRET_ACCESS_KEY: undefined }, 'AWS_SECRET_ACCESS_KEY is not set'],
    [{ FLEET: 'local' }, 'run `npm run agent` on each machine'],
  ])('that are wrong are refused: %o', (changes, words) => {
    expect(() => clusterOf({ ...SETTINGS, ...changes })).toThrow(words);
  });
});

describe('a folder', () => {
  let folder: string;
  const cluster = must(clusterOf(SETTINGS), 'a cluster');
  const other = must(clusterOf({ ...SETTINGS, CLUSTER: 's3://bucket/other' }), 'a cluster');

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-folder-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function has(name: string): Promise<void> {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '');
  }

  it('of a cluster is not taken for that of a box or of another cluster', async () => {
    await claimForCluster(folder, cluster);
    await claimForCluster(folder, cluster);
    await has(DATABASE);
    await expect(claimForCluster(folder, null)).rejects.toThrow('which may be old');
    await expect(claimForCluster(folder, other)).rejects.toThrow('set another MUSTER_DATA');
  });

  it('without data is taken: a start with a wrong CLUSTER failed', async () => {
    await claimForCluster(folder, other);
    await claimForCluster(folder, cluster);
    expect(await copiedFrom(folder)).toBe(SETTINGS.CLUSTER);
  });

  it('tells when its ID_KEY becomes another', async () => {
    const warned = vi.spyOn(console, 'error').mockReturnValue();
    const manner = mannerOf(cluster);
    await manner.keep(folder, { ID_KEY: 'one' });
    await manner.keep(folder, { ID_KEY: 'one' });
    expect(warned).not.toHaveBeenCalled();
    await manner.keep(folder, { ID_KEY: 'two' });
    expect(String(warned.mock.calls)).toContain('ids and tokens from before it are refused');
    warned.mockRestore();
    expect(await readFile(join(folder, 'id-key'), 'utf8')).toBe('two');
  });

  it('of a box is not taken for that of a cluster, which would begin without its data', async () => {
    await has(DATABASE);
    // As workerd marks a folder of its cluster.
    await has(join(dirname(DATABASE), '.cluster'));
    await claimForCluster(folder, null);
    await expect(claimForCluster(folder, cluster)).rejects.toThrow('npm run import');
  });
});
