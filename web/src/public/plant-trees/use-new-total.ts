import { useQueryClient } from '@tanstack/react-query';
import type { PackagePrices } from '../../api/package-prices.ts';
import { PACKAGE_PRICES_KEY } from '../../api/packages.ts';
import { useFormats } from '../../i18n/format.ts';
import { totalOf, type Selection } from './selection.ts';

/** Reloads the prices and returns the selection's new total in its payment currency. */
export function useNewTotal(selection: Selection): (currency?: 'COP') => Promise<string> {
  const queryClient = useQueryClient();
  const formats = useFormats();
  return async (currency) => {
    await queryClient.refetchQueries({ queryKey: PACKAGE_PRICES_KEY });
    const found = [[...PACKAGE_PRICES_KEY, 'COP'], PACKAGE_PRICES_KEY].map((key) =>
      queryClient.getQueryData<PackagePrices>(key),
    );
    const prices = currency ? found.find((one) => one?.currency === currency) : found[1];
    if (!prices) return '…';
    const { amountMinor, currency: paidIn } = totalOf(selection, prices);
    return formats.money(amountMinor, paidIn);
  };
}
