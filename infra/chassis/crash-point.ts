import { channel } from 'node:diagnostics_channel';

/** Where a process may die at the worst moment: between two steps that only together are the whole. */
export const CRASH_POINTS = [
  /** State and outbox are decided and not committed. */
  'before-commit',
  /** They are committed, and nobody was told. */
  'after-commit',
  /** The bus has the event, and the outbox still has it too. */
  'published',
  /** An event had its effect and is not acknowledged. */
  'handled',
  /** A job had its effect and is not acknowledged. */
  'job-done',
  /** An upload's bytes are kept, and nothing knows of them. */
  'object-stored',
  /** A webhook is known to be genuine, and nothing of it is written down. */
  'webhook-verified',
  /** The mail server has confirmed a mail that counts as waiting. */
  'mail-handed-over',
  /** Stripe made what our books do not have yet. */
  'intent-created',
  'session-created',
  'refund-made',
] as const;
export type CrashPoint = (typeof CRASH_POINTS)[number];

/** Nobody listens, unless e2e/reliability loaded a listener into the process before anything else: docs/decisions/17. */
const passing = channel('arboleda:crash-point');

export function crashPoint(name: CrashPoint): void {
  if (passing.hasSubscribers) passing.publish(name);
}
