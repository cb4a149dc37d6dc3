// Writes the configuration of workerd for a box.

import { join, relative, resolve, sep } from 'node:path';

import { workerdAddress } from '../agent/platform.ts';
import type { Before } from './before-workerd.ts';
import type { Cluster } from './cluster.ts';
import type { WorkerConfig } from './wrangler-config.ts';

/**
 * V8 lets garbage grow with the machine's memory. With these flags it collects sooner, without measurable
 * processor time (docs/internals/performance.md: Steady traffic).
 */
const V8_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=50'];

/**
 * The header in which workerd keeps what it knows of a connection (`request.cf`) on the way through the guard.
 * workerd overwrites this header if a client sends it.
 */
const CONNECTION = 'x-muster-connection';

export interface Serving extends Pick<Before, 'listens' | 'guard'> {
  readonly config: WorkerConfig;
  readonly root: string;
  readonly dataDir: string;
  readonly worker: string;
  readonly env: Readonly<Record<string, string>>;
  /** Certificates that are trusted in addition to those of browsers, as PEM. */
  readonly trusted: readonly string[];
  /** Undefined: this service is alone. */
  readonly cluster: Cluster | undefined;
}

/**
 * The configuration. The values of bindings come from the environment, so that the file has no secrets but the key of a
 * cluster, which workerd takes from nowhere else.
 */
export function workerdConfig(serving: Serving): string {
  const { config, root, dataDir, worker, listens, guard, env, trusted, cluster } = serving;
  const { assets } = config;
  const files =
    assets === undefined
      ? ''
      : `\n    (name = "assets", disk = (path = ${quoted(resolve(root, assets.directory))})),`;
  const bindings = [
    ...config.objects.map(
      ({ binding, className }) =>
        `(name = ${quoted(binding)}, durableObjectNamespace = ${quoted(className)})`,
    ),
    ...(assets === undefined ? [] : [`(name = ${quoted(assets.binding)}, service = "assets")`]),
    '(name = "GUARD", service = "guard")',
    '(name = "PROVIDERS", service = "providers")',
    ...Object.keys(env).map(
      (name) => `(name = ${quoted(name)}, fromEnvironment = ${quoted(variable(name))})`,
    ),
  ];
  const namespaces = config.objects.map(
    ({ className }) =>
      `(className = ${quoted(className)}, uniqueKey = ${quoted(folderOf(className))}, enableSql = true${className === 'BoxObject' ? ', preventEviction = true' : ''})`,
  );
  const tls = `tlsOptions = (trustBrowserCas = true, trustedCertificates = [${trusted.map(quoted).join(', ')}])`;
  const reached = env['PRIVATE_PROVIDERS'] === '1' ? ['public', 'private'] : ['public'];
  return `# Written at each start. Storage is beside it; values are in the environment.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (${cluster === undefined ? '' : clusterOption(cluster)}
  v8Flags = [${V8_FLAGS.map(quoted).join(', ')}],
  services = [
    (name = "main", worker = .worker),
    (name = "storage", disk = (path = ${quoted(join(dataDir, 'storage'))}, writable = true)),${files}
    (name = "internet", network = (allow = ["public", "private"], ${tls})),
    (name = "providers", network = (allow = [${reached.map(quoted).join(', ')}], ${tls})),
    (name = "guard", external = (address = ${quoted(workerdAddress(guard.path))}, http = (cfBlobHeader = "${CONNECTION}"))),
  ],
  sockets = [
    (name = "http", address = ${quoted(listens)}, http = (), service = "main"),
    (name = "guarded", address = ${quoted(workerdAddress(guard.behind))}, http = (cfBlobHeader = "${CONNECTION}"), service = (name = "main", props = (json = ${quoted('{"isGuarded":true}')}))),
  ],
);

const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed ${quoted(relative(dataDir, worker).replaceAll(sep, '/'))})],
  compatibilityDate = ${quoted(config.compatibilityDate)},
  compatibilityFlags = [${config.compatibilityFlags.map(quoted).join(', ')}],
  bindings = [
    ${bindings.join(',\n    ')}
  ],
  durableObjectNamespaces = [
    ${namespaces.join(',\n    ')}
  ],
  durableObjectStorage = (localDisk = "storage"),
  globalOutbound = "internet",
);
`;
}

/** Like all settings of workerd, it is the same on all instances but for the addresses. */
function clusterOption({ bucket, address, advertise, key, stopMs, divisor = 1 }: Cluster): string {
  const elsewhere = advertise === undefined ? '' : `, advertise = ${quoted(advertise)}`;
  return `
  cluster = (bucket = ${quoted(bucket)}, address = ${quoted(address)}${elsewhere}, key = ${quoted(key)}, stopTimeoutMs = ${stopMs}, unsafeTimeDivisor = ${divisor}),`;
}

export function variable(name: string): string {
  return `MUSTER_VAR_${name}`;
}

function quoted(value: string): string {
  return JSON.stringify(value);
}

/** The folder of a class's objects. Never change it, or their data is not found any more. */
function folderOf(className: string): string {
  return `muster-${className}`;
}
