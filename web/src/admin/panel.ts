import type { OpenSession } from '../portal/Gate.tsx';

/** Props of every panel. */
export interface PanelProps {
  session: OpenSession<'admin'>;
}
