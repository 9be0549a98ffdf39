import type { CertificateCode } from '@arboleda/contracts/certificate-code.ts';
import type { Change } from '@arboleda/chassis/records.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import type { Problem } from '@arboleda/contracts/problems.ts';
import { describe, expect, test } from '@jest/globals';
import { decidePayment } from '../order/creation.ts';
import type { Order, Photo } from '../order/order.ts';
import { decideStep } from '../order/step.ts';
import { assigned, completed, minute, newOrderId, payment, planted } from '../test/builders.ts';
import { LUCIA } from '../test/event-builders.ts';
import {
  decideCertificate,
  decideRevocation,
  factsOf,
  photoOf,
  versionOf,
  withCertificate,
} from './certificate.ts';
import type { Certificate } from './versions.ts';

const orderId = newOrderId();
const at = minute(120);
const code = (n: number) => `code-${n}` as CertificateCode;
const newCode = () => code(9);
const paid: Order = decidePayment(undefined, payment({ orderId }).data)!.record;
const grown = (...steps: Parameters<typeof decideStep>[1][]) =>
  steps.reduce((order, step) => decideStep(order, step)!.record, paid);
const inGround = grown(assigned(orderId), planted(orderId));
const done = grown(assigned(orderId), planted(orderId), completed(orderId));
const FACTS = {
  trees: 5,
  place: 'Finca La Esperanza, Salento',
  plantedOn: '2026-11-21',
  plantedBy: 'Ana',
  growthUpdates: 0,
};
const version = (n: number, facts = FACTS) => ({ code: code(n), issuedAt: minute(60), facts });
const certificate = (changes: Partial<Certificate> = {}): Certificate => ({
  name: 'María José',
  language: 'es',
  versions: [version(1)],
  ...changes,
});
const certified = (changes: Partial<Certificate> = {}, order = inGround): Order => ({
  ...order,
  certificate: certificate(changes),
});
const unpaid: Order = { ...inGround, manualPayment: { verificationStatus: 'pending' } as never };
const notPlanted: Order = { ...paid, certificate: certificate() };
const visit = (completedAt?: string) => ({ completedAt }) as never;
const photo = (filename: string, hidden = false) =>
  ({ filename, ...(hidden && { shown: { hidden, by: LUCIA } }) }) as unknown as Photo;
const byAdmin = { at: minute(70), cause: 'admin' as const, reason: 'a mistake' };
const refusal = (decide: () => unknown): string | undefined => {
  try {
    decide();
  } catch (error) {
    return (error as Problem).type;
  }
  return undefined;
};
const lastLine = ({ record }: Change<Order>) => record.timeline.at(-1);

describe('what a certificate says', () => {
  test('is what the order says of planted and paid trees', () => {
    expect(factsOf(inGround)).toEqual(FACTS);
    expect(factsOf(done)).toEqual({ ...FACTS, completedOn: '2026-11-21' });
    for (const order of [paid, grown(assigned(orderId)), unpaid]) expect(factsOf(order)).toBeUndefined();
  });

  test('takes the region where no place is known, and no worker where none is', () => {
    expect(factsOf({ ...inGround, location: undefined })).toEqual({ ...FACTS, place: 'Quindío' });
    const alone = { ...inGround, location: undefined, progress: { ...inGround.progress, worker: undefined } };
    expect(factsOf(alone as never)).toEqual({ trees: 5, plantedOn: '2026-11-21', growthUpdates: 0 });
    const named = { ...inGround.progress, worker: { name: '  Luz  Marina Paz ', region: 'Cauca' } };
    expect(factsOf({ ...inGround, progress: named } as never)).toMatchObject({ plantedBy: 'Luz' });
  });

  test('counts the visits that were made, in order of their days', () => {
    const growth = [
      { visits: [visit('2027-05-01T02:00:00Z'), visit()] },
      { visits: [visit('2027-02-01T12:00:00Z')] },
    ] as never;
    expect(factsOf({ ...inGround, growth })).toEqual({
      ...FACTS,
      growthUpdates: 2,
      lastGrowthUpdateOn: '2027-04-30',
    });
  });

  test('shows the first photo that is not hidden', () => {
    const photos = [photo('a.webp', true), photo('b.webp'), photo('c.webp')];
    expect(factsOf({ ...inGround, photos })).toEqual({ ...FACTS, photo: 'b.webp' });
    const found = {
      order: { ...inGround, photos },
      version: version(1, { ...FACTS, photo: 'a.webp' } as never),
    };
    expect(photoOf(found)).toBeUndefined();
    expect(photoOf({ ...found, version: version(1, { ...FACTS, photo: 'c.webp' } as never) })).toBe('c.webp');
  });
});

