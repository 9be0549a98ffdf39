/**
 * Whether a path means to everyone what it means to us. Encoded dots, slashes, backslashes, percent signs and control
 * characters have no use in our paths; each lets one reader see another path than the next one.
 */
export function isPlainPath(path: string): boolean {
  if (!path.startsWith('/') || path.startsWith('//')) return false;
  if (/[\\#\s\p{Cc}]/u.test(path)) return false;
  if (!path.includes('%')) return !hasDotSegment(path);
  if (/%(2e|2f|5c|25|23|3f|[01][0-9a-f]|7f)/i.test(path)) return false;
  try {
    return !hasDotSegment(decodeURIComponent(path));
  } catch {
    return false;
  }
}

const hasDotSegment = (path: string): boolean => path.includes('/.') && /\/\.{1,2}(\/|$)/.test(path);

/** The path of a request target, without its query. */
export function pathPart(target: string): string {
  const end = target.indexOf('?');
  return end === -1 ? target : target.slice(0, end);
}
