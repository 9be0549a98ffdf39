import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { type CertifiedOrders, codesChanged, codeSteps, openCertified } from './certificate/store.ts';
import { countingSteps, recounted } from './figures/counters.ts';
import { openFigures, type OrderFigures } from './figures/store.ts';
import { type GiftOrders, openGiftOrders } from './gift/store.ts';
import { openPages, type OrderPages } from './list/store.ts';
import { openOrders, openOrderTable, type Orders } from './order/store.ts';
import { withReactions } from './reactions.ts';

/** All orders, as each subject asks for them. */
export type OrderStore = Orders & CertifiedOrders & GiftOrders & OrderPages & OrderFigures;

/** Counters and codes follow an order in the statement that writes it. @param countedTo see list/store.ts */
export function openOrderStore(
  sql: Sql,
  clock: () => Date = () => new Date(),
  countedTo?: number,
): OrderStore {
  const table = openOrderTable(sql, {
    steps: `${countingSteps('$3')}, ${codeSteps('$3')}`,
    value: (before, after) => ({ ...recounted(before, after), codes: codesChanged(before, after) }),
  });
  const orders = openOrders(table);
  return {
    ...openCertified(table),
    ...openGiftOrders(sql, table),
    ...openPages(sql, table, countedTo),
    ...openFigures(sql, table),
    ...orders,
    ...withReactions(orders, clock),
  };
}
