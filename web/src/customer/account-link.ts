import { useTranslation } from 'react-i18next';
import type { PortalLink } from '../portal/PortalLayout.tsx';

export function useAccountLink(): readonly PortalLink[] {
  const { t } = useTranslation('customer');
  return [{ to: '/customer-portal/account', label: t('account') }];
}
