import type { RequestHandler } from 'express';

/** Stripe's API can be called from any shop's pages. */
export const anyOrigin: RequestHandler = (req, res, next) => {
  res.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Request-Id, Stripe-Version, Idempotency-Key, Idempotent-Replayed',
  });
  if (req.method !== 'OPTIONS') return next();
  res.set({
    'Access-Control-Allow-Methods': 'GET, POST',
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, Stripe-Version',
    'Access-Control-Max-Age': '300',
  });
  res.status(204).end();
};
