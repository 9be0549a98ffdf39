/** How long a gateway may go on showing a photo without asking, from when it began to ask: see docs/decisions/0035. */
export const LEASE_MS = 1_000;

/** Of a service's answer to a gateway, ms: how long who asks the same may be given the same. No caller gets to see it. */
export const LEASE_HEADER = 'x-lease-ms';
