import type { OpenSession } from '../portal/Gate.tsx';

/** What every part of the dashboard is given. */
export interface PanelProps {
  session: OpenSession<'admin'>;
}
