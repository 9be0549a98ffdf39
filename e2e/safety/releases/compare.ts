import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import type { Seen } from './see.ts';

/**
 * Fields that differ though nothing was lost, by the request and the path within its answer, with the reason. They are
 * left out on both sides.
 */
const UNSTABLE: readonly [request: RegExp, path: RegExp, reason: string][] = [
  [/\/verify$/, /^token$/, 'a new session'],
  [/export$/, /^exportedAt$/, 'the moment of the call'],
  [/\/auth\/me\/export$/, /^logIns\./, 'the latest login from each network'],
  [
    /\/export$/,
    /\((America\/Bogota|UTC).*\)$/,
    'moments as a spreadsheet shows them; the orders have them too',
  ],
  [/overview/, /^(asOf|days|notPlanted)\b/, 'counted back from today'],
  [/overview/, /(oldestAgeHours|overdue)$/, 'counted from today'],
  [/money\/attention$/, /^(toNote|disputes)\b/, 'from an hour on, and of the last 30 days'],
  [/growth-visits/, /^counts\b/, 'visits become due'],
  [/workloads/, /visitsDue$/, 'visits become due'],
  [/./, /(^|\.)reminders$/, 'visits that are overdue'],
  [/certificate-status/, /^(validFrom|proof)\b/, 'signed for the call'],
];

/** Lists that grow by themselves: emails of later days, and the log of reads. */
const GROWS = /\/admin\/(mails|orders\/\w+\/mails|audit-log)$/;

/** Planned moments, which are not when something happened. */
const PLANNED = /(^|\.)(dueAt|refundBy|nextBy|deliverAt|withdrawableUntil|expiresAt)$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const LATER = 'after the backup';

/**
 * Texts that later releases changed on purpose, with the first of them. Both sides are rewritten, so everything else has
 * to be the same.
 */
const REWORDED: readonly [from: RegExp, to: string, since: string][] = [
  [/(COP\s\d[\d.,]*?)[.,]00\b/g, '$1', '1.1.0: pesos without cents'],
  [/The donor is withdrawing from the purchase\./g, 'The donor cancelled the purchase.', '1.1.0'],
  [
    /^(Fecha del retracto|Nombre|Nos pediste|Recibido el): .*\n/gm,
    '',
    '1.1.0: the receipt of a cancellation',
  ],
];

/** Deadlines that a later release may move in the donor's favour, and nowhere else. */
const MAY_BE_LATER = /(^|\.)withdrawableUntil$/;

/** Lists are compared by these fields of their entries, by place where there is none. */
const NAMES = [
  '_id',
  'id',
  'rowId',
  'paymentId',
  'refundId',
  'purchaseId',
  'statementId',
  'code',
  'filename',
];

/**
 * Compares answers field by field. New fields are no difference; a changed or missing one is, and so is a new entry of a
 * list that does not grow by itself.
 * @param madeAt moment of the backup: what happened after it is the same whenever it happened
 * @returns a sentence for each difference
 */
export function differences(expected: Seen, actual: Seen, madeAt: string): string[] {
  return Object.keys(expected).flatMap((request) => {
    if (!(request in actual)) return [`${request}: is not asked any more`];
    const [before, after] = [expected[request], actual[request]].map((answer) =>
      settled(answer, { request, madeAt, path: '' }),
    );
    return unequal(before, after, { request, path: '' });
  });
}

interface At {
  request: string;
  path: string;
}

const below = (path: string, name: string | number): string =>
  path === '' ? String(name) : `${path}.${name}`;

/** An answer without what differs by itself. */
function settled(value: unknown, at: At & { madeAt: string }): unknown {
  const { request, path, madeAt } = at;
  if (UNSTABLE.some(([ofRequest, ofPath]) => ofRequest.test(request) && ofPath.test(path))) return undefined;
  if (Array.isArray(value))
    return value
      .map((entry, index) => settled(entry, { ...at, path: below(path, index) }))
      .filter((entry) => entry !== undefined && !isReadLater(request, entry));
  if (typeof value === 'object' && value !== null) {
    const open = withoutReference(openOnceDue(namedMail(value as Record<string, unknown>, madeAt), madeAt));
    return Object.fromEntries(
      Object.entries(open)
        .map(([name, inner]) => [name, settled(inner, { ...at, path: below(path, name) })] as const)
        .filter(([, inner]) => inner !== undefined),
    );
  }
  const isLater = typeof value === 'string' && INSTANT.test(value) && !PLANNED.test(path) && value >= madeAt;
  if (isLater) return LATER;
  return typeof value === 'string' ? reworded(value) : value;
}

const reworded = (text: string): string =>
  REWORDED.reduce((words, [from, to]) => words.replace(from, to), text);

/** Since 1.1.0 the reference that an erased donor typed for a transfer is erased, too, with the upgrade. */
function withoutReference(value: Record<string, unknown>): Record<string, unknown> {
  const { customerEmail, method, manualPayment } = value;
  const isTransfer = (method as { kind?: string } | undefined)?.kind === 'transfer';
  if (customerEmail !== ERASED_CUSTOMER.email || !isTransfer) return value;
  return {
    ...value,
    transactionId: undefined,
    ...(typeof manualPayment === 'object' && {
      manualPayment: { ...manualPayment, referenceNumber: undefined, referenceOrigin: undefined },
    }),
  };
}

