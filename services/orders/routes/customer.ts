import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { ordersCustomerEndpoints } from '@arboleda/contracts/endpoints/orders/customer.ts';
import type { OrderStore } from '../store.ts';
import { customerView } from '../views.ts';

export function customerRoutes(store: OrderStore): Handlers<typeof ordersCustomerEndpoints> {
  return {
    /** Only a verified address is proof that these orders are theirs. */
    async 'GET /api/customers/orders'({ person }) {
      if (!person.emailVerified || !person.email) return { orders: [], emailVerified: false };
      const orders = await store.ofCustomer(person.email.toLowerCase());
      return { orders: orders.map(customerView), emailVerified: true };
    },
  };
}