describe('a certificate that is asked for', () => {
  const asked = (order: Order, more = {}, recipient?: { role: 'customer' }) =>
    decideCertificate(order, { name: 'María José', language: 'es', ...more }, { at, newCode, recipient });

  test('is issued in the name of its donor', () => {
    const changed = asked(inGround)!;
    expect(changed.record.certificate).toEqual(certificate({ versions: [{ ...version(9), issuedAt: at }] }));
    expect(changed.events).toEqual([
      { type: 'certificate.issued', data: { orderId, code: code(9), version: 1, because: 'requested', at } },
    ]);
    const by = { role: 'customer', name: paid.customer.name };
    expect(lastLine(changed)).toEqual({ at, type: 'certificate_issued', by, version: 1 });
  });

  test('is another version with another name or language, and none with the same', () => {
    expect(asked(certified())).toBeUndefined();
    for (const more of [{ name: null }, { language: 'en' }]) {
      const changed = asked(certified(), more)!;
      expect(changed.record.certificate).toEqual({
        ...certificate(),
        ...more,
        versions: [version(1), { ...version(9), issuedAt: at }],
      });
      expect(changed.events).toMatchObject([{ data: { code: code(9), version: 2 } }]);
    }
  });

  test('by the recipient of a gift says that they named it, also when the donor is erased', () => {
    const erased = { ...inGround, customer: { ...paid.customer, ...ERASED_CUSTOMER } };
    const changed = asked(erased, {}, { role: 'customer' })!;
    expect(changed.record.certificate).toMatchObject({ namedByRecipient: true });
    expect(lastLine(changed)).toMatchObject({ by: { role: 'customer' } });
    expect(refusal(() => asked(erased))).toBe('certificate-erased');
  });

  test.each([
    ['certificate-not-yet', paid],
    ['certificate-not-yet', unpaid],
    ['certificate-revoked', certified({ revoked: byAdmin })],
    [
      'too-many-requests',
      certified({ name: 'x', versions: Array.from({ length: 50 }, (_, n) => version(n)) }),
    ],
  ])('is refused: %s', (type, order) => expect(refusal(() => asked(order))).toBe(type));

  test('may be the fiftieth, and comes back from a revocation of the product itself', () => {
    const many = certified({ name: 'x', versions: Array.from({ length: 49 }, (_, n) => version(n)) });
    expect(asked(many)!.record.certificate!.versions).toHaveLength(50);
    const revoked = certified({ name: 'x', revoked: { at, cause: 'not_planted' } });
    expect(asked(revoked)!.record.certificate).not.toHaveProperty('revoked');
  });
});

describe('a revocation', () => {
  test('by an admin is for good, and noted once', () => {
    const changed = decideRevocation(certified(), { reason: 'a mistake', by: LUCIA, at })!;
    expect(changed.record.certificate).toEqual(
      certificate({ revoked: { at, cause: 'admin', reason: 'a mistake' } }),
    );
    expect(changed.events).toEqual([
      {
        type: 'certificate.revoked',
        data: { orderId, code: code(1), cause: 'admin', reason: 'a mistake', at },
      },
    ]);
    expect(lastLine(changed)).toEqual({
      at,
      type: 'certificate_revoked',
      by: LUCIA,
      cause: 'admin',
      reason: 'a mistake',
    });
    expect(decideRevocation(changed.record, { reason: 'x', by: LUCIA, at })).toBeUndefined();
    expect(decideRevocation(inGround, { reason: 'x', by: LUCIA, at })).toBeUndefined();
    const other = certified({ revoked: { at, cause: 'withdrawn' } });
    expect(decideRevocation(other, { reason: 'x', by: LUCIA, at })!.record.certificate!.revoked!.cause).toBe(
      'admin',
    );
  });
});

