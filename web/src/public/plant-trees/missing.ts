import type { PaymentMethod } from '@arboleda/contracts/payment-method.ts';

export type Missing = 'name' | 'email' | 'card' | 'price' | 'evidence';

interface Form {
  method: PaymentMethod;
  name: string | undefined;
  email: string | undefined;
  /** Whether the card library is loaded. */
  hasCard: boolean;
  /** Whether the amount is known in the method's currency. */
  hasPrice: boolean;
  pictures: number;
}

/** Requirements for pressing Pay: product spec section 5. */
export function missingOf({ method, name, email, hasCard, hasPrice, pictures }: Form): Missing[] {
  const missing: Missing[] = [];
  if (!name?.trim()) missing.push('name');
  if (!email?.trim()) missing.push('email');
  if (!hasPrice) missing.push('price');
  if (method.kind === 'card' && !hasCard) missing.push('card');
  if (method.kind === 'transfer' && pictures === 0) missing.push('evidence');
  return missing;
}
