import { expect, test } from '@jest/globals';
import { decideVisibility } from './moderation.ts';
import type { Photo } from './photo.ts';

const photo: Photo = {
  _id: 'photo-1',
  filename: 'AAAAAAAAAAAAAAAAAAAAAA.jpg',
  assignmentId: 'assignment-1',
  orderId: '0'.repeat(24),
  workerId: 'worker-1',
  originalName: 'IMG_1.jpg',
  contentType: 'image/jpeg',
  sizeBytes: 1000,
  uploadedAt: '2026-03-01T16:00:00.000Z',
  state: 'ready',
  variants: [{ nominalWidth: 320, width: 320, height: 240 }],
};
const by = { role: 'admin', id: 'admin-1', name: 'Ana' } as const;
const at = '2026-03-02T00:00:00.000Z';
const hide = { isHidden: true, reason: 'a face', by, at };
const restore = { isHidden: false, reason: 'no face after all', by, at };

test('a photo is hidden once, with who, when and why, and the world hears of it', () => {
  const change = decideVisibility(photo, hide)!;
  expect(change.document).toMatchObject({ hidden: hide, decisions: [hide] });
  expect(change.events).toEqual([
    {
      type: 'photo.hidden',
      data: {
        orderId: photo.orderId,
        assignmentId: 'assignment-1',
        photoId: 'photo-1',
        filename: photo.filename,
        by,
        reason: 'a face',
        at,
      },
    },
  ]);
  expect(decideVisibility(change.document, { ...hide, reason: 'another' })).toBeUndefined();
});

test('a restored photo remembers that it was hidden', () => {
  const { document } = decideVisibility(decideVisibility(photo, hide)!.document, restore)!;
  expect(document.hidden).toBeUndefined();
  expect(document.decisions!.map(({ reason }) => reason)).toEqual(['a face', 'no face after all']);
});

test('two decisions of one moment are told one after the other', () => {
  const change = decideVisibility(decideVisibility(photo, hide)!.document, restore)!;
  expect(change.events).toMatchObject([{ type: 'photo.restored', data: { at: '2026-03-02T00:00:00.001Z' } }]);
});

test('of a photo that nobody heard of nothing is told yet', () => {
  const change = decideVisibility({ ...photo, state: 'accepted', variants: [] }, hide)!;
  expect(change.events).toEqual([]);
  expect(change.document.hidden).toEqual(hide);
});

test('what is shown need not be restored', () => {
  expect(decideVisibility(photo, restore)).toBeUndefined();
});
