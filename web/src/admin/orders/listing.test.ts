import { expect, test } from '@jest/globals';
import { filterQuery, foundOn, isNarrowed, listingOf, pageQuery, placeOf, withListing } from './listing.ts';

const at = (search: string) => new URLSearchParams(search);

test('an address without filters asks for the newest page of all', () => {
  expect(pageQuery(listingOf(at('view=orders')))).toEqual({});
  expect(isNarrowed(listingOf(at('')))).toBe(false);
});

test('everything that an address says is asked of the server', () => {
  const listing = listingOf(
    at('status=planted&q=+ana++&from=2026-11-01&to=2026-11-22&sort=trees&limit=50&cursor=abc&page=3'),
  );
  expect(pageQuery(listing)).toEqual({
    ...{ status: 'planted', q: 'ana', from: '2026-11-01', to: '2026-11-22', sort: 'trees' },
    ...{ limit: 50, cursor: 'abc' },
  });
  expect(filterQuery(listing)).not.toHaveProperty('cursor');
  expect(placeOf(listing, 7)).toEqual({ first: 101, last: 107 });
});

test('what an address says wrongly is as if it were not there', () => {
  const search = at('status=lost&from=2026-13-40&to=soon&sort=random&limit=9999&cursor=abc&page=-2');
  expect(pageQuery(listingOf(search))).toEqual({});
});

test('a change begins at the first page again and keeps the rest of the address', () => {
  const search = at('view=orders&order=1&status=planted&cursor=abc&page=3');
  expect(withListing(search, { q: 'ana' }).toString()).toBe('view=orders&order=1&status=planted&q=ana');
  expect(withListing(search, { status: 'all' }).toString()).toBe('view=orders&order=1');
});

test('turning the page keeps the filter', () => {
  const next = withListing(at('status=planted'), { cursor: 'abc', page: 2 });
  expect(next.toString()).toBe('status=planted&cursor=abc&page=2');
  expect(withListing(next, { cursor: '', page: 1 }).toString()).toBe('status=planted');
});

test('the last page tells how many there are when the count does not', () => {
  const second = listingOf(at('q=ana&cursor=abc&page=2'));
  const least = { count: 10, isLeast: true };
  expect(foundOn(second, { found: least, rows: 7, isLast: true })).toEqual({ count: 32, isLeast: false });
  expect(foundOn(second, { found: undefined, rows: 7, isLast: true })).toEqual({ count: 32, isLeast: false });
  expect(foundOn(second, { found: least, rows: 25, isLast: false })).toBe(least);
  const exact = { count: 33, isLeast: false };
  expect(foundOn(second, { found: exact, rows: 7, isLast: true })).toBe(exact);
  expect(foundOn(listingOf(at('q=ana')), { found: undefined, rows: 0, isLast: true })?.count).toBe(0);
});
