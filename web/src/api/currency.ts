import { CURRENCIES, type Currency } from '@arboleda/contracts/countries.ts';

const KEY = 'arboleda.currency';
const listeners = new Set<() => void>();
/** The choice of this page, where nothing can be stored. */
let unkept: Currency | undefined;

/** The currency the visitor chose, kept in this browser; undefined: that of their country. */
export function chosenCurrency(): Currency | undefined {
  try {
    const kept = localStorage.getItem(KEY);
    return CURRENCIES.find((currency) => currency === kept) ?? unkept;
  } catch {
    return unkept;
  }
}

/** @param currency undefined for that of the visitor's country */
export function chooseCurrency(currency: Currency | undefined): void {
  unkept = undefined;
  try {
    if (currency) localStorage.setItem(KEY, currency);
    else localStorage.removeItem(KEY);
  } catch {
    unkept = currency;
  }
  for (const listener of listeners) listener();
}

/** Calls the listener after each choice, in this window or another. @returns a function that ends that */
export function onCurrencyChosen(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
