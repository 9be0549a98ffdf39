const MAX_KEY_LENGTH = 200;
const SEGMENT = /^[\w.-]+$/;

/** @throws RangeError for an invalid key: see ObjectStore */
export function keySegments(key: string): string[] {
  const segments = key.split('/');
  const valid = (segment: string) => SEGMENT.test(segment) && !/^\.+$/.test(segment);
  if (key.length > MAX_KEY_LENGTH || !segments.every(valid)) {
    throw new RangeError(`not an object key: ${JSON.stringify(key.slice(0, MAX_KEY_LENGTH))}`);
  }
  return segments;
}
