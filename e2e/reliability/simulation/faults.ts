import type { Change, Document } from '@arboleda/chassis/ports/documents.ts';
import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import type { Assignment } from '@arboleda/assignments/assignment/assignment.ts';
import type { Order } from '@arboleda/orders/order.ts';

/** A mistake that is planted into a run, to see that it is found. */
export interface Fault {
  name: string;
  /** The document as a decision sees it. */
  sees?(collection: string, document: Document | undefined): Document | undefined;
  /** What a decision writes. */
  writes?(collection: string, before: Document | undefined, change: Change<Document>): Change<Document>;
  /** What a consumer hears. @param count a number that never comes twice */
  hears?(group: string, event: ArboledaEvent, count: () => number): ArboledaEvent;
  /** A consumer group that nobody subscribes. */
  forgets?(group: string): boolean;
}

const SWAPPED = { planted: 'completed', completed: 'planted' } as const;

export const FAULTS: readonly Fault[] = [
  {
    name: 'notifications does not remember which events it has taken',
    hears: (group, event, count) =>
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
    forgets: (group) => group === 'assignments',
  },
];
