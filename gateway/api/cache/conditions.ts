export interface Part {
  /** Both inclusive, bytes. */
  start: number;
  end: number;
}

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/;

/**
 * The part that a Range header asks for; undefined for several parts, for what lies outside, and for what is no range of
 * bytes: all that is for the service to answer.
 */
export function partOf(range: string, sizeBytes: number): Part | undefined {
  const [, first = '', last = ''] = ONE_RANGE.exec(range) ?? [];
  if (first === '' && last === '') return undefined;
  const isSuffix = first === '';
  const start = isSuffix ? sizeBytes - Number(last) : Number(first);
  const end = isSuffix || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  return start >= 0 && start <= end ? { start, end } : undefined;
}

/** Whether an If-None-Match names a version; weak tags and strong ones count alike: RFC 9110 section 13.1.2. */
export function names(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === '') return false;
  // As nearly always.
  if (ifNoneMatch === etag) return true;
  const opaque = withoutWeakness(etag);
  return ifNoneMatch.split(',').some((tag) => withoutWeakness(tag.trim()) === opaque);
}

const withoutWeakness = (tag: string): string => (tag.startsWith('W/') ? tag.slice(2) : tag);
