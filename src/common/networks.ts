// Which addresses are not public: this machine, and private networks.

const LOOPBACK = ['localhost$', '127\\.', '\\[?::1\\b'];
/** RFC 1918, carrier-grade NAT (100.64.0.0/10), link-local, and IPv6 unique local and link-local addresses. */
const PRIVATE = [
  '10\\.',
  '192\\.168\\.',
  '172\\.(1[6-9]|2\\d|3[01])\\.',
  '100\\.(6[4-9]|[7-9]\\d|1[01]\\d|12[0-7])\\.',
  '169\\.254\\.',
  '\\[?f[cd][\\da-f]{2}:',
  '\\[?fe[89ab][\\da-f]:',
];
const WITHIN = new RegExp(`^(${[...LOOPBACK, ...PRIVATE].join('|')})`, 'i');

/** Whether an IP address, an IPv6 prefix or `localhost` is this machine or in a private network. */
export function isWithin(host: string): boolean {
  return WITHIN.test(host);
}
