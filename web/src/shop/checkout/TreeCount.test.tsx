import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { act } from '@testing-library/react';
import type * as Server from 'react-dom/server';
import { hydrateRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { startI18n } from '../../i18n/setup.ts';
import { changeDraft, currentDraft, reloadDraft } from '../../order/purchase/draft.ts';
import { TreeCount } from './TreeCount.tsx';

describe('TreeCount', () => {
  /** The import needs a MessageChannel, which jsdom lacks, although this test never uses it. */
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

  let renderToString: typeof Server.renderToString;

  beforeAll(async () => {
    renderToString = await prerenderer();
  });

  afterEach(() => {
    sessionStorage.clear();
    reloadDraft();
  });

  /** Hydrates a prerendered page, optionally after typing. @returns the field's value afterwards */
  async function hydrate(typed?: string): Promise<string> {
    const page = document.createElement('div');
    const i18n = await startI18n('en');
    await i18n.loadNamespaces(['checkout']);
    const count = (
      <I18nextProvider i18n={i18n}>
        <TreeCount total={undefined} onUse={() => undefined} />
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

  test('keeps a number typed before hydration', async () => {
    expect(await hydrate('7')).toBe('7');
    expect(currentDraft().customTrees).toBe('7');
  });

  test('keeps a number typed during hydration', async () => {
    changeDraft({ customTrees: '7' });
    expect(await hydrate()).toBe('7');
    expect(currentDraft().customTrees).toBe('7');
  });
});
