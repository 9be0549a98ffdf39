import type { Change } from '@arboleda/chassis/records.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import { arrived, ASSIGN_WAITING, type Assignment, reviewOf } from './assignment.ts';
import { advance, follow, heldFrom, holdingsAfter, type OwnStep, type Progress } from './progress.ts';

type StatusChanged = EventData<'order.status_changed'>;

/**
 * Applies a decision of orders, unless it only confirms an own step. An own step that lost against another
 * decision is undone, with its worker; a step based on a lost one still counts when orders accepts it.
 * @throws Error when the order has not arrived yet; the event is retried
 */
export function decideConvergence(
  known: Assignment | undefined,
  change: StatusChanged,
): Change<Assignment> | undefined {
  const current = arrived(known, change.orderId);
  const { statusRevision: revision } = change;
  if (revision <= current.confirmedRevision) return undefined;

  const step = ownStepOf(current, change);
  const reached = confirmedBefore(current, change, step);
  const steps = current.steps.filter((one) => one.revision > revision);
  // Reassignment goes through pending; this event may have overtaken that one.
  const isTakenBack = change.to === 'pending' || (change.from === 'pending' && !!reached.progress.worker);
  const before = isTakenBack ? ({ status: 'pending' } as const) : reached.progress;
  const progress = after(before, change, step);
  const confirmed = {
    confirmed: progress,
    confirmedRevision: revision,
    steps,
    history: [...reached.history, ...heldFrom(reached.progress, progress, change)],
  };
  // An admin may have moved it on before the own step counted, in an event that arrives later.
  const isAsBelieved = believedAt(current, revision).status === progress.status;
  if (step?.isLive && isAsBelieved) return { record: { ...current, ...confirmed } };

  const record: Assignment = {
    ...current,
    ...confirmed,
    steps: steps.map((one) => ({ ...one, isLive: false })),
    progress,
    statusRevision: revision,
    isWithdrawn: isStopped(change) ? true : undefined,
    isReleased: isReleased(current, progress),
    ...(isTakenBack && takenBack(current, change)),
  };
  const { worker, status } = progress;
  // The worker who has it again may have left meanwhile.
  const looksAfter = worker && status === 'assigned' && !record.isReleased ? [reviewOf(worker.workerId)] : [];
  return { record, jobs: [ASSIGN_WAITING, ...looksAfter] };
}

/** Progress at a revision, according to own steps. */
const believedAt = ({ steps, confirmed }: Assignment, revision: number): Progress =>
  steps.filter((one) => one.isLive && one.revision <= revision).reduce(follow, confirmed);

/**
 * The own step that an event confirms: same revision, kind and worker; if several match, the one of the same
 * instant.
 * Admins decide in orders too; their steps also match by instant.
 */
function ownStepOf({ steps }: Assignment, change: StatusChanged): OwnStep | undefined {
  const { statusRevision, by, at } = change;
  const isBy = (step: OwnStep) => by.role === step.by.role && (by.role === 'system' || by.id === step.by.id);
  const found = steps.filter(
    (step) => step.revision === statusRevision && isOfKind(step.kind, change) && isBy(step),
  );
  const same = found.find((step) => step.at === at);
  return by.role === 'admin' ? same : (same ?? found.at(-1));
}

/** An event without a new status reassigns; one that ends in pending assigns nobody. */
const isOfKind = (kind: OwnStep['kind'], { from, to }: StatusChanged): boolean =>
  kind === 'assigned' ? to !== 'pending' && (from === to || from === 'pending') : from !== to && kind === to;

/** Progress just before a change: confirmed by orders, including own steps that the change implies. */
function confirmedBefore(
  current: Assignment,
  { statusRevision, from }: StatusChanged,
  step: OwnStep | undefined,
): Pick<Assignment, 'progress' | 'history'> {
  const passed = current.steps.filter((one) => one.isLive && one.revision < statusRevision);
  const last = passed.at(-1);
  const progress = passed.reduce(follow, current.confirmed);
  const isAccepted = last?.revision === statusRevision - 1 && (step?.isLive || progress.status === from);
  return isAccepted
    ? { progress, history: holdingsAfter(current, passed) }
    : { progress: current.confirmed, history: current.history };
}

/** Refunded, or its donor withdraws: nobody plants it. */
const isStopped = ({ withdrawn, held }: StatusChanged): boolean => withdrawn === true || held === true;

function after(before: Progress, change: StatusChanged, step: OwnStep | undefined): Progress {
  const { to, at } = change;
  if (isStopped(change)) return { status: 'withdrawn' };
  const progress = step ? follow(before, step) : before;
  return step && progress.status === to ? progress : advance(progress, to, at);
}

function isReleased(current: Assignment, { status, worker }: Progress): true | undefined {
  if (status !== 'assigned') return undefined;
  if (!worker) return true;
  return worker.workerId === current.progress.worker?.workerId ? current.isReleased : undefined;
}

/** The worker's place and notes are removed with the worker; what an admin set is back. */
const takenBack = (current: Assignment, change: StatusChanged): Partial<Assignment> => ({
  // Stopped for the money and not because of the worker, who may get it again later.
  ...(!isStopped(change) &&
    change.by.role === 'admin' && {
      takenFromWorkerId: current.progress.worker?.workerId ?? current.takenFromWorkerId,
    }),
  notes: undefined,
  location: undefined,
  coordinates: undefined,
  ...current.setByAdmin,
});
