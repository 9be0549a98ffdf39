/** Where this tab keeps what somebody has chosen and typed in the checkout. */
export const DRAFT_KEY = 'arboleda.checkout';

export function isDraftKept(): boolean {
  try {
    return sessionStorage.getItem(DRAFT_KEY) !== null;
  } catch {
    return false;
  }
}
