// The configs of a service beside a folder of files, and what brings one to the other.

import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

import { isObject } from '../../../src/common/json';
import { playersWrite } from '../../../src/lobby/attributes';
import { defaultConfig, configInput, parseConfig } from '../../../src/lobby/config';
import { nameProblem, pathText, unknownFields } from '../../../src/common/shape';
import type { LobbyConfig, LobbyConfigInput } from '../src/admin-types.ts';
import { type Issue, isMusterError, type MusterAdmin } from '../src/admin.ts';
import { type Change, changesOf } from './changes.ts';
import { type ConfigFile, ENDINGS, newFileText, readConfigFile } from './config-file.ts';

export interface Refusal {
  readonly path: string;
  readonly line: number | null;
  readonly message: string;
}

/** Files that were refused, and why. Nothing was done. */
export class WrongFiles extends Error {
  readonly refusals: readonly Refusal[];

  constructor(message: string, refusals: readonly Refusal[]) {
    super(message);
    this.refusals = refusals;
  }
}

interface Compared {
  readonly name: string;
  /** Null: the service alone has it. */
  readonly file: ConfigFile | null;
  /** Null: there is a file alone. */
  readonly config: LobbyConfig | null;
  /** Empty: they say the same. */
  readonly changes: readonly Change[];
}

export interface PushOptions {
  readonly isDry: boolean;
  /** Whether configs without a file may be deleted. Null: they stay, and nobody is asked. */
  readonly confirmDeletes: ((names: readonly string[]) => Promise<boolean>) | null;
}

interface Comparison {
  readonly all: readonly Compared[];
  /** Of the project, as it was read. */
  readonly revision: number;
}

const MAX_SHOWN = 160;

export interface ConfigsOptions {
  readonly folder: string;
  /** Unknown fields of files are said, and are no reason to refuse them. */
  readonly allowUnknown: boolean;
  readonly say: (line: string) => void;
}

export class Configs {
  readonly #admin: MusterAdmin;
  readonly #folder: string;
  readonly #allowUnknown: boolean;
  readonly #say: (line: string) => void;

  constructor(admin: MusterAdmin, { folder, allowUnknown, say }: ConfigsOptions) {
    this.#admin = admin;
    this.#folder = folder;
    this.#allowUnknown = allowUnknown;
    this.#say = say;
  }

  /**
   * Writes what differs into the files; files without a config stay. Answers whether anything
   * was written, or would be.
   */
  async pull(options: { format: 'yaml' | 'json'; isDry: boolean }): Promise<boolean> {
    const { all } = await this.#compared(await this.#files('or none'));
    const stale = all.filter(({ config, changes }) => config !== null && changes.length > 0);
    if (!options.isDry) {
      await mkdir(this.#folder, { recursive: true });
    }
    for (const { name, file, config, changes } of stale) {
      if (config === null) {
        continue;
      }
      const path = file?.path ?? join(this.#folder, `${name}.${options.format}`);
      if (!options.isDry) {
        await write(path, file?.changed(changes) ?? newFileText(config, options.format));
      }
      this.#say(`${options.isDry ? 'would write' : 'wrote'} ${path}`);
    }
    for (const { file, config } of all) {
      if (file !== null && config === null) {
        this.#say(`${file.path}: the service has no such config; the file stays`);
      }
    }
    if (stale.length === 0) {
      this.#say('nothing differs');
    }
    return stale.length > 0;
  }

  /** Checks the files without a service. Says which numbers of their rules players can write. */
  async check(): Promise<void> {
    const files = await this.#rightFiles();
    for (const { name, path, content } of files) {
      const config = parseConfig(name, content);
      const { matchmaking, trusted = [] } = config.ok ? config.value : defaultConfig(name);
      const written = playersWrite(matchmaking.modes, new Set(trusted));
      if (written.length > 0) {
        this.#say(`${path}: players can write ${written.join(', ')}, unless the project trusts it`);
      }
    }
    this.#say(`${files.length} ${files.length === 1 ? 'file is' : 'files are'} right`);
  }

  /** Shows what differs; answers whether anything does. */
  async diff(): Promise<boolean> {
    const { all } = await this.#compared(await this.#rightFiles());
    this.#show(all, 'only on the service');
    return all.some(({ changes }) => changes.length > 0);
  }

  /** Saves the files that differ, all or none; answers whether anything was saved, or would be. */
  async push({ isDry, confirmDeletes }: PushOptions): Promise<boolean> {
    const { all, revision } = await this.#compared(await this.#rightFiles());
    if (all.length > 0 && all.every(({ file }) => file === null)) {
      throw new Error(`there is no config (${ENDINGS.join(', ')}) in ${this.#folder}`);
    }
    const stale = all.filter(({ changes }) => changes.length > 0);
    const saves = stale.flatMap(({ file }) => (file === null ? [] : [file]));
    const rest = stale.filter(({ file }) => file === null).map(({ name }) => name);
    const deletes = confirmDeletes === null ? [] : rest;
    const show = (): void =>
      this.#show(
        all,
        confirmDeletes === null ? 'only on the service: it stays; --delete deletes it' : 'deleted',
      );
    if (isDry) {
      show();
      return saves.length + deletes.length > 0;
    }
    if (confirmDeletes !== null && deletes.length > 0) {
      show();
      if (!(await confirmDeletes(deletes))) {
        throw new Error('nothing was saved or deleted');
      }
    }
    let ifRevision = saves.length > 0 ? await this.#save(saves, revision) : revision;
    if (deletes.length === 0) {
      // Only now: files that the service refuses differ in nothing that anybody wants to read.
      show();
    }
    for (const name of deletes) {
      await this.#admin.deleteLobbyConfig(name, { ifRevision });
      ifRevision += 1;
    }
    this.#say(`saved ${saves.length}, deleted ${deletes.length}`);
    return saves.length + deletes.length > 0;
  }

  async #save(files: readonly ConfigFile[], ifRevision: number): Promise<number> {
    const bodies = files.map(({ name, content }) => ({ ...(content as LobbyConfigInput), name }));
    try {
      return (await this.#admin.updateProjectSettings(bodies, { ifRevision })).revision;
    } catch (error) {
      if (isMusterError(error, 'VALIDATION_ERROR') && error.issues.length > 0) {
        refuse(error.issues.map((issue) => whereIn(files, issue)));
      }
      throw error;
    }
  }

  #show(all: readonly Compared[], without: string): void {
    for (const { name, file, config, changes } of all) {
      if (file === null) {
        this.#say(`- ${name}  (${without})`);
      } else if (config === null) {
        this.#say(`+ ${file.path}  (new)`);
      } else if (changes.length > 0) {
        this.#say(`~ ${file.path}`);
        for (const change of changes) {
          this.#say(shown(file, change));
        }
      }
    }
    if (all.every(({ changes }) => changes.length === 0)) {
      this.#say('nothing differs');
    }
  }

