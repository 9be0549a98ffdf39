import { LANGUAGES } from '@arboleda/contracts/roles.ts';
import { describe, expect, test } from '@jest/globals';
import { type MailKind, type MailFacts, writeMail } from './index.ts';
import { SAMPLES } from './samples.ts';

const SITE = 'https://arboleda.test';
const ORDER_LINK = `${SITE}/orders/Zk3vX1qTz8mYw2LpQe7R9a`;
const KINDS = Object.keys(SAMPLES) as MailKind[];
const write = <Kind extends MailKind>(
  kind: Kind,
  language: 'en' | 'es' = 'en',
  changes: Partial<MailFacts[Kind]> = {},
  name = 'Lucía Peña',
) => writeMail({ kind, facts: { ...SAMPLES[kind], ...changes }, to: { name, language } }, SITE);

const everyMail = KINDS.flatMap((kind) => LANGUAGES.map((language) => [kind, language] as const));

describe.each(everyMail)('the mail "%s" in %s', (kind, language) => {
  const { subject, html, text } = write(kind, language);
  const link = {
    'worker-assigned': `${SITE}/worker-portal`,
    'verify-email': `${SITE}/verify-email#token=q2bq0wTj1m6V3r5Zt8Yw0xCkPnLh4sGfDaEuIoRvBzM`,
  } as Partial<Record<MailKind, string>>;

  test('has one next step, in HTML and in text', () => {
    const next = link[kind] ?? ORDER_LINK;
    const links = [...html.matchAll(/href="([^"]+)"/g)].map((match) => match[1]);
    expect(new Set(links)).toEqual(new Set([next]));
    expect(html.match(/class="button"/g)).toHaveLength(1);
    expect(text.match(/https:\/\/\S+/g)).toEqual([next]);
  });

  test('says all that it knows, twice', () => {
    expect(`${subject}${html}${text}`).not.toMatch(/undefined|null|NaN|\[object/);
    expect(html).toContain(`<html lang="${language}">`);
    expect(text).not.toMatch(/[<>]/);
    expect(subject.length).toBeLessThan(70);
  });

  test('speaks quietly', () => {
    expect(`${subject}${text}`).not.toContain('!');
  });

  test('is at home in the dark, too', () => {
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('@media (prefers-color-scheme: dark)');
  });

  test('loads nothing from anywhere', () => {
    expect(html).not.toMatch(/<(img|script|link|iframe)\b|url\(|@import/i);
  });
});

describe('the two languages', () => {
  test.each(KINDS)('differ in every line of "%s"', (kind) => {
    const [english, spanish] = [write(kind, 'en'), write(kind, 'es')];
    expect(english.subject).not.toBe(spanish.subject);
    const lines = (text: string) => text.split('\n').filter((line) => /[a-z]{3}/i.test(line));
    const shared = lines(english.text).filter((line) => lines(spanish.text).includes(line));
    expect(shared.filter((line) => !line.startsWith('https://'))).toEqual([]);
  });
});

describe('values from people', () => {
  const evil = `<img src=x onerror=alert(1)>"'&`;

  test('do not become HTML, wherever they stand', () => {
    const planter = { name: evil, region: evil };
    const mails = [
      write('assigned', 'en', { planter }),
      write('planted', 'es', { planter, place: evil }),
      write('worker-assigned', 'en', { region: evil }, evil),
      write('receipt', 'en', { transactionId: evil, card: { brand: evil, last4: evil } }, evil),
      write('verify-email', 'es', { token: evil }, evil),
    ];
    for (const { html } of mails) {
      expect(html).not.toContain('<img');
      expect(html).not.toMatch(/="[^"]*onerror=alert\(1\)>"/);
    }
  });

  test('cannot lead a link elsewhere', () => {
    const { html } = write('completed', 'en', { orderToken: '//evil.example/' });
    for (const [, href] of html.matchAll(/href="([^"]+)"/g)) {
      expect(new URL(href!).origin).toBe(SITE);
    }
  });
});

describe('what a mail says', () => {
  test('one tree is one tree', () => {
    expect(write('receipt', 'en', { trees: 1 }).text).toContain('Thank you, Lucía. Your tree is paid for.');
    expect(write('receipt', 'es', { trees: 1 }).text).toContain('Gracias, Lucía. Tu árbol está pagado.');
    expect(write('planted', 'es', { trees: 1 }).subject).toBe('Tu árbol ya está en tierra');
    for (const kind of ['assigned', 'planted', 'photos', 'completed'] as const) {
      expect(write(kind, 'en', { trees: 1 }).text).not.toMatch(/your (5 )?trees|\bthem\b/);
    }
  });

  test('money is written as the reader is used to', () => {
    expect(write('receipt', 'en').text).toMatch(/Paid: COP\s82,300\.00/);
    expect(write('receipt', 'es').text).toMatch(/Pagado: COP\s82\.300,00/);
    expect(write('receipt', 'en', { amountMinor: 3000, currency: 'JPY' }).text).toMatch(/Paid: JPY\s3,000\n/);
  });

  test('the card is named when there was one', () => {
    expect(write('receipt', 'en').text).toContain('Card: Visa ···· 4242');
    expect(write('receipt', 'en', { card: undefined }).text).not.toContain('Card');
  });

  test('where nothing was said of the place, the region stands', () => {
    const { text } = write('planted', 'en', { place: undefined, coordinates: undefined });
    expect(text).toContain('Place: Quindío');
    expect(text).not.toContain('Coordinates');
  });

  test('a worker reads nothing of who paid', () => {
    const { text } = write('worker-assigned', 'es', {}, 'Ana Ríos');
    expect(text).toContain('Ana, tienes 5 árboles por sembrar.');
    expect(text).not.toContain(SAMPLES.receipt.orderToken);
  });
});
