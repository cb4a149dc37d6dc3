// Files of which a command writes a part: what stands between two lines that say so.

const END = 'End of what it writes.';

/** The text with that part replaced. Throws if the text lacks one of the two lines. */
export function withWritten(text: string, command: string, made: string): string {
  const begin = `Written by \`${command}\`:`;
  const from = text.indexOf('\n', text.indexOf(begin)) + 1;
  const to = text.lastIndexOf('\n', text.indexOf(END)) + 1;
  if (!text.includes(begin) || to < from) {
    throw new Error(`a file needs the lines "${begin}" and "${END}"`);
  }
  return `${text.slice(0, from)}${made}\n${text.slice(to)}`;
}
