import { formatMoney } from '@arboleda/contracts/money.ts';
import { shortId } from '@arboleda/contracts/order.ts';
import type { Compose, ReceiptFacts } from './content.ts';
import { donorNote } from './notes.ts';
import { day, firstName, trees } from './words.ts';

/** To the donor: the payment arrived. */
export const receipt: Compose<ReceiptFacts> = (facts, { name, language, links }) => {
  const order = shortId(facts.orderId);
  const counted = trees(facts.trees, language);
  const one = facts.trees === 1;
  const paid = formatMoney(facts.amountMinor, facts.currency, language);
  const card = facts.card && `${brandName(facts.card.brand)} ···· ${facts.card.last4}`;
  const url = links.order(facts.orderToken);
  return {
    en: {
      subject: `Receipt for ${counted} · order ${order}`,
      preview: `${paid} received. Next we find who plants ${one ? 'your tree' : 'your trees'}.`,
      title: `Thank you, ${firstName(name)}. Your ${one ? 'tree is' : `${counted} are`} paid for.`,
      paragraphs: [
        `Next, a field worker is chosen. We write to you with their name, and again when your ${
          one ? 'tree is' : 'trees are'
        } in the ground.`,
      ],
      rows: [
        ['Order', order],
        ['Trees', counted],
        ['Paid', paid],
        ...(card ? [['Card', card] as const] : []),
        ['Date', day(facts.paidAt, language)],
        ['Transaction', facts.transactionId],
      ],
      action: { label: 'Follow your order', url },
      note: donorNote('en'),
    },
    es: {
      subject: `Recibo de ${counted} · pedido ${order}`,
      preview: `Recibimos ${paid}. Ahora buscamos quién ${one ? 'lo siembra' : 'los siembra'}.`,
      title: `Gracias, ${firstName(name)}. ${one ? 'Tu árbol está pagado' : `Tus ${counted} están pagados`}.`,
      paragraphs: [
        `Ahora elegimos a la persona que va a sembrar. Te escribimos con su nombre, y otra vez cuando ${
          one ? 'tu árbol esté en tierra' : 'tus árboles estén en tierra'
        }.`,
      ],
      rows: [
        ['Pedido', order],
        ['Árboles', counted],
        ['Pagado', paid],
        ...(card ? [['Tarjeta', card] as const] : []),
        ['Fecha', day(facts.paidAt, language)],
        ['Transacción', facts.transactionId],
      ],
      action: { label: 'Seguir tu pedido', url },
      note: donorNote('es'),
    },
  };
};

/** Stripe's names of card brands are lower case: https://docs.stripe.com/api/payment_methods/object */
const BRANDS: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};
const brandName = (brand: string): string => BRANDS[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1);
