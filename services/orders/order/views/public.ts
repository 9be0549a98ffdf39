import type { ApiResponse } from '@arboleda/contracts/api.ts';
import { type Order, shownPhotos, workerOf } from '../order.ts';
import { asItHappened, isPublicEntry } from '../timeline.ts';
import { common, photoView, statusOf } from './common.ts';

type PublicOrder = ApiResponse<'GET /api/track/{token}'>;

/** The view by private link. Links get shared, so it contains no full name and no contact data. */
export function publicView(order: Order): PublicOrder {
  const worker = workerOf(order);
  return {
    ...common(order),
    customerName: firstName(order.customer.name),
    ...(worker && { assignedWorker: { name: worker.name, region: worker.region } }),
    photos: shownPhotos(order).map((photo) => photoView(order, photo)),
    timeline: asItHappened(order.timeline)
      .filter(isPublicEntry)
      .map((entry) => ({ at: entry.at, type: entry.type, ...statusOf(entry) })),
  };
}

const firstName = (name: string): string => name.trim().split(/\s+/)[0]!;
