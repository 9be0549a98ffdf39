import { lazy, type ComponentType } from 'react';
import type { Permission } from '@arboleda/contracts/permissions.ts';
import type { TextNamespace } from '../i18n/texts.ts';
import type { PanelProps } from './panel.ts';

interface Panel {
  Component: ComponentType<PanelProps>;
  /** One of the product spec's two tabs (section 2); the others are less prominent. */
  isMain: boolean;
  /** Admins without this permission do not see the tab. */
  needs: Permission;
  /** Text namespaces besides the dashboard's. */
  texts: readonly TextNamespace[];
}

type Load = () => Promise<ComponentType<PanelProps>>;

const panel =
  (isMain: boolean, ...common: TextNamespace[]) =>
  (needs: Permission, load: Load, ...texts: TextNamespace[]): Panel => ({
    Component: lazy(async () => ({ default: await load() })),
    isMain,
    needs,
    texts: [...common, ...texts],
  });
const main = panel(true);
const other = panel(false, 'panels');

/** All panels in the order of their tabs, by name in the address: `?view=orders`. */
export const PANELS = {
  transfers: main(
    'payments:read',
    () => import('./transfers/TransfersPanel.tsx').then((m) => m.TransfersPanel),
    'panels',
  ),
  orders: main('orders:read', () => import('./orders/OrdersPanel.tsx').then((m) => m.OrdersPanel)),
  overview: other('figures:read', () => import('./overview/OverviewPanel.tsx').then((m) => m.OverviewPanel)),
  payments: other('payments:read', () => import('./payments/PaymentsPanel.tsx').then((m) => m.PaymentsPanel)),
  statements: other(
    'payments:read',
    () => import('./statements/StatementsPanel.tsx').then((m) => m.StatementsPanel),
    'statements',
  ),
  workers: other('workers:read', () => import('./workers/WorkersPanel.tsx').then((m) => m.WorkersPanel)),
  mails: other('emails:read', () => import('./mails/MailsPanel.tsx').then((m) => m.MailsPanel)),
  photos: other('photos:read', () => import('./photos/PhotosPanel.tsx').then((m) => m.PhotosPanel)),
  admins: other('admins:read', () => import('./admins/AdminsPanel.tsx').then((m) => m.AdminsPanel), 'admins'),
  audit: other('audit-log:read', () => import('./audit/AuditPanel.tsx').then((m) => m.AuditPanel), 'audit'),
  security: other('own-account', () => import('./security/SecurityPanel.tsx').then((m) => m.SecurityPanel)),
} satisfies Record<string, Panel>;

export type PanelName = keyof typeof PANELS;

export const PANEL_NAMES = Object.keys(PANELS) as PanelName[];

export const panelOf = (view: string | null): PanelName =>
  view !== null && view in PANELS ? (view as PanelName) : 'orders';

export const addressOf = (name: PanelName): string => `?view=${name}`;
