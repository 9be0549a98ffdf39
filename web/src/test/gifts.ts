import { afterEach, beforeEach } from '@jest/globals';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import type { OwnGift, ReceivedGift } from '../order/gift/gifts.ts';

export const TOKEN = 'gifttokengifttokengift';

export const received = (changes: Partial<ReceivedGift> = {}): ReceivedGift => ({
  token: TOKEN,
  shortId: '06BBE0',
  status: 'pending',
  trees: 5,
  from: 'Emma',
  recipientName: 'Ana Gómez',
  message: 'Happy birthday, Ana.',
  card: 'night',
  language: 'en',
  photos: [],
  timeline: [],
  ...changes,
});

export const shared = {
  state: 'waiting',
  card: 'valley',
  recipientName: 'Ana',
  deliverOn: '2026-12-24',
  timeZone: 'America/Bogota',
  byHand: false,
} as const;

export const own = (changes: Partial<OwnGift> = {}): OwnGift => ({
  ...shared,
  recipientName: 'Ana Gómez',
  recipientEmail: 'ana@mail.test',
  message: 'Happy birthday, Ana.',
  language: 'es',
  deliverAt: '2026-12-24T14:00:00Z',
  ...changes,
});

export const bought: NonNullable<ReceivedGift['growth']>[number] = {
  photoPackageType: 'first_year',
  purchasedAt: '2026-12-13T10:00:00Z',
  visits: [{ number: 1, of: 3, dueAt: '2099-03-13T10:00:00Z' }],
};

export const saved: string[] = [];

beforeEach(() => {
  saved.length = 0;
  URL.createObjectURL = () => 'blob:file';
  HTMLAnchorElement.prototype.click = function () {
    saved.push(this.download);
  };
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});

export const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
export const type = (name: string, value: string) =>
  fireEvent.change(screen.getByLabelText(name), { target: { value } });
export const keys = (requests: readonly { key: string }[]) => requests.map(({ key }) => key);
