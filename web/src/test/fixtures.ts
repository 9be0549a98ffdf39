import type { Answer } from '../api/client.ts';
import type { OrderDetails } from '../admin/orders/orders.ts';
import type { FlaggedPhoto } from '../admin/photos/photos.ts';
import type { Payment, Refund } from '../admin/refund/refund.ts';
import type { Candidate, Draft, Row } from '../admin/statements/statements.ts';
import type { Transfer } from '../admin/transfers/transfers.ts';
import type { CustomerOrder } from '../customer/orders.ts';
import type { People } from '../session/session.ts';
import type { Assignment, Assignments, Visit } from '../worker/tasks.ts';

export const customerOrder = (changes: Partial<CustomerOrder> = {}): CustomerOrder => ({
  _id: '65f0c0ffee0000000006bbe0',
  shortId: '06BBE0',
  token: 'tokentokentokentokento',
  status: 'pending',
  trees: 5,
  packageType: 'grove',
  amount: 2000,
  currency: 'USD',
  customerName: 'Emma Clarke',
  customerEmail: 'emma@mail.test',
  language: 'en',
  createdAt: '2026-11-20T15:00:00Z',
  method: { kind: 'card' },
  paymentMethod: 'stripe',
  transactionId: 'pi_1',
  receiptNumber: '2026-000123',
  photos: [],
  timeline: [],
  ...changes,
});

/** A completed order with all optional fields. */
export const finishedOrder = (changes: Partial<CustomerOrder> = {}): CustomerOrder =>
  customerOrder({
    status: 'completed',
    assignedDate: '2026-11-21T15:00:00Z',
    plantingDate: '2026-12-12T14:40:00Z',
    completionDate: '2026-12-12T16:00:00Z',
    photoDate: '2026-12-12T14:45:00Z',
    assignedWorker: { name: 'Marleny Ospina', region: 'Quindío' },
    location: 'La Carbonera, Salento, Quindío',
    coordinates: { latitude: 4.637214, longitude: -75.487031 },
    photos: [
      {
        filename: 'aaaaaaaaaaaaaaaaaaaaaa.jpg',
        width: 1600,
        height: 1200,
        takenAt: '2026-12-12T14:41:00Z',
        uploadedAt: '2026-12-12T14:45:00Z',
      },
    ],
    ...changes,
  });

/** Admin-only fields of an untouched order. */
const adminFields = (photos: ReturnType<typeof customerOrder>['photos']) => ({
  version: 1,
  updatedAt: '2026-11-20T15:00:00Z',
  paymentId: 'payment-1',
  manualPayment: undefined,
  photos: photos.map((photo, at) => ({ ...photo, photoId: `photo-${at}`, flags: [] })),
  refunds: [],
  disputes: [],
  growthPurchases: [],
  internalNotes: [],
  timeline: [],
});

export const adminOrder = (changes: Partial<OrderDetails> = {}): OrderDetails => ({
  ...customerOrder(),
  ...adminFields([]),
  assignedWorker: undefined,
  revision: 1,
  ...changes,
});

export const finishedAdminOrder = (): OrderDetails => ({
  ...finishedOrder(),
  ...adminFields(finishedOrder().photos),
  revision: 7,
  card: { brand: 'visa', last4: '4242' },
  assignedWorker: {
    workerId: 'w1',
    code: 'SQ-014',
    name: 'Marleny Ospina',
    email: 'marleny@mail.test',
    region: 'Quindío',
  },
  notes: 'Upper edge of the plot.',
});

export const assignment = (changes: Partial<Assignment> = {}): Assignment => ({
  _id: 'a1',
  orderId: '65f0c0ffee0000000006bbe0',
  status: 'assigned',
  trees: 5,
  customerEmail: 'emma@mail.test',
  customerName: 'Emma Clarke',
  location: 'La Carbonera, Salento',
  assignedAt: '2026-11-30T15:00:00Z',
  photos: [],
  ...changes,
});

export const STATS: Assignments['stats'] = {
  totalAssignments: 3,
  treesPlanted: 412,
  completedOrders: 1,
  pendingAssignments: 2,
};

