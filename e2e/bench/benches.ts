import type { Bench } from './report/bench.ts';

/** A bench is loaded when it is asked for: it may need what the others do not. One line for each. */
export const BENCHES: Record<string, () => Promise<Bench>> = {
  start: async () => (await import('./start/start.ts')).start,
  visible: async () => (await import('./visible/visible.ts')).visible,
  events: async () => (await import('./events/events.ts')).events,
  gateway: async () => (await import('./gateway/gateway.ts')).gateway,
  serve: async () => (await import('./serve/serve.ts')).serve,
  photos: async () => (await import('./photos/photos.ts')).photos,
  web: async () => (await import('./web/web.ts')).web,
  grow: async () => (await import('./grow/grow.ts')).grow,
  cost: async () => (await import('./cost/cost.ts')).cost,
  checkout: async () => (await import('./checkout/checkout.ts')).checkout,
};
