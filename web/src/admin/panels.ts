import { lazy, type ComponentType } from 'react';
import type { TextNamespace } from '../i18n/texts.ts';
import type { PanelProps } from './panel.ts';

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
  transfers: panel(() => import('./transfers/TransfersPanel.tsx').then((m) => m.TransfersPanel), 'desk'),
  overview: panel(() => import('./overview/OverviewPanel.tsx').then((m) => m.OverviewPanel), 'desk'),
  payments: panel(() => import('./payments/PaymentsPanel.tsx').then((m) => m.PaymentsPanel), 'desk'),
  workers: panel(() => import('./workers/WorkersPanel.tsx').then((m) => m.WorkersPanel), 'desk'),
  mails: panel(() => import('./mails/MailsPanel.tsx').then((m) => m.MailsPanel), 'desk'),
  photos: panel(() => import('./photos/PhotosPanel.tsx').then((m) => m.PhotosPanel), 'desk'),
  security: panel(() => import('./security/SecurityPanel.tsx').then((m) => m.SecurityPanel), 'desk'),
} satisfies Record<string, Panel>;

export type PanelName = keyof typeof PANELS;

/** The panel that an address names; the orders for anything else. */
export const panelOf = (view: string | null): PanelName =>
  view !== null && view in PANELS ? (view as PanelName) : 'orders';
