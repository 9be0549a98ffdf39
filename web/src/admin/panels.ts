import { lazy, type ComponentType } from 'react';
import type { TextNamespace } from '../i18n/texts.ts';
import type { PanelProps } from './panel.ts';

interface Panel {
  /** In a chunk of its own. */
  Component: ComponentType<PanelProps>;
  /** One of the two tabs of the product spec, section 2. The others are set quieter. */
  isMain: boolean;
  /** Texts beside those of the dashboard. */
  texts: readonly TextNamespace[];
}

type Load = () => Promise<ComponentType<PanelProps>>;

const panel = (load: Load, isMain: boolean, ...texts: TextNamespace[]): Panel => ({
  Component: lazy(async () => ({ default: await load() })),
  isMain,
  texts,
});
const main = (load: Load, ...texts: TextNamespace[]) => panel(load, true, ...texts);
const other = (load: Load) => panel(load, false, 'desk');

/** Every part of the dashboard in the order of its tabs, by its name in the address: `?view=orders`. */
export const PANELS = {
  transfers: main(() => import('./transfers/TransfersPanel.tsx').then((m) => m.TransfersPanel), 'desk'),
  orders: main(() => import('./orders/OrdersPanel.tsx').then((m) => m.OrdersPanel)),
  overview: other(() => import('./overview/OverviewPanel.tsx').then((m) => m.OverviewPanel)),
  payments: other(() => import('./payments/PaymentsPanel.tsx').then((m) => m.PaymentsPanel)),
  workers: other(() => import('./workers/WorkersPanel.tsx').then((m) => m.WorkersPanel)),
  mails: other(() => import('./mails/MailsPanel.tsx').then((m) => m.MailsPanel)),
  photos: other(() => import('./photos/PhotosPanel.tsx').then((m) => m.PhotosPanel)),
  security: other(() => import('./security/SecurityPanel.tsx').then((m) => m.SecurityPanel)),
} satisfies Record<string, Panel>;

export type PanelName = keyof typeof PANELS;

export const PANEL_NAMES = Object.keys(PANELS) as PanelName[];

/** The panel that an address names; the orders for anything else. */
export const panelOf = (view: string | null): PanelName =>
  view !== null && view in PANELS ? (view as PanelName) : 'orders';

/** Where a panel is. Filters of another panel do not come along. */
export const addressOf = (name: PanelName): string => `?view=${name}`;
