import { PHOTO_FILES } from './photo-files.ts';

/** Small files that are what they say, and some that are not. */
const PICTURES = {
  ...PHOTO_FILES,
  text: Buffer.from('not a picture'),
  empty: Buffer.alloc(0),
  svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  cut: PHOTO_FILES.jpeg.subarray(0, 40),
};

export type PictureName = keyof typeof PICTURES;

export const picture = {
  names: Object.keys(PICTURES) as PictureName[],
  blob: (name: PictureName) => new Blob([new Uint8Array(PICTURES[name])]),
  filename: (name: PictureName) => `${name}.jpg`,
};
