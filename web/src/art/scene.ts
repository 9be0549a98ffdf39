/** One picture in its formats and widths; `…Night` is the dark variant, where one exists. */
export interface Scene {
  avif: string;
  webp: string;
  avifNight?: string;
  webpNight?: string;
  src: string;
  width: number;
  height: number;
}
