/** Formats of pictures, smallest first. */
const FORMATS = ['avif', 'webp', 'jpeg'] as const;
export type Format = (typeof FORMATS)[number];

export const CONTENT_TYPES = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpeg: 'image/jpeg',
} as const satisfies Record<Format, string>;

/** Made after the JPEGs; the fastest first. */
export const MODERN_FORMATS = ['webp', 'avif'] as const satisfies readonly Format[];

/**
 * The best format named in an Accept header (RFC 9110, section 12.5.1). Defaults to JPEG, even for wildcards:
 * the caller may not support newer formats.
 */
export function wantedFormat(accept: string | undefined): Format {
  const weights = new Map((accept ?? '').split(',').map(readPart));
  const any = weights.get('image/*') ?? weights.get('*/*') ?? 0;
  const weightOf = (format: Format): number =>
    weights.get(CONTENT_TYPES[format]) ?? (format === 'jpeg' ? any : 0);
  let best: Format = 'jpeg';
  for (const format of FORMATS.toReversed()) {
    const weight = weightOf(format);
    if (weight > 0 && weight >= weightOf(best)) best = format;
  }
  return best;
}

/** Parses "image/webp;q=0.8" as type and weight; an invalid weight counts as 1. */
function readPart(part: string): [string, number] {
  const [type = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
  const weight = Number(parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1);
  return [type, weight >= 0 && weight <= 1 ? weight : 1];
}
