import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { Person } from '@arboleda/chassis/http/identity.ts';
import type { Change } from '@arboleda/chassis/records.ts';
import type { ordersWithdrawalEndpoints } from '@arboleda/contracts/endpoints/orders/withdrawals.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { BuyerProof } from '../buyer-proof.ts';
import type { Order } from '../order/order.ts';
import type { Orders } from '../order/store.ts';
import { adminView } from '../order/views/admin.ts';
import { customerView } from '../order/views/customer.ts';
import { publicView } from '../order/views/public.ts';
import { decideRetraction, decideWithdrawal } from './withdrawal.ts';

interface Parts {
  store: Orders;
  buyerProof: BuyerProof;
  clock: () => Date;
  /** @throws Problem `not-found` */
  found(order: Order | undefined): Order;
  addressOf(person: Person): string | undefined;
}

export function withdrawalRoutes(parts: Parts): Handlers<typeof ordersWithdrawalEndpoints> {
  const { store, buyerProof, clock, found, addressOf } = parts;
  const now = () => clock().toISOString();

  async function byLink(call: { params: { token: string }; body: { email: string }; address: string }) {
    const order = found(await store.byToken(call.params.token));
    const { email } = call.body;
    await buyerProof.require(order, {
      email,
      address: call.address,
      erased: 'withdrawal-erased',
      isUnpaidToo: true,
    });
    return order.id;
  }
  async function own({ params, person }: { params: { id: string }; person: Person }) {
    const order = found(await store.get(params.id));
    if (order.customer.email.toLowerCase() !== addressOf(person)) throw new Problem('not-found');
    return order.id;
  }
  const change = async (orderId: string, decide: (order: Order) => Change<Order> | undefined) =>
    found(await store.change(orderId, (current) => decide(found(current))));
  const withdraw = (orderId: string, { reason }: { reason?: string | undefined }) =>
    change(orderId, (order) => decideWithdrawal(order, { reason, at: now() }));
  const retract = (orderId: string) => change(orderId, (order) => decideRetraction(order, { at: now() }));

  return {
    'POST /api/track/{token}/withdrawal': async (call) => ({
      order: publicView(await withdraw(await byLink(call), call.body)),
    }),
    'POST /api/track/{token}/withdrawal/retract': async (call) => ({
      order: publicView(await retract(await byLink(call))),
    }),
    'POST /api/customers/orders/{id}/withdrawal': async (call) => ({
      order: customerView(await withdraw(await own(call), call.body)),
    }),
    'POST /api/customers/orders/{id}/withdrawal/retract': async (call) => ({
      order: customerView(await retract(await own(call))),
    }),
    async 'POST /api/admin/orders/{id}/withdrawal/retract'({ params, body: { reason }, person }) {
      const by = { role: 'admin', id: person.id, name: person.name } as const;
      const order = await change(params.id, (current) => {
        const kept = decideRetraction(current, { by, at: now(), reason });
        const object = { type: 'order', id: params.id } as const;
        return kept && { ...kept, audit: [{ object, orderId: params.id, withheld: ['reason'] }] };
      });
      return { order: adminView(order, person) };
    },
  };
}
