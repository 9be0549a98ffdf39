import type { Change, Document } from '@arboleda/chassis/ports/documents.ts';
import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import type { Assignment } from '@arboleda/assignments/assignment/assignment.ts';
import type { Order } from '@arboleda/orders/order.ts';

/** A mistake planted into a run: the simulation must find it. */
export interface Fault {
  name: string;
  /** The document that a decision receives instead. */
  sees?(collection: string, document: Document | undefined): Document | undefined;
  /** The change that is written instead of a decision's. */
  writes?(collection: string, before: Document | undefined, change: Change<Document>): Change<Document>;
  /** The event that a consumer receives instead. @param count returns a unique number */
  receives?(group: string, event: ArboledaEvent, count: () => number): ArboledaEvent;
  /** Whether a consumer group is not subscribed. */
  skips?(group: string): boolean;
}

const SWAPPED = { planted: 'completed', completed: 'planted' } as const;

export const FAULTS: readonly Fault[] = [
  {
    name: 'notifications does not remember which events it has taken',
    receives: (group, event, count) =>
      group === 'notifications' ? { ...event, id: `${event.id}-${count()}` } : event,
  },
  {
    name: 'orders takes planted for completed, and completed for planted',
    writes(collection, _before, change) {
      if (collection !== 'orders') return change;
      const { progress, ...order } = change.document as Order;
      const status = SWAPPED[progress.status as keyof typeof SWAPPED] ?? progress.status;
      return { ...change, document: { ...order, progress: { ...progress, status } } as Order };
    },
  },
  {
    name: 'orders counts a refund twice',
    writes(collection, before, change) {
      if (collection !== 'orders') return change;
      const order = change.document as Order;
      const isRefund = order.refunds.length > ((before as Order | undefined)?.refunds.length ?? 0);
      if (!isRefund) return change;
      const { amountMinor } = order.refunds.at(-1)!;
      return { ...change, document: { ...order, refundedMinor: order.refundedMinor + amountMinor } as Order };
    },
  },
  {
    name: 'assignments accepts an older revision of an order',
    sees: (collection, document) =>
      collection === 'assignments' && document
        ? ({ ...document, confirmedRevision: -1 } as Document & Assignment)
        : document,
    writes(collection, before, change) {
      const assignment = change.document as Assignment;
      if (collection !== 'assignments' || assignment.confirmedRevision >= 0) return change;
      const { confirmedRevision } = before as Assignment;
      return { ...change, document: { ...assignment, confirmedRevision } as Assignment };
    },
  },
  {
    name: 'assignments subscribes to nothing',
    skips: (group) => group === 'assignments',
  },
];
