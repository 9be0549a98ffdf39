import sharp from 'sharp';
import type { Report } from '../frame/topic.ts';
import { MARK } from './bytes.ts';

const PICTURES = new Set(['image/jpeg', 'image/webp', 'image/avif']);

/** Checks that a served file is a re-encoded picture, with nothing else in it and no HTML. */
export async function looksSafe(
  { check }: Report,
  what: string,
  sent: Buffer,
  response: Response,
): Promise<void> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const header = (name: string) => response.headers.get(name) ?? '';
  check(`${what}: is there`, response.status === 200, response.status);
  check(`${what}: is taken for nothing else`, header('x-content-type-options') === 'nosniff');
  check(
    `${what}: does nothing as a document`,
    /default-src 'none'.*\bsandbox\b/.test(header('content-security-policy')),
    header('content-security-policy'),
  );
  if (header('content-type') === 'application/octet-stream') {
    // The original, for an admin: saved, never opened.
    check(
      `${what}: is saved under a name of ours`,
      /^attachment; filename=[A-F0-9]{6}-\d\.(jpg|png|gif)$/.test(header('content-disposition')),
      header('content-disposition'),
    );
    return;
  }
  check(`${what}: is a picture`, PICTURES.has(header('content-type')), header('content-type'));
  check(`${what}: holds nothing of what was hidden`, !bytes.includes(MARK) && !bytes.includes('<script'));
  check(`${what}: was made here`, !bytes.equals(sent));
  const { exif, xmp, iptc, icc, width, height } = await sharp(bytes).metadata();
  const said = Object.entries({ exif, xmp, iptc })
    .filter(([, block]) => block !== undefined)
    .map(([name]) => name);
  check(`${what}: says nothing of place or camera`, said.length === 0, said);
  check(`${what}: brings no profile of the sender’s`, (icc?.length ?? 0) < 10_000, icc?.length);
  check(`${what}: is no larger than what people look at`, width * height <= 24_000_000, { width, height });
}
