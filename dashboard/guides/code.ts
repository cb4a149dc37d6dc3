// Blocks of code on the pages for readers: they name the address that served the page, and can be copied.

/** Writes what the page knows better than its text: an element's class says what it names. */
export function fillIn(names: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(names)) {
    for (const place of document.querySelectorAll(`code .${name}, a .${name}`)) {
      place.textContent = value;
    }
  }
}

/** Gives each block a button. Browsers have no clipboard for pages that came over plain HTTP from another machine. */
export function copyable(): void {
  for (const block of isSecureContext ? document.querySelectorAll('.code') : []) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      const text = block.querySelector('pre')?.textContent ?? '';
      void navigator.clipboard.writeText(text).then(() => {
        button.textContent = 'Copied';
      });
    });
    block.append(button);
  }
}
