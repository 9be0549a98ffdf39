import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { type Listing, listingOf, withListing } from './listing.ts';

/** What an entry of the browser's history remembers beside its address. */
interface Entry {
  /** Where the pages before this one begin, the first one first. */
  trail?: string[];
  /** The dialog was opened from the list: closing it goes back there. */
  opened?: boolean;
}

/** The list and the open order, both in the address; the browser's own buttons go through them. */
export function useListing() {
  const [search, setSearch] = useSearchParams();
  const entry = (useLocation().state ?? {}) as Entry;
  const navigate = useNavigate();
  const listing = listingOf(search);
  const trail = entry.trail ?? [];

  const set = (changes: Partial<Listing>, options: { replace?: boolean; trail?: string[] } = {}) =>
    setSearch((current) => withListing(current, changes), {
      replace: options.replace ?? false,
      state: { trail: options.trail ?? [] } satisfies Entry,
    });
  const setOrder = (id: string | null, options: { replace: boolean; state: Entry }) =>
    setSearch((current) => {
      const next = new URLSearchParams(current);
      if (id) next.set('order', id);
      else next.delete('order');
      return next;
    }, options);

  return {
    listing,
    change: (changes: Partial<Listing>, replace = false) => set(changes, { replace }),
    next: (cursor: string) => set({ cursor, page: listing.page + 1 }, { trail: [...trail, listing.cursor] }),
    /** To the page before, or to the first one when nobody remembers where that began. */
    previous: () =>
      set(
        { cursor: trail.at(-1) ?? '', page: trail.length > 0 ? listing.page - 1 : 1 },
        { trail: trail.slice(0, -1) },
      ),
    knowsPrevious: trail.length > 0,
    order: search.get('order'),
    open: (id: string) => setOrder(id, { replace: false, state: { trail, opened: true } }),
    close: () => (entry.opened ? void navigate(-1) : setOrder(null, { replace: true, state: { trail } })),
  };
}
