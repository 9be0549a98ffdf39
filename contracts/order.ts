/** Order status, product spec section 4. The orders service is the authority; a worker only moves it forward. */
export const ORDER_STATUSES = ['pending', 'assigned', 'planted', 'completed'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

const WORKER_TRANSITIONS: Partial<Record<OrderStatus, OrderStatus>> = {
  assigned: 'planted',
  planted: 'completed',
};

/** Whether a worker may make this transition (an admin may make any). */
export const workerMayMove = (from: OrderStatus, to: OrderStatus): boolean => WORKER_TRANSITIONS[from] === to;

/** Only planted trees are photographed: product spec section 4. */
export const acceptsPhotos = (status: OrderStatus | 'withdrawn'): boolean =>
  status === 'planted' || status === 'completed';

/** Trees of these orders count as planted in statistics and in a customer's tiles. */
export const PLANTED_STATUSES = ['planted', 'completed'] as const satisfies readonly OrderStatus[];

export const isPlanted = (status: OrderStatus): boolean => status === 'planted' || status === 'completed';

/** kg of CO₂ a year per planted tree in a customer's tiles: product spec section 9. */
export const CARBON_KG_PER_TREE_YEAR = 22;

/** Verification of a bank transfer. Only approved transfers are assigned, counted and listed. */
export const VERIFICATION_STATUSES = ['pending', 'approved', 'rejected'] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

/** Why a certificate is revoked: by an admin for good, or because the order's trees are not planted after all. */
export const CERTIFICATE_REVOCATIONS = ['admin', 'withdrawn', 'not_planted'] as const;
export type CertificateRevocation = (typeof CERTIFICATE_REVOCATIONS)[number];

/** The value of the list's filter by worker that finds orders to be planted that have no worker yet. */
export const NO_WORKER = 'none';
/** Largest number of orders that a list or an export can be asked for by id. */
export const MAX_CHOSEN = 100;

/** Replaces an erased person; no email is ever sent to it. */
export const ERASED_CUSTOMER = { name: '—', email: 'erased@arboleda.invalid' } as const;
export const isErased = (email: string): boolean => email === ERASED_CUSTOMER.email;

/** Last six characters of the id, upper case, which people use to refer to an order. */
export const shortId = (orderId: string): string => orderId.slice(-6).toUpperCase();
