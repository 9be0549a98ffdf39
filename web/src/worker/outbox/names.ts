/** Web Lock: only its holder sends. */
export const LOCK = 'arboleda.worker.outbox';
/** BroadcastChannel that announces changes to other windows. */
export const CHANNEL = 'arboleda.worker.outbox';
