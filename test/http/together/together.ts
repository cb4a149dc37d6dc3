// Files that share a runtime in `npm test`: the start of workerd and of the service in it takes longer than most files. Each
// has configs of its own, and none changes what belongs to a whole project. A file that is named is run by itself.

import { afterAll, describe } from 'vitest';
import { ask, SERVER } from '../support';

/** Files by name. Each is a suite, so its hooks are for its own tests. */
export function together(files: Readonly<Record<string, () => Promise<unknown>>>): void {
  for (const [name, load] of Object.entries(files)) {
    describe(name, async () => {
      await load();
      // A project has at most 20.
      afterAll(forgetConfigs);
    });
  }
}

async function forgetConfigs(): Promise<void> {
  interface Listed {
    readonly lobby_configs: readonly { readonly name: string }[];
  }
  const { body } = await ask<Listed>('GET lobby-configs', { key: SERVER });
  for (const { name } of body.lobby_configs) {
    await ask(`DELETE lobby-configs/${name}`, { key: SERVER });
  }
}
