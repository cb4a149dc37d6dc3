// Server blocks as earlier releases wrote them: they lie in saved rows, and come from objects that
// still run an earlier release during a deployment. Their `version` was a text.

import type { Ending, ServerBlock, ServerRecord } from './port';

type EarlierBlock = Omit<ServerBlock, 'version' | 'service_type' | 'pool_claimed_at'> & {
  readonly version: string | null;
};

/** The block as clients expect it now; a current one is answered as it is. */
function currentBlock(block: ServerBlock | EarlierBlock): ServerBlock {
  return 'pool_claimed_at' in block
    ? block
    : { ...block, version: null, service_type: 'match_based', pool_claimed_at: null };
}

/** The block as client keys see it: how an operator starts programs is not for players. */
export function blockForPlayers(block: ServerBlock): ServerBlock {
  const {
    exit_code: _code,
    signal: _signal,
    output: _output,
    detail: _detail,
    ...shown
  } = currentRecord(block);
  return { ...shown, startup_args: null };
}

/**
 * The block as players see it who are not of its match: its `custom_data` has the names, settings and
 * states of every lobby in the match, private ones included (record 0030).
 */
export function blockForStrangers(block: ServerBlock): ServerBlock {
  return block.match_id === null ? block : { ...block, custom_data: {} };
}

/** Of a run of which nothing is known. */
export const NO_ENDING: Ending = { exit_code: null, signal: null, output: null };

/** The record that a row of an earlier release, which held a block, stands for. */
export function currentRecord(block: ServerBlock | ServerRecord): ServerRecord {
  return { ...NO_ENDING, detail: null, ...currentBlock(block) };
}
