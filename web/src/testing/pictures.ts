/** Magic bytes of each picture type, enough for type detection. */
export const PICTURES = {
  jpg: Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0),
  png: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
  gif: Uint8Array.of(0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0, 0),
};

/** @param more number of bytes to append */
export const pictureFile = (name: string, start: Uint8Array<ArrayBuffer>, more = 0): File =>
  new File([start, new Uint8Array(more)], name, { type: `image/${name.split('.').pop()}` });
