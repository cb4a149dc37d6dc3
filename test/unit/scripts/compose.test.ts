// compose.yaml and what it mounts fit together: files exist, names and ports are those of the others.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { needs, pathOf } from '../../support/tools.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url).href);
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface Service {
  readonly image?: string;
  readonly profiles?: readonly string[];
  readonly volumes: readonly string[];
  readonly ports: readonly string[];
  readonly secrets?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly entrypoint?: readonly string[];
}

const compose = parse(read('compose.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
  readonly secrets: object;
};
const all = Object.entries(compose.services);

describe('compose.yaml', () => {
  it('has its settings and keys in files that neither a commit nor the image takes', () => {
    const ignored = read('.gitignore').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['muster.env', 'keys.txt', 'cluster-key']));
    const [first, ...rest] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    // Everything is left out but what the build names.
    expect(first).toBe('*');
    const taken = rest.flatMap((line) => (line.startsWith('!') ? line.slice(1) : []));
    expect(taken.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(taken.filter((path) => ignored.includes(path))).toEqual([]);
  });

  it('starts Muster alone, and the rest with the profile monitoring', () => {
    const profiles = all.map(([name, { profiles: asked }]) => [name, asked?.join()]);
    expect(Object.fromEntries(profiles)).toEqual({
      muster: undefined,
      prometheus: 'monitoring',
      alertmanager: 'monitoring',
      grafana: 'monitoring',
    });
  });

  it('mounts files that exist and volumes that it names, and pins images', () => {
    const images = all.flatMap(([, { image }]) => image ?? []);
    expect(images).toHaveLength(3);
    expect(images.filter((image) => !/:v?\d+\.\d+\.\d+$/.test(image))).toEqual([]);
    for (const [name, { volumes }] of all) {
      for (const [from = ''] of volumes.map((each) => each.split(':'))) {
        const isThere = from.startsWith('./')
          ? existsSync(join(ROOT, from))
          : from in compose.volumes;
        expect(isThere, `${name}: ${from}`).toBe(true);
      }
    }
  });

  it('runs nothing with rights, or on a file system that it can change', () => {
    for (const [name, service] of all) {
      expect(service, name).toMatchObject({
        read_only: service.secrets === undefined,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    }
    const [, image = ''] = read('Dockerfile').split(/^FROM(?!.* AS )/m);
    expect(image).toMatch(/^USER node$/m);
    expect(image).not.toContain('--chown');
  });

  it('has an image with certificates to trust, without which workerd does not start', () => {
    const [, image = ''] = read('Dockerfile').split(/^FROM(?!.* AS )/m);
    expect(image).toMatch(/^ node:\S+-slim\n/);
    expect(image).toMatch(/^RUN .*apt-get install .*\bca-certificates\b/m);
  });

  it('starts no Grafana without a password', () => {
    const [shell = '', flag = '', script = ''] = compose.services['grafana']?.entrypoint ?? [];
    const start = (password: string): string => {
      const words = [flag, script.replaceAll('$$', '$').replace('exec /run.sh', 'echo starts')];
      const env = { GF_SECURITY_ADMIN_PASSWORD: password };
      const { stdout, stderr } = spawnSync(shell, words, { env, encoding: 'utf8' });
      return stdout + stderr;
    };
    expect([start('x'), start('')]).toEqual(['starts\n', 'set GRAFANA_PASSWORD\n']);
  });

  it('has ports on this machine only', () => {
    const ports = all.flatMap(([, service]) => service.ports);
    expect(ports.length).toBeGreaterThan(2);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('leads Prometheus to Muster with its key, and Grafana to Prometheus', () => {
    const { rule_files: rules, scrape_configs: scrapes } = parse(read('ops/prometheus.yml')) as {
      readonly rule_files: readonly string[];
      readonly scrape_configs: readonly [
        {
          readonly job_name: string;
          readonly authorization: { readonly credentials_file: string };
          readonly static_configs: readonly [{ readonly targets: readonly string[] }];
        },
      ];
    };
    const [
      {
        job_name: job,
        authorization,
        static_configs: [{ targets }],
      },
    ] = scrapes;
    const port = /^EXPOSE (\d+)$/m.exec(read('Dockerfile'))?.[1];
    expect(targets).toEqual([`muster:${port}`]);
    const [key, webhook] = Object.keys(compose.secrets);
    expect(compose.services['prometheus']?.secrets).toEqual([key]);
    expect(authorization.credentials_file).toBe(`/run/secrets/${key}`);
    expect(compose.services['alertmanager']?.secrets).toEqual([webhook]);
    expect(read('ops/alertmanager.yml')).toContain(`url_file: /run/secrets/${webhook}`);
    const [, hears] = compose.services['alertmanager']?.ports[0]?.split(/:(?=\d+$)/) ?? [];
    expect(read('ops/prometheus.yml')).toContain(`alertmanager:${hears}`);
    const { groups } = parse(read(`ops/${rules.join()}`)) as {
      readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
    };
    const expressions = groups.flatMap((group) => group.rules.map(({ expr }) => expr));
    expect(expressions.join()).toContain(`job="${job}"`);

    const { datasources } = parse(read('ops/grafana/datasource.yml')) as {
      readonly datasources: readonly { readonly type: string; readonly url: string }[];
    };
    const [, inside] = compose.services['prometheus']?.ports[0]?.split(/:(?=\d+$)/) ?? [];
    expect(datasources).toMatchObject([{ type: 'prometheus', url: `http://prometheus:${inside}` }]);
    const { providers } = parse(read('ops/grafana/dashboards.yml')) as {
      readonly providers: readonly { readonly options: { readonly path: string } }[];
    };
    const mounted = compose.services['grafana']?.volumes.join('\n');
    expect(mounted).toContain(`:${providers[0]?.options.path}/muster.json:ro`);
  });

  it.runIf(needs('promtool'))('has a configuration that Prometheus takes', () => {
    const args = ['check', 'config', '--syntax-only', join(ROOT, 'ops/prometheus.yml')];
    expect(execFileSync(pathOf('promtool'), args, { encoding: 'utf8' })).toContain('SUCCESS');
  });

  it.runIf(needs('amtool'))('has a configuration that Alertmanager takes', () => {
    // Debian's amtool is older than the image, and does not know the file of a webhook's address yet.
    const sample = read('ops/alertmanager.yml').replace(
      /url_file: \S+/,
      'url: http://127.0.0.1:9/',
    );
    const folder = mkdtempSync(join(tmpdir(), 'muster-amtool-'));
    const file = join(folder, 'alertmanager.yml');
    writeFileSync(file, sample);
    const args = ['check-config', file];
    const checked = execFileSync(pathOf('amtool'), args, { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect(checked).toMatch(/SUCCESS[^]*1 receivers/);
  });
});

describe('ops/two-machines.yaml', () => {
  const { services: two } = parse(read('ops/two-machines.yaml'), { merge: true }) as {
    readonly services: Readonly<
      Record<'a' | 'b' | 'bucket', Service & { readonly build: { dockerfile_inline: string } }>
    >;
  };

  it('runs both instances as compose.yaml runs one, on this machine only', () => {
    for (const name of ['a', 'b'] as const) {
      expect(two[name], name).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
      expect(two[name].ports.join(), name).toMatch(/^127\.0\.0\.1:\d+:8787$/);
    }
  });

  it('has a bucket that is installed without systemd, and may do little', () => {
    expect(two.bucket).toMatchObject({ cap_drop: ['ALL'], cap_add: ['DAC_OVERRIDE'] });
    expect(two.bucket.security_opt).toContain('no-new-privileges:true');
    const { dockerfile_inline: lines } = two.bucket.build;
    expect(lines).toMatch(/^RUN .*SYSTEMD_OFFLINE=1 apt-get install .*\bceph-mon\b/m);
    expect(two.bucket.ports).toBeUndefined();
  });
});

describe('.github/workflows', () => {
  it('uses actions by the digest of a commit', () => {
    const used = ['ci.yml', 'publish-client.yml', 'release.yml'].flatMap((name) =>
      [...read(`.github/workflows/${name}`).matchAll(/uses: (.+)$/gm)].map(([, action]) => action),
    );
    expect(used.length).toBeGreaterThan(3);
    expect(used.filter((each) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(each ?? ''))).toEqual([]);
  });
});
