// Parts of the charts, as plain SVG that follows the reader's light or dark mode.

/** The style that all charts share. Each chart adds its own colours. */
export const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .small { font-size: 11px; fill: #59636e }
  .grid { stroke: #d1d9e0 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .small { fill: #9198a1 }
    .grid { stroke: #3d444d }
  }`;

export interface Look {
  readonly kind?: 'small';
  readonly anchor?: 'middle' | 'end';
}

export function label(x: number, y: number, text: string, { kind, anchor }: Look = {}): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const look = (kind ? ` class="${kind}"` : '') + (anchor ? ` text-anchor="${anchor}"` : '');
  return `<text x="${x}" y="${y}"${look}>${escaped}</text>`;
}
