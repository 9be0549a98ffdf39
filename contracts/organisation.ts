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

/** The seller, as pages, receipts and emails name it. Unknown fields are empty. */
export interface OrganisationFacts {
  legalName: string;
  taxId: string;
  address: string;
  contactEmail: string;
}

/** "Arboleda S.A.S. BIC · NIT 900.000.000-0 · Calle 6", without what is not known. */
export const sellerLine = ({ legalName, taxId, address }: Omit<OrganisationFacts, 'contactEmail'>): string =>
  [legalName, taxId, address].filter(Boolean).join(' · ');