describe('a certificate follows its order', () => {
  const before = certified();
  const follow = (record: Order, from: Order | undefined = before) => {
    const change: Change<Order> = {
      record,
      events: [{ type: 'order.updated', data: {} } as never],
      jobs: [],
    };
    return { change, after: withCertificate(from, change, { at, newCode }) };
  };

  test.each([
    ['there is none', inGround],
    ['an admin revoked it', { ...notPlanted, certificate: certificate({ revoked: byAdmin }) }],
    ['it says what is true', before],
    [
      'it is revoked already',
      { ...notPlanted, certificate: certificate({ revoked: { at, cause: 'not_planted' } }) },
    ],
    ['only its language differs', certified({ language: 'en' })],
    [
      'a version with another name was just made',
      certified({ name: 'x', versions: [version(1), version(2)] }),
    ],
  ])('and stays as it is when %s', (_when, record) => {
    const { change, after } = follow(record);
    expect(after).toBe(change);
  });

  test('and says what is true now, besides what the change says', () => {
    const { after } = follow({ ...before, trees: 6 });
    expect(after.record.certificate).toEqual(
      certificate({ versions: [version(1), { code: code(9), issuedAt: at, facts: { ...FACTS, trees: 6 } }] }),
    );
    expect(after.events).toEqual([
      { type: 'order.updated', data: {} },
      { type: 'certificate.issued', data: { orderId, code: code(9), version: 2, because: 'record', at } },
    ]);
    expect(lastLine(after)).toEqual({ at, type: 'certificate_issued', by: { role: 'system' }, version: 2 });
    expect(after.jobs).toEqual([]);
  });

  test('and gets a version without the name of a donor who was erased', () => {
    const { after } = follow(certified({ name: null }));
    expect(after.record.certificate).toEqual(
      certificate({ name: null, versions: [version(1), { ...version(9), issuedAt: at }] }),
    );
    const unknown = certified({ name: null });
    expect(withCertificate(undefined, { record: unknown }, { at, newCode }).record).toBe(unknown);
    const none = follow(certified({ name: null }), inGround);
    expect(none.after).toBe(none.change);
  });

  test('and is revoked once its trees are not planted, or given back', () => {
    for (const [record, cause] of [
      [notPlanted, 'not_planted'],
      [{ ...notPlanted, isGivenBack: true }, 'withdrawn'],
    ] as const) {
      const { after } = follow(record);
      expect(after.record.certificate).toEqual(certificate({ revoked: { at, cause, reason: undefined } }));
      expect(after.events).toEqual([
        { type: 'order.updated', data: {} },
        { type: 'certificate.revoked', data: { orderId, code: code(1), cause, at } },
      ]);
      expect(lastLine(after)).toEqual({ at, type: 'certificate_revoked', by: { role: 'system' }, cause });
      expect(after.jobs).toEqual([]);
    }
  });

  test('and is valid again when they are', () => {
    const { after } = follow(certified({ revoked: { at, cause: 'not_planted' } }));
    expect(after.record.certificate).toEqual(
      certificate({ versions: [version(1), { ...version(9), issuedAt: at }] }),
    );
    expect(after.events![1]).toMatchObject({ data: { because: 'reinstated', version: 2 } });
  });
});

describe('a version that is looked for', () => {
  const order = certified({ versions: [version(1), version(2)] });

  test('is valid, superseded or revoked', () => {
    expect(versionOf(order, code(1))).toEqual({
      order,
      certificate: order.certificate,
      version: version(1),
      number: 1,
      state: 'superseded',
    });
    expect(versionOf(order, code(2))).toMatchObject({ number: 2, state: 'valid' });
    const revoked = certified({ versions: [version(1), version(2)], revoked: byAdmin });
    for (const n of [1, 2]) expect(versionOf(revoked, code(n)).state).toBe('revoked');
  });

  test('is unknown', () => {
    for (const [of, n] of [
      [order, 3],
      [inGround, 1],
      [undefined, 1],
    ] as const)
      expect(refusal(() => versionOf(of, code(n)))).toBe('certificate-unknown');
  });
});
