import type { PaymentMethod } from './draft.ts';

export type Missing = 'name' | 'email' | 'card' | 'price' | 'evidence';

interface Form {
  method: PaymentMethod;
  name: string | undefined;
  email: string | undefined;
  /** The card library is loaded. */
  hasCard: boolean;
  /** The amount is known in the currency of the method. */
  hasPrice: boolean;
  pictures: number;
}

/** Product spec section 5: what has to be there before Pay can be pressed. */
export function missingOf({ method, name, email, hasCard, hasPrice, pictures }: Form): Missing[] {
  const missing: Missing[] = [];
  if (!name?.trim()) missing.push('name');
  if (!email?.trim()) missing.push('email');
  if (!hasPrice) missing.push('price');
  if (method === 'stripe' && !hasCard) missing.push('card');
  if (method === 'bancolombia' && pictures === 0) missing.push('evidence');
  return missing;
}
