import type { Assignment } from '@arboleda/assignments/assignment/assignment.ts';
import type { Change } from '@arboleda/chassis/records.ts';
import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import type { Order } from '@arboleda/orders/order/order.ts';

/** A bug planted into a run: the simulation must find it. */
export interface Fault {
  name: string;
  /** The record that a decision receives instead. */
  sees?(table: string, record: object | undefined): object | undefined;
  /** The change that is written instead of a decision's. */
  writes?(table: string, before: object | undefined, change: Change<object>): Change<object>;
  /** The event that a consumer receives instead. @param count returns a unique number */
  receives?(group: string, event: ArboledaEvent, count: () => number): ArboledaEvent;
  /** Whether a consumer group is not subscribed. */
  skips?(group: string): boolean;
}

const SWAPPED = { planted: 'completed', completed: 'planted' } as const;

export const FAULTS: readonly Fault[] = [
  {
    name: 'notifications handles repeated events again',
    receives: (group, event, count) =>
      group === 'notifications' ? { ...event, id: `${event.id}-${count()}` } : event,
  },
  {
    name: 'orders takes planted for completed, and completed for planted',
    writes(table, _before, change) {
      if (table !== 'orders') return change;
      const { progress, ...order } = change.record as Order;
      const status = SWAPPED[progress.status as keyof typeof SWAPPED] ?? progress.status;
      return { ...change, record: { ...order, progress: { ...progress, status } } as Order };
    },
  },
  {
    name: 'orders counts a refund twice',
    writes(table, before, change) {
      if (table !== 'orders') return change;
      const order = change.record as Order;
      const isRefund = order.refunds.length > ((before as Order | undefined)?.refunds.length ?? 0);
      if (!isRefund) return change;
      const { amountMinor } = order.refunds.at(-1)!;
      return { ...change, record: { ...order, refundedMinor: order.refundedMinor + amountMinor } as Order };
    },
  },
  {
    name: 'orders does not update certificates',
    writes(table, before, change) {
      const known = (before as Order | undefined)?.certificate;
      if (table !== 'orders' || !known) return change;
      return { ...change, record: { ...change.record, certificate: known } as Order };
    },
  },
  {
    name: 'assignments accepts an older revision of an order',
    sees: (table, record) =>
      table === 'assignments' && record ? ({ ...record, confirmedRevision: -1 } as Assignment) : record,
    writes(table, before, change) {
      const assignment = change.record as Assignment;
      if (table !== 'assignments' || assignment.confirmedRevision >= 0) return change;
      const { confirmedRevision } = before as Assignment;
      return { ...change, record: { ...assignment, confirmedRevision } as Assignment };
    },
  },
  {
    name: 'assignments subscribes to nothing',
    skips: (group) => group === 'assignments',
  },
];
