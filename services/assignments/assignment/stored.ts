import type { Assignment } from './assignment.ts';

/** What an earlier version of this service stored. */
type Stored = Omit<
  Assignment,
  'confirmed' | 'steps' | 'history' | 'copies' | 'growth' | 'visitsRevision' | 'updatedAt'
> &
  Partial<Assignment>;

/** An assignment as it was stored, with what earlier versions did not know of. */
export function readAssignment(stored: Stored): Assignment {
  if (stored.steps) return stored as Assignment;
  const { progress, orderedAt } = stored;
  const { worker, assignedAt } = progress;
  return {
    ...stored,
    confirmed: progress,
    steps: [],
    history: worker ? [{ at: assignedAt, worker, by: { role: 'system' } }] : [],
    copies: { sequence: 0, placeSequence: 0 },
    growth: [],
    visitsRevision: 0,
    updatedAt: orderedAt,
  };
}
