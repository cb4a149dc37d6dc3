// Programs that the pages need and that cannot be had in tests, as small as the pages need them.

import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pathOf } from '../support/tools.ts';

/** A folder with a program of that name that does what the script says. */
export async function standIn(folder: string, name: string, script: string): Promise<string> {
  const bin = join(folder, `bin-${name}`);
  await mkdir(bin);
  await writeFile(join(bin, name), `#!/usr/bin/env bash\nset -euo pipefail\n${script}`);
  await chmod(join(bin, name), 0o755);
  return bin;
}

/**
 * Builds by copying what the Dockerfile copies. Runs its CMD as a process of this machine, with the variables and files
 * that the agent gives, and tells of it as of a container.
 */
export const DOCKER = `images=$TMPDIR/images
case "$1 \${2-}" in
  build*)
    mkdir -p "$images/$3"
    sed -n 's/^COPY \\(.*\\) \\(.*\\)$/\\1 \\2/p' "$4/Dockerfile" | while read -r from to; do cp "$4/$from" "$images/$3$to"; done
    sed -n 's/^CMD \\(.*\\)$/\\1/p' "$4/Dockerfile" > "$images/$3/cmd" ;;
  'image inspect')
    [ -d "$images/$5" ]
    [ "$(uname -m)" = x86_64 ] && echo 'linux/amd64 1000' || echo 'linux/arm64 1000' ;;
  'container inspect') echo "$(cat "$images/$4.pid") /" ;;
  kill*) kill -KILL "$(cat "$images/$3.pid")" ;;
  rm*) rm -f "$images/$4.pid" ;;
  run*)
    shift
    while [ "$1" != -- ]; do
      case "$1" in
        --name=*) echo $$ > "$images/\${1#--name=}.pid" ;;
        --env-file=*) while IFS= read -r line; do export "$line"; done < "\${1#--env-file=}" ;;
        --volume=*) told=\${1#--volume=}; told=\${told%%:/muster:*} ;;
      esac
      shift
    done
    export MUSTER_CONFIG=$told/muster.json MUSTER_HOST=127.0.0.1
    read -r program file < <(tr -d '[]",' < "$images/$2/cmd")
    exec "$program" "$images/$2$file" ;;
esac
`;

/** Keeps what it is told in \`calls\`; the secret is that of a cluster with this token and CA. */
export function kubectl(token: string, ca: string): string {
  return `echo "$@" >> calls
case "$*" in
  *'.data.token'*) printf %s ${token} ;;
  *'ca.crt'*) cat ${ca} ;;
esac
`;
}

/** A CA in that folder (\`ca.pem\`), and a certificate of it for this machine. */
export async function certified(
  folder: string,
): Promise<{ readonly key: string; readonly cert: string }> {
  const openssl = (line: string): Promise<unknown> =>
    promisify(execFile)(pathOf('openssl'), line.split(' '), { cwd: folder });
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
  await openssl(`req -x509 ${key} -keyout ca.key -out ca.pem -days 2 -subj /CN=cluster`);
  await openssl(`req ${key} -keyout api.key -out api.csr -subj /CN=kubernetes`);
  await writeFile(join(folder, 'san'), 'subjectAltName=IP:127.0.0.1');
  await openssl(
    'x509 -req -in api.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out api.pem -days 2 -extfile san',
  );
  const [private_, cert] = await Promise.all(
    ['api.key', 'api.pem'].map((name) => readFile(join(folder, name), 'utf8')),
  );
  return { key: private_ ?? '', cert: cert ?? '' };
}
