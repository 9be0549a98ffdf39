import { ordersAdminEndpoints } from './orders/admin.ts';
import { ordersCustomerEndpoints } from './orders/customer.ts';
import { ordersPublicEndpoints } from './orders/public.ts';

export const ordersEndpoints = {
  ...ordersPublicEndpoints,
  ...ordersCustomerEndpoints,
  ...ordersAdminEndpoints,
};
