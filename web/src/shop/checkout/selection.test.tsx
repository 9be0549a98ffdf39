import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { inDollars } from '../../api/package-prices.ts';
import { changeDraft, clearDraft, currentDraft, reloadDraft } from '../../order/purchase/draft.ts';
import { missingOf } from './PayActions.tsx';
import { countProblem, totalOf } from './selection.ts';

describe('draft', () => {
  afterEach(() => {
    jest.restoreAllMocks();
    sessionStorage.clear();
    reloadDraft();
  });

  test('survives a reload with input, selection and attempt', () => {
    changeDraft({
      packageType: 'grove',
      method: { kind: 'transfer', bank: 'bancolombia' },
      phone: '300 555 0142',
      sending: { key: 'k', tries: [] },
    });
    reloadDraft();
    expect(currentDraft()).toMatchObject({
      packageType: 'grove',
      method: { kind: 'transfer', bank: 'bancolombia' },
      phone: '300 555 0142',
      sending: { key: 'k' },
    });
  });

  test('lasts as long as the page when storage is missing or full', () => {
    const refuse = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse);
    jest.spyOn(Storage.prototype, 'getItem').mockImplementation(refuse);
    changeDraft({ name: 'Sofía', attempt: { key: 'k', fingerprint: 'f' } });
    expect(currentDraft()).toMatchObject({ name: 'Sofía', attempt: { key: 'k' } });
  });

  test('ignores foreign values in storage', () => {
    sessionStorage.setItem('arboleda.checkout', '{not json');
    reloadDraft();
    expect(currentDraft()).toMatchObject({ name: '', method: { kind: 'card' }, customTrees: '3' });
  });

  test('keeps the buyer and clears the purchase after payment', () => {
    changeDraft({
      packageType: 'custom',
      customTrees: '7',
      name: 'Sofía',
      reference: 'ARB-1',
      sending: { key: 'k', tries: [] },
    });
    clearDraft();
    expect(currentDraft()).toMatchObject({ packageType: undefined, customTrees: '3', name: 'Sofía' });
    expect(currentDraft().sending ?? currentDraft().reference).toBeUndefined();
  });
});

const whole = { name: 'Sofía', email: 'sofia@correo.co', hasPrice: true, ofMethod: undefined };

test('requires name, email and the card library for a card payment', () => {
  expect(missingOf(whole)).toEqual([]);
  expect(missingOf({ ...whole, name: ' ', email: '', ofMethod: 'card' })).toEqual(['name', 'email', 'card']);
});

test('requires the amount and a picture for a transfer', () => {
  expect(missingOf({ ...whole, hasPrice: false })).toEqual(['price']);
  expect(missingOf({ ...whole, hasPrice: false, ofMethod: 'evidence' })).toEqual(['price', 'evidence']);
});

test('charges list prices for fixed packages, and shows the saving against single trees', () => {
  const prices = inDollars();
  expect(totalOf({ packageType: 'grove', customTrees: '10' }, prices)).toEqual({
    trees: 5,
    amountMinor: 2000,
    savingMinor: 500,
    currency: 'USD',
  });
  expect(totalOf({ packageType: 'patch', customTrees: '10' }, prices).savingMinor).toBe(3000);
});

test('charges the single price per tree for a custom count', () => {
  expect(totalOf({ packageType: 'custom', customTrees: '12' }, inDollars())).toMatchObject({
    trees: 12,
    amountMinor: 6000,
  });
});

test.each([
  ['', 'at-least-one'],
  ['  ', 'at-least-one'],
  ['0', 'at-least-one'],
  ['-3', 'at-least-one'],
  ['2e3', 'not-whole'],
  ['10.5', 'not-whole'],
  ['many', 'not-whole'],
  ['1 2', 'not-whole'],
  ['1', undefined],
  ['007', undefined],
  ['2 000', undefined],
  ['2.000', undefined],
  ['2,000', undefined],
  ['10000', undefined],
  ['10001', 'at-most'],
])('a custom count of %s: %s', (customTrees, problem) => {
  expect(countProblem({ packageType: 'custom', customTrees })).toBe(problem);
  expect(countProblem({ packageType: 'grove', customTrees })).toBeUndefined();
});
