/**
 * Parts of pages that an organization may leave out, with the variable of each. The product spec has them all, so they are
 * there unless the variable is "off".
 */
export const CLAIMS = {
  /** Struck prices, the share saved and the countdown; otherwise one price and what it pays for. */
  offer: 'OFFER',
  hectares: 'HECTARES',
  /** Tons and kilos of CO₂. */
  co2: 'CO2_CLAIMS',
} as const;
export type Claim = keyof typeof CLAIMS;
export const CLAIM_NAMES = Object.keys(CLAIMS) as Claim[];

/** A page is built with both forms of a part, between two of these; the gateway cuts out the form that is not wanted. */
export const claimMarks = (name: Claim | `no-${Claim}`) => ({
  begin: { 'data-claim': name },
  end: { 'data-claim-end': name },
});

/** @param off claims that the organization leaves out */
export function cutClaims(html: string, off: readonly Claim[]): string {
  return CLAIM_NAMES.reduce((page, claim) => {
    const unwanted = off.includes(claim) ? claim : `no-${claim}`;
    const [begin, end] = ['data-claim', 'data-claim-end'].map(
      (attribute) => `<template ${attribute}="${unwanted}"></template>`,
    );
    return page.replaceAll(new RegExp(`${begin}.*?${end}`, 'gs'), '');
  }, html);
}