/** Rows of the audit log that looking at the installation wrote. */
const isReadLater = (request: string, entry: unknown): boolean =>
  request.endsWith('/admin/audit-log') && (entry as { at?: string }).at === LATER;

/** An email is named by its event, and events that are published after the backup have names of their own. */
function namedMail(value: Record<string, unknown>, madeAt: string): Record<string, unknown> {
  if (typeof value.queuedAt !== 'string' || value.queuedAt < madeAt) return value;
  return { ...value, id: mailName(value as unknown as Mail) };
}

/** An email as admins see it. */
export interface Mail {
  id: string;
  kind: string;
  orderId?: string;
  to: { address: string };
  queuedAt: string;
  sentAt?: string;
}
export const mailName = ({ kind, to, orderId = 'no order' }: Mail): string =>
  `${kind} to ${to.address} of ${orderId}`;

/**
 * Changes that come with a later day: growth visits that are scheduled become due, gifts that wait are sent, and emails with
 * a link that has expired are not sent any more.
 */
function openOnceDue(value: Record<string, unknown>, madeAt: string): Record<string, unknown> {
  const { state, dueAt, sentAt, gift, timeline } = value;
  const wasSent = typeof sentAt === 'string' && sentAt < madeAt;
  if (isExpiring(value) && !wasSent)
    return { ...value, state: undefined, sentAt: undefined, attempts: undefined, error: undefined };
  if (typeof dueAt === 'string' && (state === 'scheduled' || state === 'due'))
    return { ...value, state: 'open' };
  if (isGiftToCome(value, madeAt)) return { ...value, state: 'open', sentAt: undefined };
  if (isGiftToCome(gift, madeAt) && Array.isArray(timeline))
    return { ...value, updatedAt: undefined, timeline: timeline.filter(({ type }) => type !== 'gift_sent') };
  return value;
}

function isGiftToCome(value: unknown, madeAt: string): boolean {
  const { state, deliverOn } = (value ?? {}) as Record<string, unknown>;
  const isOpen = state === 'waiting' || state === 'sent';
  return isOpen && typeof deliverOn === 'string' && deliverOn > madeAt.slice(0, 10);
}

/** Whether it is an email with a link that opens once. */
export const isExpiring = ({ kind }: { kind?: unknown }): boolean =>
  kind === 'verify-email' || kind === 'reset-password';

function unequal(before: unknown, after: unknown, at: At): string[] {
  const { request, path } = at;
  const say = (what: string) => [`${request}: ${path || 'the answer'} ${what}`];
  if (Array.isArray(before)) {
    if (!Array.isArray(after)) return say(`became ${shown(after)}`);
    const nameOf = namingOf(before);
    const is = new Map(after.map((entry, index) => [nameOf(entry, index), entry]));
    const was = new Map(before.map((entry, index) => [nameOf(entry, index), entry]));
    const added = after.filter(
      (entry, index) => !was.has(nameOf(entry, index)) || is.get(nameOf(entry, index)) !== entry,
    );
    return [
      ...[...was].flatMap(([name, entry]) =>
        unequal(entry, is.get(name), { request, path: below(path, name) }),
      ),
      ...(GROWS.test(request) ? [] : added.flatMap((entry) => say(`has one more: ${shown(entry)}`))),
    ];
  }
  if (typeof before === 'object' && before !== null) {
    if (typeof after !== 'object' || after === null) return say(`became ${shown(after)}`);
    return Object.entries(before).flatMap(([name, inner]) =>
      unequal(inner, (after as Record<string, unknown>)[name], { request, path: below(path, name) }),
    );
  }
  if (MAY_BE_LATER.test(path) && typeof after === 'string' && after > String(before)) return [];
  return before === after ? [] : say(`was ${shown(before)}, became ${shown(after)}`);
}

/** Entries have the name in the first field that tells them apart, or their place. */
function namingOf(list: readonly unknown[]): (entry: unknown, index: number) => string {
  const fieldOf = (entry: unknown, field: string) => (entry as Record<string, unknown> | null)?.[field];
  const naming = NAMES.find((field) => {
    const names = list.map((entry) => fieldOf(entry, field));
    return names.every((name) => typeof name === 'string') && new Set(names).size === list.length;
  });
  return (entry, index) => String((naming && fieldOf(entry, naming)) ?? index);
}

const shown = (value: unknown): string =>
  value === undefined ? 'nothing' : JSON.stringify(value).slice(0, MOST_SHOWN);
const MOST_SHOWN = 200;

/** Answers as a file keeps them: admins who see the same as an owner are named only. */
const SAME = 'what an owner sees';

export function packed(seen: Seen): Seen {
  return Object.fromEntries(
    Object.entries(seen).map(([request, answer]) => {
      const [, who, what] = /^(\w+) (.*)$/.exec(request)!;
      const isSame = who !== OWNER && isEqual(seen[`${OWNER} ${what}`], answer);
      return [request, isSame ? SAME : answer];
    }),
  );
}

export function unpacked(seen: Seen): Seen {
  return Object.fromEntries(
    Object.entries(seen).map(([request, answer]) => [
      request,
      answer === SAME ? seen[`${OWNER} ${request.slice(request.indexOf(' ') + 1)}`] : answer,
    ]),
  );
}

const OWNER = 'owner';
const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
