import { withoutInvisible } from '@arboleda/contracts/invisible.ts';

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

/** Typed or pasted text without invisible and control characters, which cannot be stored. */
export const typedText = (typed: string): string =>
  withoutInvisible(typed)
    .replace(/[\t\n\r]/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim();

export type EmailProblem = 'emailMissing' | 'emailNoAt' | 'emailNoEnding' | 'emailWrong';

/** Most specific problem of a typed address that is detectable without sending an email. */
export function emailProblem(typed: string): EmailProblem | undefined {
  const address = typedText(typed);
  if (!address) return 'emailMissing';
  const [local, domain, ...rest] = address.split('@');
  if (domain === undefined) return 'emailNoAt';
  if (!local || rest.length > 0 || /\s/.test(address)) return 'emailWrong';
  if (!/^[^.]+(\.[^.]+)*\.[^.]{2,}$/.test(domain)) return 'emailNoEnding';
  return undefined;
}
