/** Session storage key of the checkout's draft. */
export const DRAFT_KEY = 'arboleda.checkout';

export function isDraftKept(): boolean {
  try {
    return sessionStorage.getItem(DRAFT_KEY) !== null;
  } catch {
    return false;
  }
}
