import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { email, language, orderToken } from '../../fields.ts';
import { publicOrder } from './views.ts';

/** By the private link, which gets shared: a reference may contain a personal number. */
export const linkedOrder = publicOrder.extend({
  manualPayment: publicOrder.shape.manualPayment.unwrap().omit({ referenceNumber: true }).optional(),
});

export const ordersPublicEndpoints = {
  'GET /api/track/{token}': endpoint({
    service: 'orders',
    summary: 'An order by its private link. The link may be passed on: it names nobody in full',
    access: 'public',
    params: z.object({ token: orderToken }),
    response: linkedOrder,
    problems: ['not-found'],
  }),
  'POST /api/track/{token}/receipt': endpoint({
    service: 'orders',
    summary:
      'The receipt of a paid order, as PDF, for whoever knows its private link and the email address that it was made ' +
      'with; in the order’s language unless another is asked for',
    access: 'public',
    params: z.object({ token: orderToken }),
    body: z.object({ email, language: language.optional() }),
    binary: 'application/pdf',
    problems: ['not-found', 'receipt-erased', 'too-many-requests'],
    limit: { max: 30, windowSeconds: 600 },
  }),
};
