/** Whoever holds it sends; the others wait. */
export const LOCK = 'arboleda.worker.outbox';
/** Tells other windows that the outbox has changed. */
export const CHANNEL = 'arboleda.worker.outbox';
