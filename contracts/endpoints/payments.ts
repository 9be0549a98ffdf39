import { paymentsAdminEndpoints } from './payments/admin.ts';
import { shopEndpoints } from './payments/shop.ts';
import { transfersEndpoints } from './transfers.ts';

export const paymentsEndpoints = {
  ...shopEndpoints,
  ...paymentsAdminEndpoints,
  ...transfersEndpoints,
};
