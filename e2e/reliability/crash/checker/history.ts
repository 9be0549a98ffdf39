import type { OrderSeen } from './world.ts';

/** Product spec, section 4, stated independently of the code. In a run only workers move orders. */
const NEXT: Record<string, string> = { pending: 'assigned', assigned: 'planted', planted: 'completed' };

/** Faults in an order's history. */
export function historyFaults(order: OrderSeen): string[] {
  const { history, status, revision, verification, id } = order;
  const faults: string[] = [];
  const fault = (what: string) => faults.push(`order ${id}: ${what}`);
  const count = (type: string) => history.filter((line) => line.type === type).length;

  let at = 'pending';
  const moves = history.filter((line) => line.type === 'status_changed');
  for (const { from, to } of moves) {
    if (from !== at) fault(`its history goes on from ${from} when it was ${at}`);
    if (to !== NEXT[from ?? '']) fault(`its history has an illegal step, ${from} to ${to}`);
    at = to ?? at;
  }
  if (at !== status) fault(`its history ends with ${at}, and it is ${status}`);
  if (revision !== moves.length) fault(`it has revision ${revision} after ${moves.length} steps`);
  const others = history.filter(({ type }) => type === 'overtaken' || type === 'reassigned');
  if (others.length > 0) fault(`its history has ${others.map(({ type }) => type).join(', ')}`);

  const paid = count('paid') + count('approved');
  if (verification === 'rejected') {
    if (count('rejected') !== 1) fault(`it was rejected ${count('rejected')} times`);
    if (paid > 0 || moves.length > 0) fault('it went on although its transfer was rejected');
    return faults;
  }
  if (verification === 'pending')
    return paid > 0 ? [...faults, `order ${id}: paid and not approved`] : faults;
  if (paid !== 1) fault(`its history says ${paid} times that it was paid`);
  if (count('created') !== 1) fault(`its history says ${count('created')} times that it was made`);
  return faults;
}
