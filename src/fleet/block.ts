// How server blocks are shown to those who do not operate the server.

import type { Ending, ServerBlock, ServerRecord } from './port';

/** The block as client keys see it. How an operator starts programs is hidden from players. */
export function blockForPlayers(block: ServerBlock | ServerRecord): ServerBlock {
  const {
    exit_code: _code,
    signal: _signal,
    output: _output,
    detail: _detail,
    asked: _asked,
    host_reason: _why,
    ...shown
  } = { ...NO_ENDING, detail: null, host_reason: '', ...block };
  // A port is shown when it is open.
  const network_ports = shown.status === 'launching' ? [] : shown.network_ports;
  return { ...shown, network_ports, startup_args: null };
}

/** The block without `custom_data`, which has names, settings and states of every lobby in the match (record 0030). */
export function blockForStrangers(block: ServerBlock): ServerBlock {
  return block.match_id === null ? block : { ...block, custom_data: {} };
}

/** The block without what names players. */
export function blockWithoutIds(block: ServerBlock): ServerBlock {
  const hidden = block.term === undefined ? {} : { host_player: null };
  return { ...block, custom_data: {}, ...hidden };
}

/** The ending of a run about which nothing is known. */
export const NO_ENDING: Ending = { exit_code: null, signal: null, output: null };

/** As operators see it: a stopped server that says why has failed, unless it was told to stop. */
export function stateOf<Status extends string>(block: {
  readonly status: Status;
  readonly detail: string | null;
  readonly asked?: true;
}): Status | 'failed' {
  const hasFailed = block.status === 'stopped' && block.detail !== null && block.asked !== true;
  return hasFailed ? 'failed' : block.status;
}
