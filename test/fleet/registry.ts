// A registry of container images on this machine, and images that are made of files: the game server that comes with
// the agent, with Node and the libraries that it needs. Podman fetches them as it would from anywhere.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Blob {
  readonly digest: string;
  readonly size: number;
  /** Its bytes, or the file that has them. */
  readonly content: Buffer | string;
}

interface ImageFacts {
  readonly architecture?: string;
  readonly config?: object;
}

export interface Registry {
  /** `127.0.0.1:40123`, as the names of its images begin. */
  readonly host: string;
  /** Offers an image of these files, with what else it says of itself. */
  offer(name: string, files: Readonly<Record<string, string>>, more?: ImageFacts): void;
  /** How often a layer was fetched. */
  fetched(): number;
  /** Layers wait until what this returns is called. */
  hold(): () => void;
  end(): Promise<void>;
}

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const CONFIG = 'application/vnd.oci.image.config.v1+json';
const LAYER = 'application/vnd.oci.image.layer.v1.tar';
const AGENT = fileURLToPath(new URL('../../agent', import.meta.url).href);

/** The files of an image by their paths in it. */
export function gameFiles(): Readonly<Record<string, string>> {
  const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' });
  const paths = [...libraries.matchAll(/(\/\S+) \(/g)].map(([, path = '']) => [path, path]);
  const own = ['game-server.ts', 'log.ts', 'ration.ts', 'seats.ts', 'web-socket.ts'];
  return {
    '/bin/node': process.execPath,
    ...Object.fromEntries(paths),
    ...Object.fromEntries(own.map((name) => [`/game/${name}`, join(AGENT, name)])),
  };
}

function machineArchitecture(): string {
  return process.arch === 'x64' ? 'amd64' : process.arch;
}

/** `folder`: where the layers are made. */
export async function startRegistry(folder: string): Promise<Registry> {
  const blobs = new Map<string, Blob>();
  const manifests = new Map<string, Buffer>();
  let fetched = 0;
  let gate: Promise<void> = Promise.resolve();

  function keep(content: Buffer | string): Blob {
    const bytes = typeof content === 'string' ? readFileSync(content) : content;
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    const blob = { digest, size: bytes.length, content };
    blobs.set(digest, blob);
    return blob;
  }

  const server = createServer((request, response) => {
    const [, name = '', kind = '', reference = ''] =
      /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/.exec(request.url ?? '') ?? [];
    const manifest = kind === 'manifests' ? manifests.get(`${name}:${reference}`) : undefined;
    const blob = kind === 'blobs' ? blobs.get(reference) : undefined;
    if (request.url === '/v2/') {
      response.end('{}');
    } else if (manifest !== undefined) {
      response.setHeader('content-type', MANIFEST).end(manifest);
    } else if (blob === undefined) {
      const errors = [{ code: 'MANIFEST_UNKNOWN', message: 'manifest unknown' }];
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ errors }));
    } else if (typeof blob.content === 'string') {
      const { content } = blob;
      fetched += 1;
      response.setHeader('content-length', blob.size);
      void gate.then(() => createReadStream(content).pipe(response));
    } else {
      response.end(blob.content);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    offer: (name, files, { architecture = machineArchitecture(), config: said = {} } = {}) => {
      const root = join(folder, name.replaceAll(/[/:]/g, '_'));
      for (const [path, from] of Object.entries(files)) {
        mkdirSync(join(root, dirname(path)), { recursive: true });
        symlinkSync(from, join(root, dirname(path), basename(path)));
      }
      execFileSync('tar', ['-chf', `${root}.tar`, '-C', root, '.']);
      const layer = keep(`${root}.tar`);
      const image = {
        architecture,
        os: 'linux',
        config: said,
        rootfs: { type: 'layers', diff_ids: [layer.digest] },
      };
      const config = keep(Buffer.from(JSON.stringify(image)));
      const part = ({ digest, size }: Blob, mediaType: string): object => ({
        mediaType,
        digest,
        size,
      });
      const manifest = {
        schemaVersion: 2,
        mediaType: MANIFEST,
        config: part(config, CONFIG),
        layers: [part(layer, LAYER)],
      };
      manifests.set(name, Buffer.from(JSON.stringify(manifest)));
    },
    fetched: () => fetched,
    hold: () => {
      let open = (): void => undefined;
      gate = new Promise((resolve) => (open = resolve));
      return open;
    },
    end: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The size of the files in MB, rounded down. */
export function megabytesOf(files: Readonly<Record<string, string>>): number {
  const sizes = Object.values(files).map((path) => statSync(path).size);
  return Math.floor(sizes.reduce((sum, each) => sum + each, 0) / 1024 / 1024);
}
