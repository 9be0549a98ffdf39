import type { Change } from '@arboleda/chassis/records.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import { arrived, ASSIGN_WAITING, type Assignment, reviewOf } from './assignment.ts';
import { advance, follow, heldFrom, holdingsAfter, type OwnStep, type Progress } from './progress.ts';

type StatusChanged = EventData<'order.status_changed'>;

/**
 * Takes over what orders decided, unless it only confirms an own step. An own step that lost against somebody else's
 * decision is taken back, with its worker; one that was decided on a lost step still counts when orders takes it.
 * @throws Error when the order has not arrived yet: to be tried again.
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
  // What is taken from a worker goes through pending; that news may have been overtaken by this.
  const isTakenBack = change.to === 'pending' || (change.from === 'pending' && !!reached.progress.worker);
  const before = isTakenBack ? ({ status: 'pending' } as const) : reached.progress;
  const progress = after(before, change, step);
  const confirmed = {
    confirmed: progress,
    confirmedRevision: revision,
    steps,
    history: [...reached.history, ...heldFrom(reached.progress, progress, change)],
  };
  // An admin may have moved it on before the own step counted, and that news may be late.
  const isAsBelieved = believedAt(current, revision).status === progress.status;
  if (step?.isLive && isAsBelieved) return { document: { ...current, ...confirmed } };

  const document: Assignment = {
    ...current,
    ...confirmed,
    steps: steps.map((one) => ({ ...one, isLive: false })),
    progress,
    statusRevision: revision,
    isWithdrawn: change.withdrawn ? true : undefined,
    isReleased: isReleased(current, progress),
    ...(isTakenBack && takenBack(current, change)),
  };
  const { worker, status } = progress;
  // Who has it again may have left meanwhile.
  const looksAfter =
    worker && status === 'assigned' && !document.isReleased ? [reviewOf(worker.workerId)] : [];
  return { document, jobs: [ASSIGN_WAITING, ...looksAfter] };
}

/** Where own steps had brought it at a revision. */
const believedAt = ({ steps, confirmed }: Assignment, revision: number): Progress =>
  steps.filter((one) => one.isLive && one.revision <= revision).reduce(follow, confirmed);

/**
 * The own step that orders tells of: the same revision, kind and person; of several the one of the same moment. An admin
 * decides in orders, too: what is theirs is of the same moment.
 */
function ownStepOf({ steps }: Assignment, change: StatusChanged): OwnStep | undefined {
  const { statusRevision, by, at } = change;
  const isBy = (step: OwnStep) => by.role === step.by.role && (by.role === 'system' || by.id === step.by.id);
  const found = steps.filter(
    (step) => step.revision === statusRevision && isOfKind(step.kind, change) && isBy(step),
  );
  const same = found.find((step) => step.at === at);
  return by.role === 'admin' ? same : (same ?? found.find((step) => step.isLive) ?? found.at(-1));
}

/** Without another status it is another worker; what is pending afterwards was given to nobody. */
const isOfKind = (kind: OwnStep['kind'], { from, to }: StatusChanged): boolean =>
  kind === 'assigned' ? to !== 'pending' && (from === to || from === 'pending') : from !== to && kind === to;

/** What held just before a change: what orders had confirmed, and own steps that it confirms by following them. */
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

function after(before: Progress, { to, at, withdrawn }: StatusChanged, step: OwnStep | undefined): Progress {
  if (withdrawn) return { status: 'withdrawn' };
  const progress = step ? follow(before, step) : before;
  return step && progress.status === to ? progress : advance(progress, to, at);
}

function isReleased(current: Assignment, { status, worker }: Progress): true | undefined {
  if (status !== 'assigned') return undefined;
  if (!worker) return true;
  return worker.workerId === current.progress.worker?.workerId ? current.isReleased : undefined;
}

/** What the worker said goes with the worker; what an admin said of the place stays. */
const takenBack = (current: Assignment, { withdrawn, by }: StatusChanged): Partial<Assignment> => ({
  // For its money and not for the worker: when the money is here after all, whoever had it may have it again.
  ...(!withdrawn &&
    by.role !== 'system' && {
      takenFromWorkerId: current.progress.worker?.workerId ?? current.takenFromWorkerId,
    }),
  notes: undefined,
  ...(!current.isPlacedByAdmin && { location: undefined, coordinates: undefined }),
});
