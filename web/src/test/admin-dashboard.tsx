import { AdminDashboard } from '../admin/AdminDashboard.tsx';
import { keepToken } from '../session/token-store.ts';
import { Address } from './admin-orders.tsx';
import { ADMIN } from './fixtures.ts';
import { renderScreen } from './render.tsx';

/** The server's answer for the token of an admin. */
export const verify = () => ({ body: { user: ADMIN } });

/** The dashboard of an admin who is logged in. */
export function openDashboard(at = '/admin-dashboard') {
  localStorage.clear();
  keepToken('admin', 'kept');
  return renderScreen(
    <>
      <AdminDashboard />
      <Address />
    </>,
    { texts: ['portal', 'admin'], at },
  );
}
