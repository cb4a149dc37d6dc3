// `muster configs pull|diff|push FOLDER`: lobby configs as files in a repository, for a studio's own
// pipeline. Exit status as of diff: 0 nothing differs (or all is done), 1 something differs, 2 it
// failed.

import { parseArgs } from 'node:util';

import { isMusterError, MusterAdmin } from '../src/admin.ts';
import { UnreadableFile } from './config-file.ts';
import { Configs, type Refusal, WrongFiles } from './configs.ts';

const USAGE = `muster configs pull FOLDER [--format yaml|json] [--dry-run]
muster configs diff FOLDER
muster configs push FOLDER [--delete] [--dry-run]

  pull      write the configs of the service into files, one each: {name}.yaml, .yml or .json
  diff      show how the files differ from the service
  push      save the files that differ, all or none

  --format  of new files; yaml by default
  --delete  delete the configs on the service that have no file
  --dry-run show what would be done, and change nothing

  MUSTER_URL         where the service is: https://muster.example.com
  MUSTER_SERVER_KEY  a server key of the project

Exit status: 0 nothing differs or everything was done, 1 something differs, 2 an error.`;

const FAILED = 2;

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      delete: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      format: { type: 'string', default: 'yaml' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const [topic, verb, folder, ...others] = positionals;
  const { format } = values;
  if (topic !== 'configs' || folder === undefined || others.length > 0) {
    throw new Error(`wrong arguments\n\n${USAGE}`);
  }
  if (format !== 'yaml' && format !== 'json') {
    throw new Error('--format must be yaml or json');
  }
  const url = setting('MUSTER_URL');
  const admin = new MusterAdmin({ url, key: setting('MUSTER_SERVER_KEY') });
  const isDry = values['dry-run'];
  const configs = new Configs(admin, folder, (line) => console.log(line));
  switch (verb) {
    case 'pull':
      return (await configs.pull({ format, isDry })) && isDry ? 1 : 0;
    case 'diff':
      return (await configs.diff()) ? 1 : 0;
    case 'push':
      return (await configs.push({ deletes: values.delete, isDry })) && isDry ? 1 : 0;
    default:
      throw new Error(`there is no \`configs ${verb ?? ''}\`\n\n${USAGE}`);
  }
}

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') {
    throw new Error(`${name} is not set`);
  }
  return value;
}

function told(error: unknown): string {
  if (error instanceof WrongFiles) {
    const lines = error.refusals.map(({ path, line, message }: Refusal) =>
      line === null ? `${path}: ${message}` : `${path}:${line}: ${message}`,
    );
    return [...lines, `muster: ${error.message}`].join('\n');
  }
  if (error instanceof UnreadableFile) {
    return error.message;
  }
  if (isMusterError(error, 'PRECONDITION_FAILED')) {
    return 'muster: somebody else saved a config meanwhile, and nothing was saved: look at the diff again';
  }
  return `muster: ${error instanceof Error ? error.message : String(error)}`;
}

run().then(
  (status) => {
    process.exitCode = status;
  },
  (error: unknown) => {
    console.error(told(error));
    process.exitCode = FAILED;
  },
);
