import { ORDER_ATTRIBUTE } from '@arboleda/chassis/telemetry/names.ts';
import type { RecentSpan, RecentTrace, RecentTraces } from '@arboleda/chassis/telemetry/recent.ts';
import { escapeHtml } from '@arboleda/contracts/escape-html.ts';
import { type Exchange, sendBytes } from '../exchange.ts';

const PATH = '/dev/traces';
const STYLE = `${PATH}/style.css`;
/** Units of the drawing's width. */
const WIDTH = 1000;
const CSS = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:72rem;padding:1.5rem 1rem 4rem}
summary{cursor:pointer;overflow-wrap:anywhere;padding:.25rem 0}
details{overflow-x:auto}
table{border-collapse:collapse;font-size:.875rem;width:100%}
th,td{padding:.125rem .5rem;text-align:left;vertical-align:top}
td{white-space:nowrap}
td:nth-child(2){overflow-wrap:anywhere;white-space:normal}
td:last-child{width:30%}
svg{display:block;height:.75rem;margin-top:.375rem;min-width:8rem;width:100%}
rect{fill:currentcolor}
.failed{color:light-dark(#a3251a,#ff9b8f)}
`;

/** "/dev/traces": the last traces of this process, newest first; "?order=5B28B7" finds those of an order. */
export function tracesHandler(recent: RecentTraces) {
  return {
    owns: (path: string): boolean => path === PATH || path === STYLE,
    handle(exchange: Exchange): void {
      exchange.routeKey = `GET ${exchange.path}`;
      if (exchange.path === STYLE) return send(exchange, 'text/css; charset=utf-8', CSS);
      const order = new URL(exchange.request.url!, 'http://localhost').searchParams.get('order') ?? '';
      // Looking at traces makes traces.
      const ofProduct = recent.traces().filter(({ spans }) => !spans[0]!.name.startsWith(`GET ${PATH}`));
      const traces = ofProduct.filter((trace) => concerns(trace, order));
      send(exchange, 'text/html; charset=utf-8', page(traces, order));
    },
  };
}

const send = (exchange: Exchange, type: string, text: string) =>
  sendBytes(exchange, 200, Buffer.from(text), { 'Content-Type': type, 'Cache-Control': 'no-store' });

const orderOf = ({ spans }: RecentTrace): string | undefined =>
  spans.map(({ attributes }) => attributes[ORDER_ATTRIBUTE]).find((id) => id !== undefined) as
    | string
    | undefined;

const concerns = (trace: RecentTrace, order: string): boolean =>
  order === '' || (orderOf(trace)?.endsWith(order.trim().toLowerCase()) ?? false);

const page = (traces: readonly RecentTrace[], order: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Arboleda traces</title>
    <link rel="stylesheet" href="${STYLE}" />
  </head>
  <body>
    <h1>Traces</h1>
    <p>The last 500 traces of this process, newest first. With a collector (<code>OTEL_EXPORTER_OTLP_ENDPOINT</code>) they go there instead.</p>
    <form><label>Order <input name="order" value="${escapeHtml(order)}" /></label> <button>Find</button></form>
    <main>${traces.map(section).join('\n') || '<p>None.</p>'}</main>
  </body>
</html>
`;

function section(trace: RecentTrace): string {
  const startedAt = Math.min(...trace.spans.map((span) => span.startedAt));
  const endedAt = Math.max(...trace.spans.map((span) => span.startedAt + span.durationMs));
  const rows = inOrder(trace.spans);
  const [first] = rows;
  const order = orderOf(trace);
  const failed = trace.spans.some(({ fault }) => fault !== undefined);
  return `<details id="${trace.traceId}">
      <summary${failed ? ' class="failed"' : ''}>${new Date(startedAt).toISOString()} ${escapeHtml(`${first!.span.service}: ${first!.span.name}`)}, ${trace.spans.length} spans, ${Math.round(endedAt - startedAt)} ms${order ? `, order ${order}` : ''}</summary>
      <table>
        <caption>${trace.traceId}</caption>
        <tr><th>Service</th><th>Span</th><th>From</th><th>Took</th><th>When</th></tr>
        ${rows.map((row) => spanRow(row, startedAt, endedAt)).join('\n        ')}
      </table>
    </details>`;
}

interface Row {
  span: RecentSpan;
  depth: number;
}

/** Each span below its parent, in order of time. A parent that is still open, or was elsewhere, is left out. */
function inOrder(spans: readonly RecentSpan[]): Row[] {
  const sorted = spans.toSorted((a, b) => a.startedAt - b.startedAt);
  const known = new Set(sorted.map(({ spanId }) => spanId));
  const below = Map.groupBy(sorted, ({ parentId }) => (known.has(parentId ?? '') ? parentId : undefined));
  const walk = (parent: string | undefined, depth: number): Row[] =>
    (below.get(parent) ?? []).flatMap((span) => [{ span, depth }, ...walk(span.spanId, depth + 1)]);
  return walk(undefined, 0);
}

function spanRow({ span, depth }: Row, from: number, to: number): string {
  const at = (ms: number) => ((ms - from) / Math.max(to - from, 1)) * WIDTH;
  const width = Math.max(at(from + span.durationMs), 2);
  const name = `${'· '.repeat(depth)}${span.name}${span.fault ? ` (${span.fault})` : ''}`;
  const attributes = Object.entries(span.attributes).map((pair) => pair.join('='));
  return `<tr${span.fault ? ' class="failed"' : ''}><td>${escapeHtml(span.service)}</td><td title="${escapeHtml(attributes.join(', '))}">${escapeHtml(name)}${span.links.map((id) => ` <a href="#${id}">began in ${id.slice(0, 8)}</a>`).join('')}</td><td>${Math.round(span.startedAt - from)} ms</td><td>${span.durationMs.toFixed(1)} ms</td><td><svg viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" aria-hidden="true"><rect x="${at(span.startedAt).toFixed(1)}" width="${width.toFixed(1)}" height="10" /></svg></td></tr>`;
}
