/** Type by magic bytes, whatever the name: accepted, not decodable by the server, or no photo. */
export type FileKind = 'accepted' | 'heic' | 'other';

const HEIC_BRANDS = /^(hei[cxms]|hev[cxms]|mif1|msf1)$/;
const AVIF_BRANDS = /^avi[fs]$/;

export function kindOf(file: ArrayBuffer): FileKind {
  const head = String.fromCharCode(...new Uint8Array(file.slice(0, 12)));
  if (head.slice(4, 8) === 'ftyp') {
    const brand = head.slice(8, 12);
    if (HEIC_BRANDS.test(brand)) return 'heic';
    return AVIF_BRANDS.test(brand) ? 'accepted' : 'other';
  }
  const isWebp = head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP';
  const isAccepted = isWebp || ['\xff\xd8\xff', '\x89PNG', 'GIF8'].some((start) => head.startsWith(start));
  return isAccepted ? 'accepted' : 'other';
}
