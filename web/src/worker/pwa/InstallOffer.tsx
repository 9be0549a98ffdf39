import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { plus } from '../../design/components/icons.ts';

/** https://wicg.github.io/manifest-incubations/#beforeinstallpromptevent-interface */
type InstallEvent = Event & { prompt(): Promise<unknown> };

/** Offers installation on the home screen where supported. */
export function InstallOffer() {
  const { t } = useTranslation('worker');
  const [event, setEvent] = useState<InstallEvent>();
  useEffect(() => {
    const keep = (offered: Event) => {
      offered.preventDefault();
      setEvent(offered as InstallEvent);
    };
    const forget = () => setEvent(undefined);
    window.addEventListener('beforeinstallprompt', keep);
    window.addEventListener('appinstalled', forget);
    return () => {
      window.removeEventListener('beforeinstallprompt', keep);
      window.removeEventListener('appinstalled', forget);
    };
  }, []);
  if (!event) return null;
  return (
    <Button wide icon={plus} onClick={() => void event.prompt().then(() => setEvent(undefined))}>
      {t('install')}
    </Button>
  );
}
