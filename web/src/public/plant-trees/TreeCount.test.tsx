import { afterEach, expect, test } from '@jest/globals';
import { act } from '@testing-library/react';
import { hydrateRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { startI18n } from '../../i18n/setup.ts';
import { changeDraft, currentDraft, reloadDraft } from './draft.ts';
import { TreeCount } from './TreeCount.tsx';

/** It wants a MessageChannel, which jsdom lacks, for what is not asked of it here. */
async function prerenderer() {
  const held = globalThis.MessageChannel;
  globalThis.MessageChannel = class {
    port1 = {};
    port2 = {};
  } as unknown as typeof MessageChannel;
  const { renderToString } = await import('react-dom/server');
  globalThis.MessageChannel = held;
  return renderToString;
}
const renderToString = await prerenderer();

afterEach(() => {
  sessionStorage.clear();
  reloadDraft();
});

/** The app takes over a prerendered page, in which something may have been typed. @returns what the field says then */
async function takeOver(typed?: string): Promise<string> {
  const page = document.createElement('div');
  const i18n = await startI18n('en');
  await i18n.loadNamespaces(['checkout']);
  const count = (
    <I18nextProvider i18n={i18n}>
      <TreeCount onUse={() => undefined} />
    </I18nextProvider>
  );
  page.innerHTML = renderToString(count);
  const field = page.querySelector('input')!;
  if (typed !== undefined) field.value = typed;
  const root = await act(() => hydrateRoot(page, count));
  const { value } = field;
  act(() => root.unmount());
  return value;
}

test('a number typed before the app was there stays', async () => {
  expect(await takeOver('7')).toBe('7');
  expect(currentDraft().customTrees).toBe('7');
});

test('a number typed while the app takes the page over stays', async () => {
  changeDraft({ customTrees: '7' });
  expect(await takeOver()).toBe('7');
  expect(currentDraft().customTrees).toBe('7');
});
