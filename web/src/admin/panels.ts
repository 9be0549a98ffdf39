import { lazy, type ComponentType } from 'react';
import type { TextNamespace } from '../i18n/texts.ts';
import type { OpenSession } from '../portal/Gate.tsx';

export interface PanelProps {
  session: OpenSession<'admin'>;
}

interface Panel {
  /** In a chunk of its own. */
  Component: ComponentType<PanelProps>;
  /** Texts beside those of the dashboard. */
  texts: readonly TextNamespace[];
}

const panel = (load: () => Promise<ComponentType<PanelProps>>, ...texts: TextNamespace[]): Panel => ({
  Component: lazy(async () => ({ default: await load() })),
  texts,
});

/** Every part of the dashboard, by its name in the address: `?view=orders`. A folder each. */
export const PANELS = {
  orders: panel(() => import('./orders/OrdersPanel.tsx').then((m) => m.OrdersPanel)),
} satisfies Record<string, Panel>;

export type PanelName = keyof typeof PANELS;

/** The panel that an address names; the orders for anything else. */
export const panelOf = (view: string | null): PanelName =>
  view !== null && view in PANELS ? (view as PanelName) : 'orders';
