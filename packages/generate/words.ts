// Names and comments, which differ between languages only in how they look.

/** `createLobby` as `create_lobby`; `whereAmI` as `where_am_i`. */
export function snake(name: string): string {
  return name
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/** A text in lines of at most so many characters, each after the prefix. None for no text. */
export function comment(text: string, prefix: string, width = 118): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    if (line !== '' && `${prefix}${line} ${word}`.length > width) {
      lines.push(`${prefix}${line}`);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return line === '' ? [] : [...lines, `${prefix}${line}`];
}

/** What stands at the top of each file that is made. */
export function heading(version: string): string {
  return `Made from the API description of Muster ${version} by \`npm run generate\`. Do not edit it.`;
}