export const visit = (changes: Partial<Visit> = {}): Visit => ({
  _id: 'v1',
  orderId: '65f0c0ffee0000000006bbe0',
  assignmentId: 'a1',
  purchaseId: 'p1',
  photoPackageType: 'first_year',
  number: 1,
  of: 3,
  state: 'due',
  dueAt: '2026-11-28T15:00:00Z',
  trees: 5,
  location: 'La Carbonera, Salento',
  photos: [],
  reminders: 0,
  ...changes,
});

/** A paid card payment in the admin's view, without refunds. */
export const examplePayment = (changes: Partial<Payment> = {}): Payment => ({
  paymentId: '3a31a39d-ffa0-4c62-bdc0-1c8e980d093c',
  orderId: '65f0c0ffee0000000006bbe0',
  shortId: '06BBE0',
  status: 'succeeded',
  method: { kind: 'card' },
  packageType: 'grove',
  trees: 5,
  amount: 2000,
  currency: 'USD',
  refundedAmount: 0,
  isDisputed: false,
  isDisputeLost: false,
  isPackageRefunded: false,
  leftAmount: 2000,
  toReturnAmount: 0,
  customerName: 'Emma Clarke',
  customerEmail: 'emma@mail.test',
  transactionId: 'pi_1',
  createdAt: '2026-11-20T15:00:00Z',
  paidAt: '2026-11-20T15:00:10Z',
  language: 'en',
  card: { brand: 'visa', last4: '4242' },
  refunds: [],
  disputes: [],
  photoPackages: [],
  ...changes,
});

export const exampleRefund = (changes: Partial<Refund> = {}): Refund => ({
  refundId: 'refund-1',
  amount: 2000,
  currency: 'USD',
  reason: 'Ordered twice.',
  status: 'succeeded',
  method: 'card',
  by: { role: 'admin', id: 'a1', name: 'Lucía Restrepo' },
  createdAt: '2026-11-21T15:00:00Z',
  ...changes,
});

export const examplePackage = (changes: Partial<Payment['photoPackages'][number]> = {}) => ({
  purchaseId: '5b0c6f5e-2f0e-4d7e-8a55-0a1d2c3b4e5f',
  photoPackageType: 'first_year' as const,
  amount: 1500,
  currency: 'USD' as const,
  status: 'active' as const,
  transactionId: 'pi_2',
  createdAt: '2026-11-21T15:00:00Z',
  purchasedAt: '2026-11-21T15:00:10Z',
  leftAmount: 1500,
  toReturnAmount: 0,
  refunds: [],
  disputes: [],
  ...changes,
});

/** A photo from the wrong place and before its order, in the admin's view. */
export const flaggedPhoto = (changes: Partial<FlaggedPhoto> = {}): FlaggedPhoto => ({
  _id: '65f0c0ffee0000000000f001',
  filename: 'aaaaaaaaaaaaaaaaaaaaaa.jpg',
  orderId: '65f0c0ffee0000000006bbe0',
  assignmentId: '65f0c0ffee0000000000a001',
  worker: { workerId: 'w1', name: 'Marleny Ospina' },
  originalName: 'IMG_7.jpg',
  contentType: 'image/jpeg',
  sizeBytes: 400_000,
  uploadedAt: '2026-11-21T15:00:00Z',
  isReady: true,
  width: 1600,
  height: 1200,
  takenAt: '2020-05-01T15:00:00Z',
  takenAtFrom: 'exif',
  coordinates: { latitude: 4.6, longitude: -75.4 },
  coordinatesFrom: 'exif',
  distanceMetres: 1234.4,
  flags: ['far-from-place', 'taken-before-order'],
  usedElsewhere: [],
  decisions: [],
  ...changes,
});

export const decided = (isHidden: boolean, reason: string): FlaggedPhoto['decisions'][number] => ({
  isHidden,
  reason,
  by: { role: 'admin', id: 'a1', name: 'Lucía Restrepo' },
  at: '2026-11-22T15:00:00Z',
});

