import { ORGANISATION } from '@arboleda/contracts/organisation.ts';
import { LANGUAGES } from '@arboleda/contracts/roles.ts';
import { describe, expect, test } from '@jest/globals';
import { linksOf, type MailFacts, type MailKind, writeMail } from './index.ts';
import { isForDonor, isNews, MAIL_KINDS as KINDS, SAMPLES } from './kinds.ts';
import { unsubscribeUrl } from './links.ts';
import { addressed, called, cardName, firstName, masked, point, updateDates, wordsIn } from './words.ts';

const SITE = 'https://arboleda.test';

const ORDER_LINK = `${SITE}/orders/Zk3vX1qTz8mYw2LpQe7R9a`;

const write = <Kind extends MailKind>(
  kind: Kind,
  language: 'en' | 'es' = 'en',
  changes: Partial<MailFacts[Kind]> = {},
  name = 'Lucía Peña',
) =>
  writeMail({ kind, facts: { ...SAMPLES[kind], ...changes }, to: { name, language } }, SITE, newsToken(kind));

const newsToken = (kind: MailKind) => (isNews(kind) ? 'news-token' : undefined);

const unescaped = (html: string) =>
  html.replace(/&(?:amp|#x3D);/g, (entity) => (entity === '&amp;' ? '&' : '='));

const everyMail = KINDS.flatMap((kind) => LANGUAGES.map((language) => [kind, language] as const));

describe.each(everyMail)('the email "%s" in %s', (kind, language) => {
  const { subject, html, text } = write(kind, language);
  const { nextStep, ...others } = linksOf({ kind, facts: SAMPLES[kind] }, SITE, newsToken(kind));

  test('has one next step, in HTML and text, and only the order’s and unsubscribe links besides', () => {
    const all = [nextStep, ...Object.values(others)];
    const links = [...html.matchAll(/href="([^"]+)"/g)].map((match) => unescaped(match[1]!));
    expect(new Set(links)).toEqual(new Set(all));
    expect(html.match(/class="button"/g)).toHaveLength(1);
    expect(text.match(/https:\/\/\S+/g)).toEqual(all);
  });

  test('links a donor to their order', () => {
    expect(text.includes(ORDER_LINK)).toBe(isForDonor(kind));
  });

  test('contains all facts in both formats', () => {
    expect(`${subject}${html}${text}`).not.toMatch(/undefined|null|NaN|\[object/);
    expect(html).toContain(`<html lang="${language}">`);
    expect(text).not.toMatch(/[<>]/);
    expect(subject.length).toBeLessThan(70);
  });

  test('has no exclamation marks', () => {
    expect(`${subject}${text}`).not.toContain('!');
  });

  test('supports dark mode', () => {
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('@media (prefers-color-scheme: dark)');
  });

  test('loads nothing but pictures of the trees, from our site, each with a text for readers who block them', () => {
    expect(html).not.toMatch(/<(script|link|iframe)\b|url\(|@import/i);
    const pictures = [...html.matchAll(/<img\b[^>]*>/g)].map(([picture]) => unescaped(picture));
    expect(pictures).toHaveLength({ photos: 3, planted: 1, gift: 1 }[kind as string] ?? 0);
    for (const picture of pictures) {
      expect(picture).toMatch(
        / src="https:\/\/arboleda\.test\/(api\/photos\/[\w-]{22}\.jpg\?w=800|mail\/(planted|gift-valley)\.jpg)"/,
      );
      expect(picture).toMatch(/ alt="[^"]{10,}"/);
    }
  });
});

/** Texts by people, in no language of ours. */
interface Quoted {
  reason?: string;
  message?: string;
  gift?: { thanks?: string };
}

describe('both languages', () => {
  test.each(KINDS)('differ in every line of "%s"', (kind) => {
    const [english, spanish] = [write(kind, 'en'), write(kind, 'es')];
    expect(english.subject).not.toBe(spanish.subject);
    const lines = (text: string) => text.split('\n').filter((line) => /[a-z]{3}/i.test(line));
    const shared = lines(english.text).filter((line) => lines(spanish.text).includes(line));
    const { reason = '', message = '', gift } = SAMPLES[kind] as Quoted;
    const quoted = `${reason}\n${message}\n${gift?.thanks ?? ''}`.split('\n');
    const own = shared.filter(
      (line) => !line.startsWith('https://') && !line.includes(ORGANISATION.legalName),
    );
    expect(own.filter((line) => !quoted.some((words) => words !== '' && line.includes(words)))).toEqual([]);
  });
});

describe('text by people', () => {
  const evil = `<img src=x onerror=alert(1)>"'&`;

  test('is escaped everywhere', () => {
    const planter = { name: evil, region: evil };
    const mails = [
      write('assigned', 'en', { planter }),
      write('planted', 'es', { planter, place: evil }),
      write('worker-assigned', 'en', { region: evil }, evil),
      write('photos', 'en', { filenames: [evil], place: evil }),
      write('receipt', 'es', { planter }, evil),
      write('receipt', 'en', { transactionId: evil, card: { brand: evil, last4: evil } }, evil),
      write('verify-email', 'es', { token: evil }, evil),
      write('transfer-rejected', 'es', { reason: evil }, evil),
      write('worker-unassigned', 'en', { reason: evil }, evil),
      write('growth-visit-due', 'en', { location: evil }, evil),
      write('growth-update', 'es', { planter }, evil),
      write('transfer-received', 'es', { referenceNumber: evil }, evil),
      write('gift', 'en', { from: evil, message: evil }, evil),
      write('gift-thanks', 'es', { gift: { recipientName: evil, thanks: evil } }, evil),
      write('gift-bounced', 'en', { gift: { recipientName: evil, recipientEmail: evil } }, evil),
    ];
    for (const { html } of mails) {
      expect(html).not.toContain('<img src=x');
      expect(html).not.toMatch(/="[^"]*onerror=alert\(1\)>"/);
    }
  });

  test('cannot change a link', () => {
    const { html } = write('completed', 'en', { orderToken: '//evil.example/' });
    for (const [, href] of html.matchAll(/href="([^"]+)"/g)) {
      expect(new URL(href!).origin).toBe(SITE);
    }
  });
});

describe('the text of an email', () => {
  test('gives the law’s days as days in Colombia, wherever the organisation is', () => {
    process.env.ORGANISATION_TIME_ZONE = 'Asia/Tokyo';
    const words = wordsIn('en');
    expect(words.day('2026-12-23T04:59:59.999Z')).toBe('23 December 2026');
    expect(words.colombianDay('2026-12-23T04:59:59.999Z')).toBe('22 December 2026');
    delete process.env.ORGANISATION_TIME_ZONE;
    const { text } = write('withdrawal-requested', 'en');
    expect(text).toContain('Money back by: 6 December 2026');
    expect(text).toMatch(/Received on: 22 November 2026 at 10:00.am GMT-5/);
    expect(text).toContain('You asked us: To cancel this purchase and give all of the money back');
    expect(write('withdrawal-requested', 'es').text).toContain('Dinero de vuelta: 6 de diciembre de 2026');
  });

  test('promises the time to verify a transfer', () => {
    expect(write('transfer-received', 'en').text).toContain('will be verified within 24-48 hours');
    expect(write('transfer-received', 'es').text).toContain('en 24 a 48 horas');
  });

  test('quotes the reason of a rejection, before how to retry', () => {
    const reason = 'No <match>\nNot even close';
    const { text, html } = write('transfer-rejected', 'en', { reason });
    expect(text).toContain(`«${reason}»\n\nTo try again, order once more`);
    expect(html).toContain('white-space:pre-line');
    expect(html).toContain('No &lt;match&gt;\nNot even close</blockquote>');
  });

  test('lists months for a package bought before planting, dates for one bought after', () => {
    const { text } = write('photo-package', 'en', { startsAt: undefined, photoPackageType: 'first_year' });
    expect(text).toContain('3, 6 and 12 months after planting');
    expect(text).not.toContain('2027');
    const soon = write('photo-package', 'es', { startsAt: undefined }).text;
    expect(soon).toContain('enseguida, y 6, 12, 18, 24, 30 y 36 meses después de la siembra');
    expect(write('photo-package', 'en').text).toContain('2027: June and December');
  });

  test('says what a refund means for the trees only when it is full', () => {
    expect(write('refunded', 'en').text).toContain('your 5 trees will not be planted');
    expect(write('refunded', 'en', { isPlanted: true }).text).toContain('stays in the ground');
    const part = write('refunded', 'es', { isFull: false, amountMinor: 1_000_000, refundedMinor: 3_000_000 });
    expect(part.text).not.toMatch(/no se sembrar|en tierra/);
    expect(part.text).toMatch(/Devolución: COP\s10\.000/);
    expect(part.text).toMatch(/Devuelto en total: COP\s30\.000/);
  });

  test('names the former worker to the new one', () => {
    const { text } = write('assigned', 'en', { previous: 'Carlos Gil', isPlanted: true });
    expect(text).toContain('Ana Lucía Ríos now looks after your 5 trees.');
    expect(text).toContain('has taken over your order from Carlos Gil.');
    expect(text).not.toContain('will plant');
  });

  test('marks the last growth update', () => {
    expect(write('growth-update', 'en', { number: 3 }).text).toContain('the last update');
    expect(write('growth-update', 'en').text).not.toContain('the last update');
  });

  test('distinguishes a reminder from the first notice', () => {
    expect(write('growth-visit-due', 'en').subject).toMatch(/^Growth visit 2 of 3 is due/);
    expect(write('growth-visit-due', 'en', { reminders: 1 }).subject).toMatch(/^Reminder/);
  });

  test('masks a new address to somebody who may not be its owner', () => {
    expect(write('email-changed', 'en').text).toContain('l…a@example.org');
    expect(write('email-changed', 'en').text).not.toContain('lucia.pena');
  });

  test('handles planting by an unknown worker', () => {
    const { text } = write('planted', 'en', { planter: undefined, place: undefined, coordinates: undefined });
    expect(text).toContain('They were planted on 25 November 2026.');
    expect(text).not.toMatch(/Place|Planted by/);
  });

  test('uses the singular for one tree', () => {
    expect(write('receipt', 'en', { trees: 1 }).text).toContain(
      'Thank you, Lucía. We have your payment for your tree.',
    );
    expect(write('receipt', 'es', { trees: 1 }).text).toContain(
      'Gracias, Lucía. Recibimos el pago de tu árbol.',
    );
    expect(write('planted', 'es', { trees: 1 }).subject).toBe('Tu árbol ya está sembrado');
    for (const kind of ['assigned', 'planted', 'photos', 'completed'] as const) {
      expect(write(kind, 'en', { trees: 1 }).text).not.toMatch(/your (5 )?trees|\bthem\b/);
    }
  });

  test('formats money for the reader’s language', () => {
    expect(write('receipt', 'en').text).toMatch(/Paid: COP\s82,300/);
    expect(write('receipt', 'es').text).toMatch(/Pagado: COP\s82\.300/);
    expect(write('receipt', 'en', { amountMinor: 3000, currency: 'JPY' }).text).toMatch(/Paid: JPY\s3,000\n/);
  });

  test('names the card when there was one', () => {
    expect(write('receipt', 'en').text).toContain('Card: Visa ···· 4242');
    expect(write('receipt', 'en', { card: undefined }).text).not.toContain('Card');
  });

  test('falls back to the region without a place', () => {
    const { text } = write('planted', 'en', { place: undefined, coordinates: undefined });
    expect(text).toContain('Place: Quindío');
    expect(text).not.toContain('Coordinates');
  });

  test('names the buyer of a gift as its sender, unless the name could be read as a link', () => {
    expect(write('gift', 'en').fromName).toBe('Lucía Peña via Arboleda');
    expect(write('gift', 'es').fromName).toBe('Lucía Peña por medio de Arboleda');
    for (const from of [undefined, 'pay.example.org', 'hola@banco.example', 'a'.repeat(61), 'A <b@c>']) {
      const mail = write('gift', 'en', { from });
      expect(mail.fromName).toBeUndefined();
      expect(mail.subject).toBe('A gift for you: 5 trees');
      if (from) expect(mail.text).not.toContain(from);
    }
  });

  test('of a gift quotes its message, and none when none was written', () => {
    const { text, html } = write('gift', 'en', {}, 'Mateo Ríos');
    expect(text).toContain('Mateo, Lucía Peña has given you 5 trees.');
    expect(text).toContain('Lucía writes:\n\n«Feliz cumpleaños, Mateo.\nQue crezcan tan altos como tú.»');
    expect(html).toContain('/mail/gift-valley.jpg');
    expect(write('gift', 'en', { message: '' }).text).not.toMatch(/writes|«/);
    expect(write('gift', 'en', { trees: 1 }).text).not.toMatch(/\bthey\b|\bthem\b|5 trees/);
    expect(write('gift', 'es', { trees: 1 }).text).not.toMatch(/crecen|5 árboles|\blos siembra/);
  });

  test('of a gift from before the rule names no bank as sender, and has no stranger’s link', () => {
    const mail = write('gift', 'es', {
      from: 'Bancolombia Seguridad',
      message: 'Reclama tu premio en evil punto com',
    });
    expect(mail.fromName).toBeUndefined();
    expect(`${mail.subject}${mail.text}${mail.html}`).not.toMatch(/Bancolombia|evil/);
    const thanks = write('gift-thanks', 'en', { gift: { recipientName: 'Mateo', thanks: 'See evil.com' } });
    expect(thanks.text).not.toContain('evil');
  });

  test('says in the receipt of a gift to whom and when it goes', () => {
    const gift = { recipientName: 'Mateo Ríos', deliverOn: '2026-12-24' };
    for (const kind of ['receipt', 'transfer-received', 'transfer-approved'] as const) {
      expect(write(kind, 'en', { gift }).text).toContain('Your gift goes to Mateo Ríos on 24 December 2026.');
      expect(write(kind, 'es', { gift }).text).toContain(
        'Tu regalo llega a Mateo Ríos el 24 de diciembre de 2026.',
      );
      expect(write(kind, 'en').text).not.toContain('gift');
    }
  });

  test('goes on without the name of an erased recipient', () => {
    for (const kind of [
      'gift-sent',
      'gift-bounced',
      'gift-refused',
      'gift-claimed',
      'gift-thanks',
    ] as const) {
      const { text } = write(kind, 'en', { gift: undefined });
      expect(text).toMatch(/[Tt]he recipient/);
      expect(text).not.toMatch(/Mateo|undefined/);
    }
  });

  test('about given trees leads their recipient to their own page, without the order’s link or words', () => {
    const given = { orderToken: undefined, giftToken: 'hY7kPq2WvN5sXc8bTz3LmA' } as const;
    for (const language of LANGUAGES) {
      for (const kind of ['planted', 'photos', 'completed', 'growth-update', 'photo-package'] as const) {
        const { text } = write(kind, language, { ...given });
        expect(text).toContain(`${SITE}/g/${given.giftToken}\n`);
        expect(text).not.toMatch(/\/orders\/|[Yy]our order|[Tt]u pedido|bought with this|con tu dirección/);
      }
    }
  });

  test('shows workers no data of the donor', () => {
    const { text } = write('worker-assigned', 'es', {}, 'Ana Ríos');
    expect(text).toContain('Ana, tienes 5 árboles por sembrar.');
    expect(text).not.toContain(SAMPLES.receipt.orderToken);
  });
});

const expiresAt = '2026-11-22T20:00:00Z';

test('puts tokens into the fragment, which no server receives', () => {
  const links = [
    linksOf({ kind: 'verify-email', facts: { token: 'a&b#c', expiresAt } }, SITE),
    linksOf({ kind: 'reset-password', facts: { token: 't', expiresAt, role: 'worker' } }, SITE),
    linksOf({ kind: 'worker-invited', facts: { token: 't', expiresAt, code: 'QU-1' } }, SITE),
    linksOf({ kind: 'confirm-email', facts: { token: 't', expiresAt, email: 'a@b.co' } }, SITE),
  ];
  expect(links.map(({ nextStep }) => nextStep)).toEqual([
    `${SITE}/verify-email#token=a%26b%23c`,
    `${SITE}/reset-password#role=worker&token=t`,
    `${SITE}/reset-password#role=worker&token=t`,
    `${SITE}/confirm-email#token=t`,
  ]);
});

test('links each person to their own portal', () => {
  const portal = (role: 'customer' | 'worker' | 'admin') =>
    linksOf({ kind: 'password-changed', facts: { role, at: expiresAt } }, SITE).nextStep;
  expect(portal('customer')).toBe(`${SITE}/customer-portal`);
  expect(portal('worker')).toBe(`${SITE}/worker-portal`);
  expect(portal('admin')).toBe(`${SITE}/admin-dashboard`);
});

test('includes the private link when the next step is another page', () => {
  const order = `${SITE}/orders/${SAMPLES.receipt.orderToken}`;
  const about = { help: `${SITE}/help`, privacy: `${SITE}/privacy`, terms: `${SITE}/terms` };
  expect(linksOf({ kind: 'receipt', facts: SAMPLES.receipt }, SITE)).toEqual({ nextStep: order, ...about });
  expect(linksOf({ kind: 'transfer-rejected', facts: SAMPLES['transfer-rejected'] }, SITE)).toEqual({
    nextStep: `${SITE}/plant-trees`,
    order,
    ...about,
  });
});

test('lets readers unsubscribe from updates by page and by mail program', () => {
  expect(linksOf({ kind: 'photos', facts: SAMPLES.photos }, SITE, 'the-token').preferences).toBe(
    `${SITE}/mail-preferences#token=the-token`,
  );
  expect(unsubscribeUrl(SITE, 'the-token')).toBe(`${SITE}/api/mail/unsubscribe/the-token`);
});

const LATE = '2026-11-22T03:30:00Z';

const en = wordsIn('en');

const es = wordsIn('es');

describe('emails', () => {
  test('use days in Colombia', () => {
    expect(en.day(LATE)).toBe('21 November 2026');
    expect(es.day(LATE)).toBe('21 de noviembre de 2026');
  });

  test('name the time zone of times', () => {
    expect(en.moment(LATE)).toMatch(/^21 November 2026 at 10:30.pm GMT-5$/);
    expect(es.moment(LATE)).toMatch(/^21 de noviembre de 2026.*10:30.p\.\sm\..*(COT|GMT-5)$/);
  });

  test('use plural rules of the language', () => {
    expect([1, 5, 1200].map((count) => en.counted(count, 'tree', 'trees'))).toEqual([
      '1 tree',
      '5 trees',
      '1,200 trees',
    ]);
    expect([1, 1200].map((count) => es.counted(count, 'árbol', 'árboles'))).toEqual([
      '1 árbol',
      '1.200 árboles',
    ]);
    expect([en.list([3, 6, 12]), es.list([3, 6, 12])]).toEqual(['3, 6 and 12', '3, 6 y 12']);
  });

  test('greet people by first name', () => {
    expect(firstName('  Lucía  Peña ')).toBe('Lucía');
    expect(firstName('Lucía\nPeña')).toBe('Lucía');
    expect(addressed('Thank you', 'Ñañez Ruiz')).toBe('Thank you, Ñañez');
    expect(called('Ana Ríos', 'tienes 5 árboles.')).toBe('Ana, tienes 5 árboles.');
  });

  test.each(['www.example.com wins', 'https://evil.example', 'eve@example.com', 'a'.repeat(31), '   '])(
    'omit the name %j, which could be read as a link',
    (name) => {
      expect(addressed('Gracias', name)).toBe('Gracias');
      expect(called(name, '¿este es tu correo?')).toBe('¿Este es tu correo?');
    },
  );

  test('write coordinates for maps', () => {
    expect(point({ latitude: 4.6, longitude: -75.48765432 })).toBe('4.600000, -75.487654');
  });

  test('use common names of card brands', () => {
    expect(cardName({ brand: 'visa', last4: '4242' })).toBe('Visa ···· 4242');
    expect(cardName({ brand: 'amex', last4: '0005' })).toBe('American Express ···· 0005');
  });

  test('mask addresses so that only their owner recognizes them', () => {
    expect(masked('lucia.pena@example.org')).toBe('l…a@example.org');
    expect(masked('lu@example.org')).toBe('l…@example.org');
    expect(masked('l@example.org')).toBe('l@example.org');
  });
});

describe('growth updates', () => {
  test('are due the given months after planting or purchase', () => {
    expect(updateDates('first_year', '2026-12-03T20:00:00Z')).toEqual([
      '2027-03-03T20:00:00.000Z',
      '2027-06-03T20:00:00.000Z',
      '2027-12-03T20:00:00.000Z',
    ]);
    expect(updateDates('three_year', '2026-12-03T20:00:00Z')[0]).toBe('2026-12-03T20:00:00.000Z');
    expect(updateDates('lifetime', '2026-12-03T20:00:00Z')).toHaveLength(10);
  });

  test('stay within a shorter month', () => {
    expect(updateDates('first_year', '2026-11-30T20:00:00Z')[0]).toBe('2027-02-28T20:00:00.000Z');
  });

  test('are listed by month', () => {
    const dates = updateDates('first_year', '2026-12-03T20:00:00Z');
    expect(en.monthsByYear(dates)).toEqual([['2027', 'March, June and December']]);
    expect(es.monthsByYear(dates)).toEqual([['2027', 'marzo, junio y diciembre']]);
  });
});
