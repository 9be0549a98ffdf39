import { debitsEndpoints } from './debits.ts';
import { paymentsAdminEndpoints } from './payments/admin.ts';
import { shopEndpoints } from './payments/shop.ts';
import { statementsEndpoints } from './statements.ts';
import { transfersEndpoints } from './transfers.ts';

export const paymentsEndpoints = {
  ...shopEndpoints,
  ...paymentsAdminEndpoints,
  ...transfersEndpoints,
  ...statementsEndpoints,
  ...debitsEndpoints,
};
