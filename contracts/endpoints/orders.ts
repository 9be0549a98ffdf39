import { ordersAdminEndpoints } from './orders/admin.ts';
import { ordersCertificateEndpoints } from './orders/certificates.ts';
import { ordersCustomerEndpoints } from './orders/customer.ts';
import { ordersFiguresEndpoints } from './orders/figures.ts';
import { ordersGiftEndpoints } from './orders/gifts.ts';
import { ordersLiveEndpoints } from './orders/live.ts';
import { ordersPublicEndpoints } from './orders/public.ts';
import { ordersWithdrawalEndpoints } from './orders/withdrawals.ts';

export const ordersEndpoints = {
  ...ordersPublicEndpoints,
  ...ordersCustomerEndpoints,
  ...ordersAdminEndpoints,
  ...ordersFiguresEndpoints,
  ...ordersLiveEndpoints,
  ...ordersCertificateEndpoints,
  ...ordersGiftEndpoints,
  ...ordersWithdrawalEndpoints,
};