  async #compared(files: readonly ConfigFile[]): Promise<Comparison> {
    const { lobby_configs: configs, revision } = await this.#admin.getProjectSettings();
    const unnamed = configs.find(({ name }) => nameProblem(name) !== null);
    if (unnamed !== undefined) {
      // As the name of a file it could lead out of the folder.
      throw new Error(
        `the service has a config with an invalid name: ${JSON.stringify(unnamed.name)}`,
      );
    }
    const names = [...new Set([...files, ...configs].map(({ name }) => name))].toSorted();
    const all = names.map((name): Compared => {
      const file = files.find((each) => each.name === name) ?? null;
      const config = configs.find((each) => each.name === name) ?? null;
      const isThere = file !== null && config !== null;
      const changes = isThere
        ? changesOf(name, file.content, config)
        : [{ path: [], here: file?.content, there: config ?? undefined }];
      return { name, file, config, changes };
    });
    return { all, revision };
  }

  /** The files, all of them right by the rules of this release. */
  async #rightFiles(): Promise<readonly ConfigFile[]> {
    const files = await this.#files();
    refuse(
      files.flatMap((file) => {
        const parsed = parseConfig(file.name, file.content);
        return parsed.ok ? [] : parsed.refusal.map((issue) => at(file, issue));
      }),
    );
    const unknown = files.flatMap((file) =>
      unknownFields(configInput, file.content).map(({ path, message, didYouMean }) => {
        const meant = didYouMean === null ? '' : `; did you mean ${didYouMean}?`;
        return at(file, { path, message: `${message}${meant}` });
      }),
    );
    if (!this.#allowUnknown) {
      refuse(unknown, 'nothing was done; --allow-unknown goes on all the same');
    }
    for (const refusal of unknown) {
      this.#say(lineOf(refusal));
    }
    return files;
  }

  /** All files of configs, whatever they say. */
  async #files(may?: 'or none'): Promise<readonly ConfigFile[]> {
    const names = await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && may === 'or none') {
        return [];
      }
      throw error.code === 'ENOENT' ? new Error(`there is no folder ${this.#folder}`) : error;
    });
    const read = names
      .filter((name) => ENDINGS.includes(extname(name)))
      .toSorted()
      .map(async (name) => {
        const path = join(this.#folder, name);
        return readConfigFile(path, await readFile(path, 'utf8'));
      });
    const files = await Promise.all(read);
    refuse(
      files.flatMap((file, index) => {
        const isSecond = files.findIndex(({ name }) => name === file.name) !== index;
        const message = isSecond
          ? `another file already has the config ${file.name}`
          : isObject(file.content)
            ? null
            : 'must be an object';
        return message === null ? [] : [{ path: file.path, line: 1, message }];
      }),
    );
    return files;
  }
}

/** A refusal as it is printed: the file, its line, and what is wrong there. */
export function lineOf({ path, line, message }: Refusal): string {
  return line === null ? `${path}: ${message}` : `${path}:${line}: ${message}`;
}

function shown(file: ConfigFile, { path, here, there }: Change): string {
  const field = pathText(path);
  const sign = there === undefined ? '+' : here === undefined ? '-' : '~';
  const values = [there, here].filter((value) => value !== undefined).map(short);
  return `  ${sign} ${field}: ${values.join(' -> ')}  (line ${file.lineOf(field)})`;
}

function short(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function at(file: ConfigFile, { path, message }: Issue): Refusal {
  const told = path === '' ? message : `${path} ${message}`;
  return { path: file.path, line: file.lineOf(path), message: told };
}

/** An issue of the body that carried all files: `lobby_configs[2].matchmaking…`. */
function whereIn(files: readonly ConfigFile[], issue: Issue): Refusal {
  const [prefix = '', index = ''] = /^lobby_configs\[(\d+)\]\.?/.exec(issue.path) ?? [];
  const file = index === '' ? undefined : files[Number(index)];
  return file === undefined
    ? { path: 'the service', line: null, message: `${issue.path} ${issue.message}` }
    : at(file, { path: issue.path.slice(prefix.length), message: issue.message });
}

function refuse(refusals: readonly Refusal[], told = 'nothing was done'): void {
  if (refusals.length > 0) {
    throw new WrongFiles(told, refusals);
  }
}

/** Whole or not at all: a file that is read meanwhile is never half of one. */
async function write(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}
