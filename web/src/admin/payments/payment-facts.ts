import { bankNameOf } from '@arboleda/contracts/payment-method.ts';
import { useTranslation } from 'react-i18next';
import type { Fact } from '../../design/components/Facts.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { Payment } from './payments.ts';

interface Section {
  name: 'customer' | 'payment' | 'fee';
  rows: Fact[];
}

/** What is known of a payment, in sections; what is not known has no row. */
export function usePaymentFacts(payment: Payment): Section[] {
  const { t } = useTranslation('desk');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const { card, paidAt, received, fee, quote, transactionId, currency } = payment;
  const when = (at: string) => `${formats.day(at)}, ${formats.time(at)}`;
  const method = card
    ? t('payments.card', {
        brand: card.brand.charAt(0).toUpperCase() + card.brand.slice(1),
        last4: card.last4,
      })
    : t(`methods.${payment.method.kind}`, { bank: bankNameOf(payment.method) });
  const sections: { name: Section['name']; rows: (Fact | false | undefined)[] }[] = [
    {
      name: 'customer',
      rows: [
        { label: t('facts.name'), value: payment.customerName },
        { label: t('facts.email'), value: payment.customerEmail },
        { label: t('payments.language'), value: common(`language.${payment.language}`) },
        {
          label: t('facts.trees'),
          value: `${formats.number(payment.trees)}, ${t(`packages.${payment.packageType}`)}`,
        },
      ],
    },
    {
      name: 'payment',
      rows: [
        { label: t('facts.method'), value: method },
        { label: t('payments.begun'), value: when(payment.createdAt) },
        paidAt !== undefined && { label: t('payments.paid'), value: when(paidAt) },
        received && {
          label: t('payments.received'),
          value: formats.money(received.amount, received.currency),
        },
        transactionId !== undefined && { label: t('payments.transaction'), value: transactionId },
        quote &&
          quote.rate !== 1 && {
            label: t('payments.rate'),
            value: t('payments.rateOf', { rate: formats.number(quote.rate), currency }),
          },
      ],
    },
    {
      name: 'fee',
      rows: [
        fee && { label: t('payments.fee'), value: formats.money(fee.amount, fee.currency) },
        fee?.exchangeRate !== undefined && {
          label: t('payments.rate'),
          value: t('payments.feeRate', {
            rate: formats.rate(fee.exchangeRate),
            to: fee.currency,
            from: currency,
          }),
        },
        fee && { label: t('payments.net'), value: formats.money(fee.netAmount, fee.currency) },
      ],
    },
  ];
  return sections
    .map(({ name, rows }) => ({ name, rows: rows.filter((row): row is Fact => Boolean(row)) }))
    .filter(({ rows }) => rows.length > 0);
}
