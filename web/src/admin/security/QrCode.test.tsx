import { afterEach, expect, test } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import decode from 'qr/decode.js';
import { QrCode } from './QrCode.tsx';

afterEach(cleanup);

const ADDRESS =
  'otpauth://totp/Arboleda:carolina%40arboleda.test?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Arboleda';
const PIXELS = 4;

/** What a camera sees of the drawing: dark squares of one module each on a light ground. */
function pictureOf(svg: SVGElement) {
  const modules = Number(svg.getAttribute('viewBox')!.split(' ')[2]);
  const side = modules * PIXELS;
  const data = new Uint8ClampedArray(side * side * 4).fill(255);
  const dark = svg.querySelectorAll('path')[1]!.getAttribute('d')!;
  for (const [, x, y] of dark.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let at = 0; at < PIXELS * PIXELS; at++) {
      const column = Number(x) * PIXELS + (at % PIXELS);
      const row = Number(y) * PIXELS + Math.floor(at / PIXELS);
      data.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3);
    }
  return { width: side, height: side, data };
}

test('another program reads from the drawing what it was made of, and a screen reader what it is', () => {
  render(<QrCode text={ADDRESS} label="QR code with the key" />);
  const svg = screen.getByRole('img', { name: 'QR code with the key' });
  expect(decode(pictureOf(svg as unknown as SVGElement))).toBe(ADDRESS);
  expect(svg.querySelectorAll('image, style, script')).toHaveLength(0);
});
