import { lazy, type ComponentType } from 'react';
import type { TextNamespace } from '../i18n/texts.ts';
import type { PanelProps } from './panel.ts';

interface Panel {
  Component: ComponentType<PanelProps>;
  /** One of the product spec's two tabs (section 2); the others are less prominent. */
  isMain: boolean;
  /** Text namespaces besides the dashboard's. */
  texts: readonly TextNamespace[];
}

type Load = () => Promise<ComponentType<PanelProps>>;

const panel = (load: Load, isMain: boolean, ...texts: TextNamespace[]): Panel => ({
  Component: lazy(async () => ({ default: await load() })),
  isMain,
  texts,
});
const main = (load: Load, ...texts: TextNamespace[]) => panel(load, true, ...texts);
const other = (load: Load, ...texts: TextNamespace[]) => panel(load, false, 'desk', ...texts);

/** All panels in the order of their tabs, by name in the address: `?view=orders`. */
export const PANELS = {
  transfers: main(() => import('./transfers/TransfersPanel.tsx').then((m) => m.TransfersPanel), 'desk'),
  orders: main(() => import('./orders/OrdersPanel.tsx').then((m) => m.OrdersPanel)),
  overview: other(() => import('./overview/OverviewPanel.tsx').then((m) => m.OverviewPanel)),
  payments: other(() => import('./payments/PaymentsPanel.tsx').then((m) => m.PaymentsPanel)),
  statements: other(
    () => import('./statements/StatementsPanel.tsx').then((m) => m.StatementsPanel),
    'statements',
  ),
  workers: other(() => import('./workers/WorkersPanel.tsx').then((m) => m.WorkersPanel)),
  mails: other(() => import('./mails/MailsPanel.tsx').then((m) => m.MailsPanel)),
  photos: other(() => import('./photos/PhotosPanel.tsx').then((m) => m.PhotosPanel)),
  security: other(() => import('./security/SecurityPanel.tsx').then((m) => m.SecurityPanel)),
} satisfies Record<string, Panel>;

export type PanelName = keyof typeof PANELS;

export const PANEL_NAMES = Object.keys(PANELS) as PanelName[];

export const panelOf = (view: string | null): PanelName =>
  view !== null && view in PANELS ? (view as PanelName) : 'orders';

export const addressOf = (name: PanelName): string => `?view=${name}`;
