/** Banks with an account for transfers: another bank is a line here and its account in BANK_ACCOUNTS. */
export const BANKS = {
  bancolombia: { name: 'Bancolombia' },
} as const;
export type Bank = keyof typeof BANKS;
export const BANK_IDS = Object.keys(BANKS) as [Bank, ...Bank[]];
/** Product spec section 7: the bank of a form that names none. */
export const DEFAULT_BANK: Bank = 'bancolombia';

/** How an order is paid. */
export type PaymentMethod = { kind: 'card' } | { kind: 'transfer'; bank: Bank };
export const CARD: PaymentMethod = { kind: 'card' };

/** What people call the bank of a transfer; undefined for cards. */
export const bankNameOf = (method: PaymentMethod): string | undefined =>
  method.kind === 'transfer' ? BANKS[method.bank].name : undefined;

/** `paymentMethod` as product spec sections 3 and 7 write it, in forms and in views of orders. */
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
