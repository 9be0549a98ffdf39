/** Target size of an image. Layers are shared, so all images together are far smaller than their sum. */
const AIM_BYTES = 250e6;

/** The latest tag of each image in `docker image ls`, by name. */
export const imageNames = (listed: string): string[] =>
  listed
    .split('\n')
    .filter((name) => name.endsWith(':latest'))
    .map((name) => name.replace(/:latest$/, ''))
    .sort();

/** One line per image, in MB as docker counts them (10⁶ bytes). */
export function sizeTable(images: readonly { name: string; bytes: number }[]): string {
  const width = Math.max(...images.map(({ name }) => name.length));
  return images
    .map(({ name, bytes }) => {
      const size = `${name.padEnd(width)} ${String(Math.round(bytes / 1e6)).padStart(5)} MB`;
      return bytes > AIM_BYTES ? `${size}   more than ${AIM_BYTES / 1e6}` : size;
    })
    .join('\n');
}
