// The tokens of hosts, which the Worker and the Server objects both know how to make.

/** The token of that name, of a server. */
export function tokenOf(instanceId: string, of: string): string {
  return `token of ${instanceId} ${of}`;
}
