import { median } from '../../bench/figures.ts';
import type { Sample } from './samples.ts';

/**
 * What may come on top between the second fifth of a run and its last. The first fifth is left out: code is compiled and pools
 * are filled in it. Of 15 minutes nine lie between the middles of the two, 27,000 requests at 50 a second:
 * - heap: after a collection it varies by a few MB with work in flight. 15 MB are half a kB kept of each request, less than
 *   any answer or closure;
 * - resident: freed memory is not all given back, and pictures are worked on outside of the heap. 64 MB are 2.4 kB of each;
 * - that of pictures: a picture takes what it needs and gives it back in part. 128 MB are 240 kB of each,
 *   whose pixels alone are 6 MB;
 * - handles: sockets come and go with those who ask at the same time. 32 are one lost in a thousand requests;
 * - connections: pools open some more after a burst and let them go 10 s later.
 */
export const TOLERANCE: Sample = { residentMb: 64, picturesMb: 128, heapMb: 15, handles: 32, connections: 8 };

export interface Growth {
  before: number;
  after: number;
  hasGrown: boolean;
}

/** Compares medians, because single values vary. @param values at least five, in the order of time */
export function growthOf(values: readonly number[], tolerance: number): Growth {
  const fifth = values.length / 5;
  const part = (from: number) =>
    median(values.slice(Math.floor(from * fifth), Math.floor((from + 1) * fifth)));
  const [before, after] = [part(1), part(4)];
  return { before, after, hasGrown: after - before > tolerance };
}
