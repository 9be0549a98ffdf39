import { typedText } from '../../i18n/typed-text.ts';

/** Fields about the buyer, as typed and kept in the draft. */
export interface BuyerForm {
  name: string;
  email: string;
  phone: string;
  referenceNumber: string;
}

export const NO_BUYER: BuyerForm = { name: '', email: '', phone: '', referenceNumber: '' };

/** The buyer's part of a form or draft. */
export const buyerIn = (typed: BuyerForm): BuyerForm => ({
  name: typed.name,
  email: typed.email,
  phone: typed.phone,
  referenceNumber: typed.referenceNumber,
});

/** Names of the fields in requests and in the server's problems. */
export const SENT_AS: Readonly<Record<keyof BuyerForm, string>> = {
  name: 'customerName',
  email: 'customerEmail',
  phone: 'customerPhone',
  referenceNumber: 'referenceNumber',
};

/** The buyer as both ways to pay send them. */
export const customerOf = ({ name, email }: BuyerForm) => ({
  customerName: typedText(name),
  customerEmail: typedText(email),
});
export type PayingCustomer = ReturnType<typeof customerOf>;
