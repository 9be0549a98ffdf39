/** Order status, product spec section 4. orders is the authority; a worker moves it forward only. */
export const ORDER_STATUSES = ['pending', 'assigned', 'planted', 'completed'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

const WORKER_TRANSITIONS: Partial<Record<OrderStatus, OrderStatus>> = {
  assigned: 'planted',
  planted: 'completed',
};

/** Whether a worker may move an assignment from one status to the other (an admin may set any). */
export const workerMayMove = (from: OrderStatus, to: OrderStatus): boolean => WORKER_TRANSITIONS[from] === to;

/** Photos are taken of trees that are in the ground: product spec section 4. */
export const acceptsPhotos = (status: OrderStatus | 'withdrawn'): boolean =>
  status === 'planted' || status === 'completed';

/** Trees of these orders count as planted, in statistics and in a customer's tiles. */
export const PLANTED_STATUSES = ['planted', 'completed'] as const satisfies readonly OrderStatus[];

export const isPlanted = (status: OrderStatus): boolean => status === 'planted' || status === 'completed';

/** kg of CO₂ a year per planted tree in a customer's tiles: product spec section 9. */
export const CARBON_KG_PER_TREE_YEAR = 22;

/** Whether the money of a bank transfer was found. Only an approved one is assigned, counted or listed. */
export const VERIFICATION_STATUSES = ['pending', 'approved', 'rejected'] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

/** Stands where a person was who asked to be forgotten; nothing is ever mailed to it. */
export const ERASED_CUSTOMER = { name: '—', email: 'erased@arboleda.invalid' } as const;
export const isErased = (email: string): boolean => email === ERASED_CUSTOMER.email;

/** What people say to each other: the last six characters of the id, upper case. */
export const shortId = (orderId: string): string => orderId.slice(-6).toUpperCase();
