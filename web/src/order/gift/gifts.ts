import type { GiftCard } from '@arboleda/contracts/gift.ts';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { type Answer, call } from '../../api/client.ts';
import type { PublicOrder } from '../../api/order.ts';
import { isProblem } from '../../api/problem.ts';
import { refreshEvery } from '../../api/refresh.ts';
import { useChanges } from '../../api/use-changes.ts';
import night1280 from '../../art/heroNight-1280.webp';
import type { Scene } from '../../art/scene.ts';
import { fieldSapling, fieldValley, hero, packagePatch } from '../../art/scenes.ts';

export type ReceivedGift = Answer<'GET /api/gifts/{token}'>;
/** How the buyer is known: by their session, or by the address of the order. */
export type Buyer = { id: string } | { token: string; email: string };
/** A gift as its buyer sees it. */
export type OwnGift = Answer<'POST /api/track/{token}/gift'>['gift'];
/** What an order tells its gift. */
export type GivenOrder = Pick<
  PublicOrder,
  '_id' | 'token' | 'shortId' | 'trees' | 'customerName' | 'withdrawn' | 'lostAmount' | 'manualPayment'
> & { gift?: PublicOrder['gift'] | OwnGift };

const { avifNight: _avif, webpNight: _webp, ...forest } = packagePatch;

/** A card looks the same in every theme, as it does on paper. */
export const CARD_SCENES: Record<GiftCard, Scene> = {
  sapling: fieldSapling,
  valley: fieldValley,
  forest,
  night: {
    ...hero,
    avif: hero.avifNight!,
    webp: hero.webpNight!,
    src: night1280,
    avifNight: '',
    webpNight: '',
  },
};
export const CARDS = Object.keys(CARD_SCENES) as GiftCard[];

/** Fallback for changes missed by a broken stream, ms. */
const FOLLOWING_MS = 60_000;

export const giftKey = (token: string) => ['gift', token] as const;

/**
 * `unknown`: no such link, or no longer. `cancelled`: refunded before its day. `erased`: its recipient’s data was erased.
 */
export type FoundGift = ReceivedGift | 'unknown' | 'cancelled' | 'erased';

/** A gift by its link, refreshed while the page is visible. */
export function useGift(token: string): UseQueryResult<FoundGift> {
  const queryClient = useQueryClient();
  const queryKey = giftKey(token);
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<FoundGift> => {
      try {
        return await call('GET /api/gifts/{token}', { params: { token }, signal });
      } catch (failure) {
        if (isProblem(failure, 'gift-cancelled')) return 'cancelled';
        if (isProblem(failure, 'gift-erased')) return 'erased';
        if (isProblem(failure, 'not-found') || isProblem(failure, 'validation-failed')) return 'unknown';
        throw failure;
      }
    },
    refetchInterval: refreshEvery(FOLLOWING_MS),
  });
  const look = () => void queryClient.invalidateQueries({ queryKey });
  useChanges<'GET /api/gifts/{token}/events'>(`gift ${token}`, {
    open: (signal) =>
      call('GET /api/gifts/{token}/events', { params: { token }, signal, timeoutMs: Infinity }),
    onChange: look,
    onResume: look,
    enabled: typeof query.data === 'object',
  });
  return query;
}

const WANTED_KEY = 'arboleda.gift';

/** The gift that a guest wants to keep, until they are logged in, also in the tab that a mailed link opens. */
export function readWanted(): string | undefined {
  try {
    return localStorage.getItem(WANTED_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepWanted(token: string | undefined): void {
  try {
    if (token === undefined) localStorage.removeItem(WANTED_KEY);
    else localStorage.setItem(WANTED_KEY, token);
  } catch {
    // Without storage they open the link again after logging in.
  }
}
