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

function shownEvents(_: string, value: unknown): unknown {
  const { itemSchema } = Object(value) as { readonly itemSchema?: object };
  return itemSchema === undefined ? value : { ...(value as object), schema: itemSchema };
}

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
  // Swagger UI does not show the schema of a stream's events, so it stands in for that of the text.
  responseInterceptor: (response) => {
    if (response.url.endsWith('/openapi.json')) {
      const described: unknown = JSON.parse(response.text, shownEvents);
      response.text = JSON.stringify(described);
    }
    return response;
  },
});
