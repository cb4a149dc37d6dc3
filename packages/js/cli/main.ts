// `muster configs pull|diff|push|check FOLDER`: lobby configs as files in a repository, for a studio's own
// pipeline. Exit status as of diff: 0 nothing differs (or all is done), 1 something differs, 2 it
// failed.

import { createInterface } from 'node:readline/promises';

import { choice, commandLine, given } from '../../../scripts/flags.ts';
import { isMusterError, MusterAdmin } from '../src/admin.ts';
import { UnreadableFile } from './config-file.ts';
import { Configs, lineOf, WrongFiles } from './configs.ts';

const FAILED = 2;

const { flags, words } = commandLine({
  command: 'muster configs pull|diff|push|check',
  about: `pull writes the configs of the service into files, one each: {name}.yaml, .yml or .json. diff shows how the files
differ from the service. push saves the files that differ, all or none. check needs no service: it says what is wrong in the
files, and which numbers of their rules players can write. MUSTER_URL says where the service is, and
MUSTER_SERVER_KEY is a server key of the project. Exit status: 0 nothing differs or everything was done, 1 something
differs, 2 an error.`,
  words: { name: 'FOLDER', says: 'of the files', least: 3, most: 3 },
  flags: {
    format: choice(['yaml', 'json'], 'yaml', 'of new files'),
    delete: given('push: also delete the configs on the service that have no file'),
    yes: given('with --delete: do not ask'),
    'allow-unknown': given('diff, push, check: say fields that have no effect, and go on'),
    'dry-run': given('pull, push: show what would be done, and change nothing'),
  },
});

async function run(): Promise<number> {
  const [topic, verb, folder = ''] = words;
  if (topic !== 'configs') {
    throw new Error(`unknown command ${topic}; muster --help lists the commands`);
  }
  const needed = verb === 'check' ? () => '' : setting;
  const url = needed('MUSTER_URL', 'the address of the service, such as http://127.0.0.1:8787');
  const key = needed(
    'MUSTER_SERVER_KEY',
    'a server key, which npm start keeps in .muster/server-key',
  );
  const admin = new MusterAdmin({ url, key });
  const isDry = flags['dry-run'];
  const configs = new Configs(admin, {
    folder,
    allowUnknown: flags['allow-unknown'],
    say: (line) => console.log(line),
  });
  switch (verb) {
    case 'pull':
      return (await configs.pull({ format: flags.format, isDry })) && isDry ? 1 : 0;
    case 'check':
      await configs.check();
      return 0;
    case 'diff':
      return (await configs.diff()) ? 1 : 0;
    case 'push': {
      const confirmDeletes = flags.delete ? confirmed : null;
      return (await configs.push({ isDry, confirmDeletes })) && isDry ? 1 : 0;
    }
    default:
      throw new Error(`unknown command configs ${verb ?? ''}; muster --help lists the commands`);
  }
}

/** Asks whoever sits at the terminal. */
async function confirmed(names: readonly string[]): Promise<boolean> {
  if (flags.yes) {
    return true;
  }
  if (!process.stdin.isTTY) {
    throw new Error(
      'nothing was saved or deleted: there is no terminal to ask on, and --yes was not given',
    );
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`Delete ${names.join(', ')}? Type yes: `);
  terminal.close();
  return answer.trim() === 'yes';
}

/** `what`: it must be. */
function setting(name: string, what: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') {
    throw new Error(`${name} is not set: it must be ${what}`);
  }
  return value;
}

function told(error: unknown): string {
  if (error instanceof WrongFiles) {
    return [...error.refusals.map(lineOf), `muster: ${error.message}`].join('\n');
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
