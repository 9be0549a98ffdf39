import type { Assignment, Assignments } from '../worker/assignments.ts';

/** Five trees that wait to be planted. */
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
