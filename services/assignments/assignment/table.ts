import { ERASED_CUSTOMER, isErased, shortId } from '@arboleda/contracts/order.ts';
import { bare, folded } from '@arboleda/contracts/search.ts';
import { type Assignment, placeOf } from './assignment.ts';
import type { Holding, Progress } from './progress.ts';

/** An erased donor who cancelled is no longer named, also when the event about it comes later. */
const historyOf = ({ history, customer }: Assignment): readonly Holding[] =>
  isErased(customer.email)
    ? history.map((one) =>
        one.by.role === 'customer' ? { ...one, by: { ...one.by, name: ERASED_CUSTOMER.name } } : one,
      )
    : history;

/** Columns of `assignments`: see migrations/001_assignments.sql. */
const COLUMNS = {
  order_id: (assignment) => assignment.orderId,
  trees: (assignment) => assignment.trees,
  region: (assignment) => assignment.region ?? null,
  customer: (assignment) => assignment.customer,
  ordered_at: (assignment) => new Date(assignment.orderedAt),
  status: ({ progress }) => progress.status,
  worker: ({ progress }) => progress.worker ?? null,
  assigned_at: ({ progress }) => dateOf(progress.assignedAt),
  planted_at: ({ progress }) => dateOf(progress.plantedAt),
  completed_at: ({ progress }) => dateOf(progress.completedAt),
  confirmed: (assignment) => assignment.confirmed,
  status_revision: (assignment) => assignment.statusRevision,
  confirmed_revision: (assignment) => assignment.confirmedRevision,
  steps: (assignment) => assignment.steps,
  history: historyOf,
  is_withdrawn: (assignment) => assignment.isWithdrawn ?? false,
  is_released: (assignment) => assignment.isReleased ?? false,
  taken_from_worker_id: (assignment) => assignment.takenFromWorkerId ?? null,
  location: (assignment) => assignment.location ?? null,
  coordinates: (assignment) => assignment.coordinates ?? null,
  notes: (assignment) => assignment.notes ?? null,
  set_by_admin: (assignment) => assignment.setByAdmin,
  copies: (assignment) => assignment.copies,
  photos: (assignment) => assignment.photos,
  growth: (assignment) => assignment.growth,
  search_text: searchText,
  updated_at: (assignment) => new Date(assignment.updatedAt),
} satisfies Record<string, (assignment: Assignment) => unknown>;

type Column = keyof typeof COLUMNS;
export type AssignmentRow = { [Name in Column]: ReturnType<(typeof COLUMNS)[Name]> };

export const columns = Object.keys(COLUMNS) as Column[];

export const toRow = (assignment: Assignment): AssignmentRow =>
  Object.fromEntries(
    Object.entries(COLUMNS).map(([name, read]) => [name, read(assignment)]),
  ) as AssignmentRow;

export const fromRow = (row: AssignmentRow & { id: string }): Assignment => ({
  id: row.id,
  orderId: row.order_id,
  trees: row.trees,
  region: row.region ?? undefined,
  customer: row.customer,
  orderedAt: row.ordered_at.toISOString(),
  progress: progressOf(row),
  confirmed: row.confirmed,
  statusRevision: row.status_revision,
  confirmedRevision: row.confirmed_revision,
  steps: row.steps,
  history: row.history,
  isWithdrawn: row.is_withdrawn || undefined,
  isReleased: row.is_released || undefined,
  takenFromWorkerId: row.taken_from_worker_id ?? undefined,
  location: row.location ?? undefined,
  coordinates: row.coordinates ?? undefined,
  notes: row.notes ?? undefined,
  setByAdmin: row.set_by_admin,
  copies: row.copies,
  photos: row.photos,
  growth: row.growth,
  updatedAt: row.updated_at.toISOString(),
});

function progressOf({ status, worker, ...row }: AssignmentRow): Progress {
  const plantedAt = row.planted_at?.toISOString();
  const completedAt = row.completed_at?.toISOString();
  if (!worker) return { status, plantedAt, completedAt };
  const assignedAt = row.assigned_at!.toISOString();
  if (status === 'assigned') return { status, worker, assignedAt };
  if (status === 'planted') return { status, worker, assignedAt, plantedAt: plantedAt! };
  if (status === 'completed') return { status, worker, assignedAt, plantedAt, completedAt: completedAt! };
  throw new Error(`what is ${status} is nobody's`);
}

const dateOf = (instant: string | undefined): Date | null =>
  instant === undefined ? null : new Date(instant);

/** Text for the worker's search, in the two forms that `searchPatterns` expects. */
function searchText(assignment: Assignment): string {
  const { orderId, customer } = assignment;
  return [orderId, shortId(orderId), customer.name, customer.email, placeOf(assignment)]
    .flatMap((text) => [folded(text), bare(text)])
    .join('\n');
}
