// The reference page: Swagger UI over /openapi.json, in which a reader can try each call. It runs under
// the policy of all pages (src/http/pages/site.ts), which allows no string to become HTML: descriptions are
// text with code in backticks, and are shown as such.

import SwaggerUI from 'swagger-ui-dist/swagger-ui-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import './reference.css';

/** Every second part stood between backticks. */
const prose: SwaggerUI.Plugin = ({ React }) => ({
  wrapComponents: {
    Markdown:
      () =>
      ({ source }) =>
        React.createElement(
          'span',
          null,
          ...(source ?? '')
            .split('`')
            .map((part, index) =>
              index % 2 === 0 ? part : React.createElement('code', null, part),
            ),
        ),
  },
});

/** Swagger UI is dark where this class says so. */
const dark = matchMedia('(prefers-color-scheme: dark)');
function shade(): void {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
}
dark.addEventListener('change', shade);
shade();

SwaggerUI({
  url: '/openapi.json',
  dom_id: '#reference',
  plugins: [prose],
  // Nobody but this service is asked.
  validatorUrl: null,
  deepLinking: true,
  filter: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  // The events of the stream, `x-events`.
  showExtensions: true,
});
