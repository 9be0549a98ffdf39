import { type CatalogueEntry, eventCatalogue, schemaPath } from '@arboleda/contracts/events/catalogue.ts';
import { escapeHtml } from '@arboleda/contracts/escape-html.ts';

const json = (value: unknown): string => escapeHtml(JSON.stringify(value, null, 2));
const codes = (values: readonly string[]): string =>
  values.map((value) => `<code>${escapeHtml(value)}</code>`).join(', ') || 'none';

/** All event types on one page for people: who publishes and handles each, its key, schema and example. */
export function eventsPage(): string {
  const entries = eventCatalogue();
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>Arboleda events</title>
    <link rel="stylesheet" href="/api/events/style.css" />
  </head>
  <body>
    <header>
      <h1>Events</h1>
      <p>
        ${entries.length} types. On Kafka they are CloudEvents 1.0 in binary mode: each type is a topic, and each service that handles it is a consumer group. Events of
        one key come in order and may come again: consumers know them by <code>ce_id</code>. A consumer that fails tries again for
        about ten minutes; then the event is a dead letter of its group. For programs:
        <a href="/api/asyncapi.json">AsyncAPI 3.0</a>.
      </p>
    </header>
    <nav aria-label="Event types">
      <ul>
        ${entries.map(({ type }) => `<li><a href="#${type}">${type}</a></li>`).join('\n        ')}
      </ul>
    </nav>
    <main>
${entries.map(sectionOf).join('\n')}
    </main>
  </body>
</html>
`;
}

const sectionOf = ({ type, version, key, publisher, listeners, personal, schema, example }: CatalogueEntry) =>
  `      <section aria-labelledby="${type}">
        <h2 id="${type}">${type}</h2>
        <dl>
          <dt>Published by</dt><dd>${codes([publisher])}</dd>
          <dt>Handled by</dt><dd>${codes(listeners)}</dd>
          <dt>Key</dt><dd><code>data.${key}</code></dd>
          <dt>Personal data</dt><dd>${codes(personal.map((path) => `data.${path}`))}</dd>
          <dt>Version</dt><dd>${version}, <a href="${schemaPath(type, version)}">JSON Schema</a></dd>
        </dl>
        <details><summary>Example of ${type}</summary><pre tabindex="0">${json(example)}</pre></details>
        <details><summary>Schema of ${type}</summary><pre tabindex="0">${json(schema)}</pre></details>
      </section>`;
