import type { Page } from 'playwright-core';
import { choosePackage as choose } from '../browser/people.ts';
import type { Say } from '../harness/texts.ts';
import {
  answering,
  type Area,
  asItsBuyer,
  beforeItsWorker,
  certificatePage,
  ofOrder,
  failing,
  loading,
  openDialog,
  orderPage,
  press,
  type Screen,
  withSatellite,
} from './screen.ts';

/** The panel below the packages comes a moment later. */
async function choosePackage(page: Page, say: Say, name: Parameters<typeof choose>[2]): Promise<void> {
  await choose(page, say, name);
  await page.getByText(say('checkout:method.title'), { exact: true }).first().waitFor();
}

/** A code without a typing error. */
const CODE = 'K7QF-M2XD-9WBN';

/** A gift whose answer is faked, so that it looks the same on every copy. */
const GIFT = `/g/${'g'.repeat(22)}`;

const gift = {
  token: 'g'.repeat(22),
  shortId: '06BBE0',
  status: 'planted',
  trees: 5,
  assignedDate: '2026-12-01T15:00:00Z',
  plantingDate: '2026-12-12T14:40:00Z',
  assignedWorker: { name: 'Marleny Ospina', region: 'Quindío' },
  location: 'La Carbonera, vereda Cocora, Salento, Quindío',
  coordinates: { latitude: 4.637214, longitude: -75.487031 },
  photos: [],
  timeline: [],
  from: 'Emma',
  recipientName: 'Ana María Gómez',
  message: 'Feliz cumpleaños, Ana.\nQue crezcan contigo y den sombra por muchos años.',
  card: 'night',
  language: 'es',
};

const unplanted = {
  ...gift,
  status: 'pending',
  assignedDate: undefined,
  plantingDate: undefined,
  assignedWorker: undefined,
  location: undefined,
  coordinates: undefined,
};

const ofGift = (answer: object) => ({ path: GIFT, given: answering({ '**/api/gifts/*': answer }) });

const CHECKOUT = '/plant-trees';
const withPackage =
  (name: Parameters<typeof choose>[2]): NonNullable<Screen['prepare']> =>
  (page, _data, say) =>
    choosePackage(page, say, name);

