import type { BinaryReply } from '@arboleda/chassis/http/handlers.ts';
import { isErased } from '@arboleda/contracts/order.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { Readable } from 'node:stream';
import type { Order } from '../../order/order.ts';
import type { FontLibrary } from '../../documents/fonts.ts';
import type { OrderGift } from '../order-gift.ts';

export interface GiftCards {
  /** In the recipient's language. */
  of(order: Order, gift: OrderGift): Promise<BinaryReply>;
}

const FILE = { en: 'gift', es: 'regalo' } as const satisfies Record<Language, string>;

export const openGiftCards = (parts: {
  fonts: () => Promise<FontLibrary>;
  issuer: { siteUrl: string; name: string };
}): GiftCards => ({
  async of(order, gift) {
    const { siteUrl, name: issuer } = parts.issuer;
    const { customer, trees } = order;
    const from = isErased(customer.email) ? undefined : customer.name;
    const { renderCard } = await import('./page.ts');
    const bytes = await renderCard({ gift, from, trees, siteUrl, issuer }, await parts.fonts());
    return {
      contentType: 'application/pdf',
      bytes: Readable.from([bytes]),
      sizeBytes: bytes.length,
      saveAs: `arboleda-${FILE[gift.language]}.pdf`,
    };
  },
});
