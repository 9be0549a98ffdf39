import { auditLogOf } from '@arboleda/chassis/audit/read.ts';
import { openService, type Overrides, type RunningService } from '@arboleda/chassis/service.ts';
import { giftTokens, orderTokens } from '@arboleda/chassis/order-token.ts';
import { cachedFor } from '@arboleda/chassis/http/metrics.ts';
import { ordersAuditEndpoints } from '@arboleda/contracts/endpoints/audit-log.ts';
import { ordersEndpoints } from '@arboleda/contracts/endpoints/orders.ts';
import { openBuyerProof } from './buyer-proof.ts';
import { openDocuments } from './certificate/document/document.ts';
import { certificateKeys } from './certificate/keys.ts';
import { openStatuses } from './certificate/store.ts';
import type { OrdersConfig } from './config.ts';
import { consumers } from './consumers.ts';
import { openGiftCards } from './gift/card/document.ts';
import { openErasedAccounts } from './order/erased-accounts.ts';
import { listDeadLetters, readNotPlanted, readOverview, readStats } from './figures/figures.ts';
import { openOrderChanges } from './live.ts';
import type { FontLibrary } from './documents/fonts.ts';
import { openReceiptNumbers } from './documents/numbers.ts';
import { openReceipts } from './documents/receipts.ts';
import { remembered } from './figures/remembered.ts';
import { showOrders } from './metrics.ts';
import { newCertificateCode } from './reactions.ts';
import { openOrderStore } from './store.ts';
import { routes } from './routes.ts';
import { MIGRATIONS } from './order/store.ts';

/** Beyond this age, cached figures of the landing page are reloaded before they are shown. */
const STATS_STALE_MS = 60_000;
/** Listing dead letters may mean reading topics. */
const DEAD_READ_EVERY_MS = 10_000;

/** Orders and their history: the authority on an order's status. */
export async function startOrders(config: OrdersConfig, overrides: Overrides = {}): Promise<RunningService> {
  const service = await openService('orders', config, overrides);
  const { call, clock, logger, platform } = service;
  const sql = await platform.sql('orders', MIGRATIONS);
  service.onClose(() => sql.close());
  const stored = openOrderStore(sql, clock);
  const changes = openOrderChanges(stored, { clock, logger });
  const store = changes.withNotifications(stored);
  showOrders(service.metrics, { store, listeners: changes.listeners, clock });
  const stats = remembered(() => readStats(store, config.statsBaselineTrees), {
    forMs: config.statsCacheMs,
    staleMs: STATS_STALE_MS,
    clock,
    logger,
  });
  // Reads every order to be planted, so it is cached longer the more there are.
  const notPlanted = remembered(() => readNotPlanted(store, clock()), {
    forMs: 0,
    staleMs: 0,
    clock,
    logger,
  });
  const deadLetters = cachedFor(DEAD_READ_EVERY_MS, () => platform.bus.deadLetters());
  const overview = (days: number) =>
    readOverview(store, {
      days,
      now: clock(),
      notPlanted,
      deadLetters: async () => (await deadLetters()).length,
    });
  // Documents are few, and what draws them takes a second to load.
  let library: Promise<FontLibrary> | undefined;
  const fonts = () => (library ??= import('./documents/fonts.ts').then(({ openFonts }) => openFonts()));
  const receipts = openReceipts(config.organisation, fonts);
  const buyerProof = openBuyerProof({ sql, secret: config.orderTokenSecret, clock });
  const { siteUrl, certificateKey: key, formerCertificateKeys: formerKeys } = config;
  const issuer = {
    keys: certificateKeys({ siteUrl, key, formerKeys }),
    siteUrl,
    name: config.organisation.legalName,
  };
  const certificates = {
    statuses: openStatuses(sql),
    documents: openDocuments({
      fonts,
      issuer,
      readPhoto: (filename) =>
        call('GET /api/photos/{filename}', { params: { filename }, query: { w: '800' } })
          .then(async (photo) => Buffer.from(await photo.arrayBuffer()))
          .catch(() => undefined),
    }),
    issuer,
    newCode: newCertificateCode,
  };

  const erasedAccounts = openErasedAccounts(sql);
  const tokens = {
    orderToken: orderTokens(config.orderTokenSecret),
    giftToken: giftTokens(config.orderTokenSecret),
  };
  await service.subscribe(
    consumers(store, erasedAccounts, tokens, openReceiptNumbers(sql), async (eventId, entry) => {
      await sql.consume(eventId, (tx) => tx.audit(entry));
    }),
  );
  return service.listen(
    { ...ordersEndpoints, ...ordersAuditEndpoints },
    {
      'GET /internal/orders/audit-log': ({ query }) => auditLogOf(sql, 'orders')(query),
      ...routes({
        store,
        changes,
        stats,
        overview,
        deadLetters: async () => listDeadLetters(await deadLetters()),
        receipts,
        buyerProof,
        certificates,
        gifts: { erasedAccounts, giftCards: openGiftCards({ fonts, issuer }), giftToken: tokens.giftToken },
        clock,
      }),
    },
  );
}