export const transfer = (
  changes: Partial<Omit<Transfer, 'manualPayment'>> & {
    manualPayment?: Partial<Transfer['manualPayment']>;
  } = {},
): Transfer => ({
  _id: '65f0c0ffee0000000006bbe0',
  shortId: '06BBE0',
  status: 'pending',
  trees: 20,
  packageType: 'patch',
  amount: 28_805_000,
  currency: 'COP',
  customerName: 'Felipe Barrera',
  customerEmail: 'felipe@mail.test',
  customerPhone: '+57 300 555 0188',
  customerCountry: 'CO',
  createdAt: '2026-11-20T20:05:00Z',
  method: { kind: 'transfer', bank: 'bancolombia' },
  paymentMethod: 'manual_bancolombia',
  ...changes,
  manualPayment: {
    referenceNumber: 'ARB-C41D08',
    referenceOrigin: 'ours',
    verificationStatus: 'pending',
    evidenceFiles: [
      { filename: 'aaaaaaaaaaaaaaaaaaaaaa.jpg', originalName: 'IMG_1187.jpg', fileSize: 421_888 },
    ],
    evidenceRemoved: false,
    flags: [],
    needsSecondAdmin: false,
    statement: { rows: [] },
    ...changes.manualPayment,
  },
});

/** A transfer that a row of a statement may pay. */
export const payable = (changes: Partial<Candidate> = {}): Candidate => ({
  orderId: '65f0c0ffee0000000006bbe0',
  shortId: '06BBE0',
  customerName: 'Felipe Barrera',
  trees: 20,
  amount: 28_805_000,
  currency: 'COP',
  referenceNumber: 'ARB-C41D08',
  verificationStatus: 'pending',
  submittedAt: '2026-11-20T20:05:00Z',
  paidAmount: 0,
  reasons: ['reference', 'amount'],
  ...changes,
});

/** A credit on a statement that surely pays a transfer. */
export const statementRow = (changes: Partial<Row> = {}): Row => ({
  rowId: 'row-1',
  statementId: 'statement-1',
  bank: 'bancolombia',
  day: '2026-11-21',
  amount: 28_805_000,
  currency: 'COP',
  text: 'TRANSFERENCIA ARBC41D08',
  name: 'BARRERA FELIPE',
  list: 'sure',
  orders: [payable()],
  ...changes,
});

/** A file that leaves no question. */
export const statementDraft = (changes: Partial<Draft> = {}): Draft => ({
  statementId: 'statement-1',
  bank: 'bancolombia',
  fileName: 'november.csv',
  format: 'csv',
  columns: [
    { column: 0, title: 'Fecha', role: 'day', samples: ['03/04/2026'] },
    { column: 1, title: 'Valor', role: 'amount', samples: ['288.050,00'] },
    { column: 2, title: 'Nota', samples: ['ARBC41D08'] },
  ],
  account: '000-000000-00',
  currency: 'COP',
  from: '2026-11-16',
  to: '2026-11-21',
  credits: { count: 3, amount: 42_035_000 },
  debits: { count: 1, amount: 1_250_000 },
  known: 0,
  sampleRows: [{ day: '2026-11-21', amount: 28_805_000, text: 'TRANSFERENCIA ARBC41D08' }],
  otherLines: [],
  questions: [],
  ...changes,
});

export const CUSTOMER: People['customer'] = {
  id: 'c1',
  name: 'Emma Clarke',
  email: 'emma@mail.test',
  emailVerified: true,
  language: 'en',
};
type ManagedAdmin = Answer<'GET /api/admin/admins'>['admins'][number];

export const ADMIN: People['admin'] = {
  ...CUSTOMER,
  id: 'a1',
  name: 'Lucía Restrepo',
  email: 'lucia@mail.test',
  adminRole: 'owner',
};
export const WORKER: People['worker'] = {
  id: 'w1',
  name: 'Mateo Ríos',
  email: 'mateo@mail.test',
  workerId: 'QU-014',
  region: 'Quindío',
  language: 'es',
};

export const refusal = (status: number, type: string, title = type, errors?: object[]) => ({
  status,
  body: { type, title, status, error: title, errors },
});

/** A token with the claims a page reads. */
export const tokenFor = (personId: string): string =>
  `head.${btoa(JSON.stringify({ sub: personId }))}.signature`;

export const managedAdmin = (changes: Partial<ManagedAdmin> = {}): ManagedAdmin => ({
  id: 'a1',
  name: 'Lucía Restrepo',
  email: 'lucia@mail.test',
  role: 'owner',
  language: 'es',
  active: true,
  invitationPending: false,
  hasSecondFactor: false,
  createdAt: '2026-11-01T12:00:00Z',
  revision: 3,
  ...changes,
});
