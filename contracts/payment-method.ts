/** Banks that accept transfers. A new bank needs one line here and its account in BANK_ACCOUNTS. */
export const BANKS = {
  bancolombia: { name: 'Bancolombia' },
} as const;
export type Bank = keyof typeof BANKS;
export const BANK_IDS = Object.keys(BANKS) as [Bank, ...Bank[]];
/** Product spec section 7: the bank when the form names none. */
export const DEFAULT_BANK: Bank = 'bancolombia';

export type PaymentMethod = { kind: 'card' } | { kind: 'transfer'; bank: Bank };
export const CARD: PaymentMethod = { kind: 'card' };

/** Display name of a transfer's bank; undefined for cards. */
export const bankNameOf = (method: PaymentMethod): string | undefined =>
  method.kind === 'transfer' ? BANKS[method.bank].name : undefined;

/** `paymentMethod` in forms and order views, as product spec sections 3 and 7 define it. */
export type WireTransferMethod = `manual_${Bank}`;
export type WireMethod = 'stripe' | WireTransferMethod;
const wireTransfer = (bank: Bank): WireTransferMethod => `manual_${bank}`;
export const WIRE_TRANSFER_METHODS = BANK_IDS.map(wireTransfer) as [
  WireTransferMethod,
  ...WireTransferMethod[],
];
export const wireMethodOf = (method: PaymentMethod): WireMethod =>
  method.kind === 'card' ? 'stripe' : wireTransfer(method.bank);
export const bankOfWire = (wire: WireTransferMethod): Bank =>
  BANK_IDS.find((bank) => wireTransfer(bank) === wire)!;
