import { shortId } from '@arboleda/contracts/order.ts';
import { isTrouble, logLine, type LogLine } from '../logs.ts';

/** @param id an order's whole id, or its end, such as the short id. @returns the whole ids that match */
export function findOrders(lines: readonly LogLine[], id: string): string[] {
  const end = id.toLowerCase();
  const fits = lines.map(({ orderId }) => orderId).filter((each) => each?.endsWith(end));
  return [...new Set(fits)] as string[];
}

/** A request, event or job that concerns the order, and all that it led to. */
interface Chain {
  lines: LogLine[];
  startedAt: number;
}

/**
 * Describes an order's history: each request with what it caused, oldest first.
 * @param lines of all services, in any order
 * @param options.reads include requests that only read
 */
export function storyText(
  lines: readonly LogLine[],
  orderId: string,
  { reads = false }: { reads?: boolean } = {},
): string {
  const about = new Set(
    lines.filter((line) => line.orderId === orderId).map(({ correlationId }) => correlationId),
  );
  const ofOthers = (line: LogLine) => line.orderId !== undefined && line.orderId !== orderId;
  const byCause = Map.groupBy(
    lines.filter((line) => line.correlationId && about.has(line.correlationId) && !ofOthers(line)),
    ({ correlationId }) => correlationId,
  );
  const chains = [...byCause.values()].map(toChain).sort((a, b) => a.startedAt - b.startedAt);
  const shown = chains.filter((chain) => reads || !onlyReads(chain));
  const hidden = chains.length - shown.length;
  return [
    `Order ${shortId(orderId)} (${orderId})`,
    ...shown.map(chainText),
    ...(hidden > 0 ? [`Requests that only read are left out (${hidden}): --reads shows them.`] : []),
  ].join('\n\n');
}

const startOf = ({ time, durationMs = 0 }: LogLine): number => Date.parse(time) - durationMs;

function toChain(lines: LogLine[]): Chain {
  const sorted = lines.toSorted((a, b) => startOf(a) - startOf(b));
  return { lines: sorted, startedAt: startOf(sorted[0]!) };
}

const onlyReads = ({ lines }: Chain): boolean =>
  lines.every(({ route, level }) => route?.startsWith('GET ') && level === 'info');

function chainText({ lines, startedAt }: Chain): string {
  const head = lines.find(({ service }) => service === 'gateway') ?? lines[0]!;
  // A service's own answer to the request in the headline adds nothing.
  const repeats = ({ route, status }: LogLine) => route && route === head.route && status === head.status;
  const rest = lines.filter((line) => line !== head && !repeats(line));
  const handled = Map.groupBy(rest, ({ eventId, type }) => (type ? eventId : undefined));
  const steps = rest.flatMap((line) => {
    const together = line.type && line.eventId ? handled.get(line.eventId)! : [line];
    return together[0] === line ? [[line, stepText(together)] as const] : [];
  });
  const at = new Date(startedAt).toISOString().replace('T', ' ').replace('Z', '');
  return [
    `${at}  ${stepText([head])}`,
    ...steps.map(([line, text]) => `${elapsed(startOf(line) - startedAt).padStart(23)}  ${text}`),
  ].join('\n');
}

/** @param lines one, or all groups that handled the same event */
function stepText(lines: readonly LogLine[]): string {
  const [line] = lines as [LogLine];
  if (line.type && line.group) {
    return `${line.type} → ${lines.map(({ group, durationMs }) => `${group} ${durationMs} ms`).join(', ')}`;
  }
  const { service = 'product', route, status, durationMs, msg } = line;
  const who = service === 'gateway' ? '' : `${service}: `;
  if (route && !line.err) return `${who}${route} ${status}, ${durationMs} ms`;
  const sentence = [msg, ...detailsOf(line)].join(', ');
  return isTrouble(line) ? `! ${who}${sentence}` : `${who}${sentence}`;
}

const TOLD_ELSEWHERE = new Set(Object.keys(logLine.shape)).add('traceId').add('mailId');

function detailsOf(line: LogLine): string[] {
  const others = Object.entries(line)
    .filter(([name, value]) => !TOLD_ELSEWHERE.has(name) && ['string', 'number'].includes(typeof value))
    .map(([name, value]) => `${name} ${value}`);
  return [line.group, ...others, line.err?.message].filter((each) => each !== undefined);
}

function elapsed(ms: number): string {
  if (ms < 1_000) return `+ ${ms} ms`;
  if (ms < 120_000) return `+ ${(ms / 1_000).toFixed(1)} s`;
  return `+ ${Math.round(ms / 60_000)} min`;
}
