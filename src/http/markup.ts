// HTML from templates: what is put into one is escaped, unless it is HTML itself.

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Part = string | number | Html | readonly Html[] | null;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function textOf(part: Part): string {
  if (part === null) {
    return '';
  }
  if (part instanceof Html) {
    return part.text;
  }
  if (typeof part === 'object') {
    return part.map(({ text }) => text).join('');
  }
  return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(String.raw({ raw: literals }, ...parts.map(textOf)));
}

/** Prose with `code` between backticks. */
export function prose(text: string): Html {
  const parts = text.split('`');
  return new Html(
    parts
      .map((part, index) =>
        index % 2 === 1 ? html`<code>${part}</code>`.text : html`${part}`.text,
      )
      .join(''),
  );
}
