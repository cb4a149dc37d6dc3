// Upgrades server blocks of earlier releases, whose `version` was a text. They are in saved rows, and come from
// objects that still run an earlier release during a deployment.

import type { Ending, ServerBlock, ServerRecord } from './port';

type EarlierBlock = Omit<ServerBlock, 'version' | 'service_type' | 'pool_claimed_at'> & {
  readonly version: string | null;
};

/** The block as clients expect it now. A current block is returned as it is. */
function currentBlock(block: ServerBlock | EarlierBlock): ServerBlock {
  return 'pool_claimed_at' in block
    ? block
    : { ...block, version: null, service_type: 'match_based', pool_claimed_at: null };
}

/** The block as client keys see it. How an operator starts programs is hidden from players. */
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
 * The block as players outside of the match see it. They must not see its `custom_data`, which has the names,
 * settings and states of every lobby in the match, also of private ones (record 0030).
 */
export function blockForStrangers(block: ServerBlock): ServerBlock {
  return block.match_id === null ? block : { ...block, custom_data: {} };
}

/** The ending of a run about which nothing is known. */
export const NO_ENDING: Ending = { exit_code: null, signal: null, output: null };

/** The current record. A row of an earlier release holds only a block. */
export function currentRecord(block: ServerBlock | ServerRecord): ServerRecord {
  return { ...NO_ENDING, detail: null, ...currentBlock(block) };
}

/** As operators see it: a stopped server that says why has failed. */
export function stateOf<Status extends string>({
  status,
  detail,
}: {
  readonly status: Status;
  readonly detail: string | null;
}): Status | 'failed' {
  return status === 'stopped' && detail !== null ? 'failed' : status;
}
