/**
 * The seller, as named on pages, emails and receipts. The values are examples: an organization replaces them before it
 * goes live.
 */
export const ORGANISATION = {
  name: 'Arboleda',
  /** Name in the register of companies. */
  legalName: 'Arboleda S.A.S. BIC',
  taxId: 'NIT 900.000.000-0',
  address: 'Calle 6 # 7-14, Salento, Quindío, Colombia',
  contactEmail: 'hola@arboleda.example',
} as const;
