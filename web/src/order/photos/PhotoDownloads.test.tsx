import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { unzipSync } from 'fflate';
import { refusal } from '../../test/fixtures.ts';
import { openOrderPage, plantedOrder } from '../../test/order-page.tsx';
import { fakeApi, lastOf } from '../../test/server.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

describe('downloads', () => {
  const saved: { name: string; file: Blob }[] = [];
  const clickLink = HTMLAnchorElement.prototype.click;
  beforeEach(() => {
    let file: Blob;
    saved.length = 0;
    URL.createObjectURL = (given) => ((file = given as Blob), 'blob:photo');
    HTMLAnchorElement.prototype.click = function () {
      saved.push({ name: this.download, file });
    };
  });
  afterEach(() => {
    HTMLAnchorElement.prototype.click = clickLink;
  });
  const photo = ({ url }: { url: string }) => ({ body: new Blob([url], { type: 'image/jpeg' }) });

  test('one photo as JPEG in its largest size, from its full view', async () => {
    let works = false;
    const requests = fakeApi({
      'GET /api/track/{token}': () => ({ body: plantedOrder }),
      'GET /api/photos/{filename}': (request) => (works ? photo(request) : 'lost'),
    });
    await openOrderPage();
    fireEvent.click(await screen.findByRole('button', { name: /^Photo 2 of 2/ }));
    const get = await screen.findByRole('button', { name: 'Download this photo' });
    fireEvent.click(get);
    await screen.findByText('The photo could not be downloaded. Try again.');
    works = true;
    fireEvent.click(get);
    await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['arboleda-7F3A9C-02.jpg']));
    const { url, headers } = lastOf(requests, 'GET /api/photos/{filename}')!;
    expect(url).toBe('/api/photos/two.jpg?w=1600');
    expect(headers.accept).toBe('image/jpeg');
  });

  test('all photos in one zip file, without one that was hidden a moment ago', async () => {
    fakeApi({
      'GET /api/track/{token}': () => ({
        body: {
          ...plantedOrder,
          photos: ['one.jpg', 'gone.jpg', 'two.jpg'].map((filename) => ({
            ...plantedOrder.photos[0],
            filename,
          })),
        },
      }),
      'GET /api/photos/{filename}': (request) =>
        request.url.includes('gone') ? refusal(404, 'not-found') : photo(request),
    });
    await openOrderPage();
    fireEvent.click(await screen.findByRole('button', { name: 'Download all 3 photos' }));
    await screen.findByText('The photos are in your downloads.');
    const [{ name, file }] = saved as [(typeof saved)[number]];
    expect(name).toBe('arboleda-7F3A9C.zip');
    const photos = unzipSync(new Uint8Array(await file.arrayBuffer()));
    expect(Object.entries(photos).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)])).toEqual([
      ['arboleda-7F3A9C-01.jpg', '/api/photos/one.jpg?w=1600'],
      ['arboleda-7F3A9C-03.jpg', '/api/photos/two.jpg?w=1600'],
    ]);
  });

  test('nothing of an album of which a photo did not come', async () => {
    fakeApi({
      'GET /api/track/{token}': () => ({ body: plantedOrder }),
      'GET /api/photos/{filename}': (request) => (request.url.includes('two') ? 'lost' : photo(request)),
    });
    await openOrderPage('', 'es');
    fireEvent.click(await screen.findByRole('button', { name: 'Descargar las 2 fotos' }));
    await screen.findByText('No pudimos traer todas las fotos. Revisa la conexión e intenta de nuevo.');
    expect(saved).toEqual([]);
  });
});
