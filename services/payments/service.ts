import { openService, type Overrides, type RunningService } from '@arboleda/chassis/service.ts';
import { paymentsEndpoints } from '@arboleda/contracts/endpoints/payments.ts';
import { openCards } from './cards.ts';
import type { PaymentsConfig } from './config.ts';
import { consumers } from './consumers.ts';
import { routes } from './routes.ts';
import { openTransfers } from './transfers/transfers.ts';

/** Payments by card and by transfer, refunds, disputes, and the sale of photo packages. */
export async function startPayments(
  config: PaymentsConfig,
  overrides: Overrides = {},
): Promise<RunningService> {
  const service = await openService('payments', config, overrides);
  const sql = await service.platform.sql('payments', new URL('./migrations/', import.meta.url));
  service.onClose(() => sql.close());
  const jobs = service.platform.jobs('payments');
  service.onClose(() => jobs.close());
  const cards = await openCards({ service, sql, jobs, config });
  const transfers = await openTransfers({ service, sql, jobs, config });
  await service.subscribe(
    consumers({ sql, transfers: transfers.followers, refunds: cards.refunds, clock: service.clock }),
  );
  return service.listen(paymentsEndpoints, {
    ...routes({ ...cards, config, clock: service.clock }),
    ...transfers.routes,
  });
}
