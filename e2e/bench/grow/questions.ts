import { encodeCursor } from '@arboleda/orders/listing.ts';
import type { TestPerson } from '@arboleda/chassis/testing/identity.ts';
import { customerOf, workerOf } from './person.ts';
import { daysUntil, lifeOf } from './life.ts';

/** Something that somebody looks at. */
export interface Question {
  name: string;
  service: 'orders' | 'assignments';
  path: string;
  by?: TestPerson;
}

const YEAR_DAYS = 365;
/** The default page size, and one more to know whether there is a next page. */
const PAGE_ORDERS = 26;
/** Even the smallest data set has so many assigned orders. */
const FEW_ORDERS = 10;

/** The same questions for any number of orders; each finds about the same, but for those that ask about all. */
export function questionsOf(total: number, nowMs: number): Question[] {
  const middle = lifeOf(Math.floor(total / 2), total, nowMs).order;
  const cursor = encodeCursor({ sort: 'newest', position: [middle.createdAt, middle._id] });
  const manage = (name: string, query: Record<string, string>): Question => ({
    name: `admin's list: ${name}`,
    service: 'orders',
    path: `/api/admin/orders/manage?${new URLSearchParams(query)}`,
    by: { role: 'admin' },
  });
  const day = (ago: number) => new Date(nowMs - ago * 86_400_000).toISOString().slice(0, 10);
  return [
    manage('first page', {}),
    manage('from the middle on', { cursor }),
    manage('completed', { status: 'completed' }),
    manage(`assigned, ${FEW_ORDERS} of them`, { status: 'assigned', limit: String(FEW_ORDERS) }),
    manage('highest amounts', { sort: 'amount' }),
    manage('a year ago, as many days as fill a page', {
      from: day(YEAR_DAYS + daysUntil(PAGE_ORDERS, total) - 1),
      to: day(YEAR_DAYS),
    }),
    manage('one order by its number', { q: middle._id.slice(-6) }),
    manage('a customer by the address', { q: middle.customer.email }),
    manage('a common first name', { q: 'maria' }),
    manage('a common first name, by name', { q: 'maria', sort: 'name' }),
    {
      name: "customer's list",
      service: 'orders',
      path: '/api/customers/orders',
      by: { role: 'customer', email: customerOf(1, total).email },
    },
    {
      name: "worker's list",
      service: 'assignments',
      path: '/api/workers/assignments',
      // The orders of the first two are given back wherever there are many workers.
      by: { role: 'worker', id: workerOf(2, total).workerId },
    },
    { name: 'public figures', service: 'orders', path: '/api/stats' },
    { name: "admin's overview", service: 'orders', path: '/api/admin/overview', by: { role: 'admin' } },
  ];
}
