import type { Currency } from '@arboleda/contracts/countries.ts';
import { useSyncExternalStore } from 'react';
import { chosenCurrency, onCurrencyChosen } from './currency.ts';

/** The visitor's choice; none while prerendering. */
export const useChosenCurrency = (): Currency | undefined =>
  useSyncExternalStore(onCurrencyChosen, chosenCurrency, () => undefined);
