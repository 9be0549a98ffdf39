import { PANELS, type PanelName } from './panels.ts';

/** Product spec section 2: the two tabs of the dashboard. */
const TABS = ['transfers', 'orders'] as const;
/** Parts beyond the spec's, quieter. */
const BEYOND = ['overview', 'payments', 'workers', 'mails', 'photos', 'security'] as const;

export type ViewName = (typeof TABS)[number] | (typeof BEYOND)[number];

const exists = (name: ViewName): name is ViewName & PanelName => name in PANELS;

export const tabs = () => TABS.filter(exists);
export const beyond = () => BEYOND.filter(exists);

/** Where a part is. Filters of another part do not come along. */
export const addressOf = (name: ViewName): string => `?view=${name}`;
