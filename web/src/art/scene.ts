/** One picture in its formats and widths; `…Night` is the twin for dark pages, where one was drawn. */
export interface Scene {
  avif: string;
  webp: string;
  avifNight?: string;
  webpNight?: string;
  src: string;
  width: number;
  height: number;
}