export const PUBLIC: Area = [
  { name: 'landing', path: '/' },
  { name: 'not-found', path: '/no-such-page' },
  {
    name: 'landing-menu',
    path: '/',
    // Only phones have it.
    prepare: async (page, _data, say) => {
      await page.setViewportSize({ width: 360, height: 780 });
      await page.getByRole('button', { name: say('nav.openMenu') }).click();
    },
  },
  { name: 'landing-stats-loading', path: '/', given: answering({ '**/api/stats': 'never' }) },
  { name: 'help', path: '/help' },
  { name: 'privacy', path: '/privacy' },
  { name: 'terms', path: '/terms' },
  { name: 'verify', path: '/verify' },
  {
    name: 'verify-refused',
    path: '/verify',
    prepare: async (page, _data, say) => {
      await page.getByLabel(say('certificate:verify.code'), { exact: true }).fill('K7QF-M2XD-9WBU');
      await page.getByRole('button', { name: say('certificate:verify.submit'), exact: true }).click();
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') });
      await page.getByText(say('certificate:verify.problem.noCode')).waitFor();
    },
  },
  { name: 'certificate', path: certificatePage('certified') },
  { name: 'certificate-revoked', path: certificatePage('revoked') },
  {
    name: 'certificate-superseded',
    path: `/c/${CODE}`,
    given: answering({
      '**/api/certificates/*': {
        code: CODE,
        state: 'superseded',
        version: 1,
        issuedAt: '2026-12-14T15:00:00Z',
        newest: { code: '0000-0000-0000', version: 2 },
        name: null,
        language: 'en',
        trees: 10_000,
        place: 'La Carbonera, vereda Cocora, Salento, Quindío',
        country: 'CO',
        plantedOn: '2026-12-12',
        plantedBy: 'Marleny',
        growthUpdates: 0,
        issuer: 'Arboleda S.A.S. BIC',
      },
    }),
  },
  { name: 'certificate-unknown', path: `/c/${CODE}` },
  { name: 'certificate-mistyped', path: '/c/K7QF-M2XD-9WBU' },
  { name: 'certificate-failed', path: `/c/${CODE}`, ...failing('**/api/certificates/*') },
  { name: 'certificate-loading', path: `/c/${CODE}`, ...loading('**/api/certificates/*') },
  { name: 'gift', ...ofGift(gift) },
  {
    name: 'gift-one-tree',
    ...ofGift({ ...unplanted, trees: 1, card: 'sapling', language: 'en', message: '' }),
  },
  { name: 'gift-withdrawn', ...ofGift({ ...unplanted, withdrawn: true, refunded: true, card: 'forest' }) },
  { name: 'gift-unknown', path: `/g/${'x'.repeat(22)}` },
  { name: 'gift-loading', path: GIFT, ...loading('**/api/gifts/*') },
  { name: 'gift-stop', path: `${GIFT}/stop` },
  {
    name: 'checkout-gift',
    path: '/plant-trees?gift',
    prepare: async (page, _data, say) => {
      await page.getByLabel(say('gift:form.name'), { exact: true }).fill('Ana María Gómez');
      await page.getByLabel(say('gift:form.message'), { exact: true }).fill('Feliz cumpleaños, Ana.');
    },
  },
  { name: 'checkout', path: CHECKOUT },
  { name: 'checkout-card', path: CHECKOUT, prepare: withPackage('grove') },
  {
    name: 'checkout-custom',
    path: CHECKOUT,
    prepare: async (page, _data, say) => {
      await choosePackage(page, say, 'custom');
      await page.getByLabel(say('checkout:count'), { exact: true }).fill('10000');
    },
  },
  {
    name: 'checkout-transfer',
    path: CHECKOUT,
    prepare: async (page, _data, say) => {
      await choosePackage(page, say, 'patch');
      await page
        .getByRole('radio', { name: say('checkout:method.transfer.name', { bank: 'Bancolombia' }) })
        .check();
      await page.getByText(say('checkout:transfer.holder'), { exact: true }).waitFor();
    },
  },
  {
    name: 'checkout-too-few',
    path: CHECKOUT,
    prepare: async (page, _data, say) => {
      await choosePackage(page, say, 'custom');
      await page.getByLabel(say('checkout:count'), { exact: true }).fill('0');
      await page.keyboard.press('Tab');
    },
  },
  {
    name: 'checkout-stripe-blocked',
    path: CHECKOUT,
    given: (page) => page.route(/stripe|\/v3/, (route) => route.abort()),
    prepare: withPackage('grove'),
  },
  {
    name: 'checkout-prices-failed',
    path: CHECKOUT,
    given: answering({ '**/api/pricing/*': 'failed' }),
    prepare: withPackage('grove'),
  },
  {
    name: 'order-thanks',
    path: ofOrder('assigned', ({ token }) => `/orders/${token}?redirect_status=succeeded`),
  },
  { name: 'order-pending', path: orderPage('assigned'), given: beforeItsWorker },
  { name: 'order-assigned', path: orderPage('assigned') },
  // Without consent: the drawing that is not this place.
  { name: 'order-planted', path: orderPage('planted') },
  { name: 'order-satellite', path: orderPage('planted'), given: withSatellite },
  { name: 'order-completed', path: orderPage('completed') },
  { name: 'order-certificate', path: orderPage('certified') },
  {
    name: 'order-certificate-change',
    path: orderPage('certified'),
    prepare: press('certificate:own.change'),
  },
  { name: 'order-certificate-revoked', path: orderPage('revoked') },
  {
    name: 'order-gift-change',
    path: orderPage('giftWaiting'),
    prepare: asItsBuyer('giftWaiting', (gift, say) =>
      gift.getByRole('button', { name: say('gift:own.change') }).click(),
    ),
  },
  { name: 'order-gift-claimed', path: orderPage('giftClaimed'), prepare: asItsBuyer('giftClaimed') },
  { name: 'order-refunded', path: orderPage('refunded') },
  { name: 'order-withdraw', path: orderPage('assigned'), prepare: openDialog('withdrawal:open') },
  { name: 'order-withdrawing', path: orderPage('withdrawing') },
  {
    name: 'order-withdrawing-keep',
    path: orderPage('withdrawing'),
    prepare: openDialog('withdrawal:keep.open'),
  },
  { name: 'order-growing', path: orderPage('growing') },
  { name: 'order-large', path: orderPage('large') },
  { name: 'order-album', path: orderPage('album') },
  { name: 'order-transfer-waiting', path: orderPage('transferWaiting') },
  { name: 'order-transfer-rejected', path: orderPage('transferRejected') },
  { name: 'order-unknown', path: `/orders/${'x'.repeat(22)}` },
  { name: 'order-failed', path: orderPage('completed'), ...failing('**/api/track/*') },
  { name: 'order-loading', path: orderPage('completed'), ...loading('**/api/track/*') },
];
