import { type EndpointKey, pathOf } from '@arboleda/contracts/endpoint.ts';

/** Things that exist in the product under test, each somebody's. */
export interface Objects {
  orderId: string;
  orderToken: string;
  /** Token of the order's gift. */
  giftToken: string;
  certificateCode: string;
  transferOrderId: string;
  paymentId: string;
  refundId: string;
  assignmentId: string;
  visitId: string;
  /** The photo package of the visit. */
  purchaseId: string;
  workerId: string;
  adminId: string;
  photoId: string;
  photoFilename: string;
  evidenceFilename: string;
  /** A bank statement that is not confirmed. */
  statementId: string;
  mailId: string;
  /** From the unsubscribe link. */
  newsToken: string;
}

/** Values of path parameters by the beginning of the path. The first match counts. */
const PATHS: readonly (readonly [RegExp, (objects: Objects) => Record<string, string>])[] = [
  [/^\/api\/auth\/\{role\}/, () => ({ role: 'customer' })],
  [/^\/api\/track\//, ({ orderToken: token }) => ({ token })],
  [/^\/api\/gifts\//, ({ giftToken: token }) => ({ token })],
  [/^\/api\/(admin|customers)\/orders\/\{id\}/, ({ orderId: id }) => ({ id })],
  [/^\/api\/admin\/manual-payments\/(verify|reject)/, ({ transferOrderId: id }) => ({ id })],
  [/^\/api\/admin\/manual-payments\/evidence/, ({ evidenceFilename: filename }) => ({ filename })],
  [/^\/api\/admin\/statements\//, ({ statementId: id }) => ({ id })],
  [/^\/api\/admin\/payments\//, ({ paymentId: id }) => ({ id })],
  [/^\/api\/admin\/refunds\//, ({ refundId: id }) => ({ id })],
  [/^\/api\/admin\/photo-packages\//, ({ purchaseId: id }) => ({ id })],
  [/^\/api\/admin\/workers\//, ({ workerId: id }) => ({ id })],
  [/^\/api\/admin\/admins\//, ({ adminId: id }) => ({ id })],
  [/^\/api\/admin\/photos\/\{id\}/, ({ photoId: id }) => ({ id })],
  [/^\/api\/((admin|workers)\/)?photos\/\{filename\}/, ({ photoFilename: filename }) => ({ filename })],
  [/^\/api\/(admin\/)?certificates\/\{code\}/, ({ certificateCode: code }) => ({ code })],
  [/^\/api\/certificate-status\//, () => ({ list: '0' })],
  [/^\/api\/mail\//, ({ newsToken: token }) => ({ token })],
  [/^\/api\/admin\/mails\//, ({ mailId: id }) => ({ id })],
  [/^\/api\/workers\/assignments\//, ({ assignmentId: id }) => ({ id })],
  [/^\/api\/workers\/growth-visits\//, ({ visitId: id }) => ({ id })],
];

export const hasParameters = (key: EndpointKey): boolean => pathOf(key).includes('{');

/**
 * Values for the parameters of a path that name things that exist.
 * @throws when nobody said what they name: a new path is to be added above.
 */
export function realParameters(key: EndpointKey, objects: Objects): Record<string, string> {
  if (!hasParameters(key)) return {};
  const path = pathOf(key);
  const found = PATHS.find(([pattern]) => pattern.test(path));
  if (!found) throw new Error(`what do the parameters of ${key} name? Say so in e2e/api/objects.ts`);
  return found[1](objects);
}

export const fillPath = (key: EndpointKey, parameters: Record<string, string>): string =>
  pathOf(key).replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(parameters[name]!));
