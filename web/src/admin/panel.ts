import type { OpenSession } from '../portal/Gate.tsx';

export interface PanelProps {
  session: OpenSession<'admin'>;
}
