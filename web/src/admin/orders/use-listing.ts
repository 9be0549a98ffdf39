import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { type Listing, listingOf, withListing } from './listing.ts';

/** State of a browser history entry. */
interface Entry {
  /** Cursors of the previous pages, first page first. */
  trail?: string[];
  /** The dialog was opened from the list, so closing goes back. */
  opened?: boolean;
}

/** List and open order in the address, so that back and forward work. */
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
    /** Previous page, or the first when its cursor is unknown. */
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
