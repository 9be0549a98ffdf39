import type { Assignment, Assignments, Visit } from '../worker/tasks.ts';

/** Five trees to plant. */
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

/** The first of two growth visits, due now. */
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
