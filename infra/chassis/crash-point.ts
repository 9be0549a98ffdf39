import { channel } from 'node:diagnostics_channel';

/** Points between two steps that must take effect together. Crash tests kill the process there. */
const CRASH_POINTS = [
  /** State and outbox rows are written but not committed. */
  'before-commit',
  /** State and outbox rows are committed but not published. */
  'after-commit',
  /** The event is published but still in the outbox. */
  'published',
  /** An event had its effect but is not acknowledged. */
  'handled',
  /** A job had its effect but is not acknowledged. */
  'job-done',
  /** Uploaded bytes are stored but not referenced. */
  'object-stored',
  /** A webhook's signature is verified but nothing is stored. */
  'webhook-verified',
  /** The mail server has accepted an email that is still marked as waiting. */
  'mail-handed-over',
  /** Stripe has created an object that our database does not have yet. */
  'intent-created',
  'session-created',
  'refund-made',
] as const;
export type CrashPoint = (typeof CRASH_POINTS)[number];

/** Has no subscriber unless e2e/reliability preloads one: docs/decisions/17. */
const passing = channel('arboleda:crash-point');

export function crashPoint(name: CrashPoint): void {
  if (passing.hasSubscribers) passing.publish(name);
}
