import type { BinaryReply } from '@arboleda/chassis/http/handlers.ts';
import { shortId } from '@arboleda/contracts/order.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { Readable } from 'node:stream';
import { isPaid, type Order } from '../order/order.ts';
import type { FontLibrary } from './fonts.ts';
import type { Organisation } from '@arboleda/chassis/organisation.ts';
import { receiptOf } from './receipt.ts';

export interface Receipts {
  /** @throws Problem `not-found` for an unpaid order */
  of(order: Order, language: Language): Promise<BinaryReply>;
}

const FILE = { en: 'receipt', es: 'recibo' } as const satisfies Record<Language, string>;

export function openReceipts(organisation: Organisation, fonts: () => Promise<FontLibrary>): Receipts {
  return {
    async of(order, language) {
      if (!isPaid(order)) throw new Problem('not-found');
      const { renderReceipt } = await import('./page.ts');
      const bytes = await renderReceipt(receiptOf(order, language, organisation), await fonts());
      return {
        contentType: 'application/pdf',
        bytes: Readable.from([bytes]),
        sizeBytes: bytes.length,
        saveAs: `arboleda-${FILE[language]}-${shortId(order.id)}.pdf`,
      };
    },
  };
}
