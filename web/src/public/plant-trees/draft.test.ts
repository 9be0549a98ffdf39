import { afterEach, expect, jest, test } from '@jest/globals';
import { changeDraft, clearDraft, currentDraft, reloadDraft } from './draft.ts';

afterEach(() => {
  jest.restoreAllMocks();
  sessionStorage.clear();
  reloadDraft();
});

test('what was typed, chosen and begun is there after a reload', () => {
  changeDraft({
    packageType: 'grove',
    method: 'bancolombia',
    phone: '300 555 0142',
    sending: { key: 'k', tries: [] },
  });
  reloadDraft();
  expect(currentDraft()).toMatchObject({
    packageType: 'grove', method: 'bancolombia', phone: '300 555 0142', sending: { key: 'k' },
  }); // prettier-ignore
});

test('in a browser that keeps nothing, or is full, the draft lives as long as the page', () => {
  const refuse = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  jest.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse);
  jest.spyOn(Storage.prototype, 'getItem').mockImplementation(refuse);
  changeDraft({ name: 'Sofía', attempt: { key: 'k', fingerprint: 'f' } });
  expect(currentDraft()).toMatchObject({ name: 'Sofía', attempt: { key: 'k' } });
});

test('what somebody else left in the store is no draft', () => {
  sessionStorage.setItem('arboleda.checkout', '{not json');
  reloadDraft();
  expect(currentDraft()).toMatchObject({ name: '', method: 'stripe', customTrees: '10' });
});

test('after paying, who bought stays and what was bought goes', () => {
  changeDraft({
    packageType: 'custom',
    customTrees: '7',
    name: 'Sofía',
    reference: 'ARB-1',
    sending: { key: 'k', tries: [] },
  });
  clearDraft();
  expect(currentDraft()).toMatchObject({ packageType: undefined, customTrees: '10', name: 'Sofía' });
  expect(currentDraft().sending ?? currentDraft().reference).toBeUndefined();
});
