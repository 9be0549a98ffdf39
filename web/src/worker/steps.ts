import type { Item, StatusBody, StatusItem } from './outbox/item.ts';
import { nextMoment } from './photos/queue-photos.ts';

/** A status change waiting to be sent. */
export const stepItem = (workerId: string, assignmentId: string, body: StatusBody): StatusItem => ({
  kind: 'status',
  id: crypto.randomUUID(),
  workerId,
  occasion: { kind: 'assignment', id: assignmentId },
  at: nextMoment(),
  body,
  state: { step: 'waiting' },
  attempts: 0,
  triedAt: 0,
  retryAt: 0,
  placeUntil: 0,
});

/** An unsent step can be undone unless later items depend on it. */
export const mayUndo = (step: StatusItem, items: readonly Item[], sendingId: string | undefined): boolean =>
  step.state.step === 'waiting' &&
  step.id !== sendingId &&
  !items.some(
    ({ occasion, at, state }) =>
      occasion.kind === 'assignment' &&
      occasion.id === step.occasion.id &&
      at > step.at &&
      state.step !== 'sent',
  );
