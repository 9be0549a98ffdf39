import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '../../design/components/Button.tsx';
import styles from './PlantBar.module.css';

/**
 * Keeps the main action in reach of a thumb between the page's own buttons. Hidden from screen readers and the keyboard,
 * which reach those.
 */
export function PlantBar() {
  const { t } = useTranslation('landing');
  const isShown = useNoneInView('main a[href="/plant-trees"]:not([aria-hidden]), footer');
  return (
    <div className={`${styles.bar} ${isShown ? styles.shown : ''}`} aria-hidden="true">
      <ButtonLink to="/plant-trees" look="accent" size="large" wide aria-hidden="true" tabIndex={-1}>
        {t('hero.plant')}
      </ButtonLink>
    </div>
  );
}

/** Whether no matching element is in the window; false until that is known. */
function useNoneInView(selector: string): boolean {
  const [isNone, setIsNone] = useState(false);
  useEffect(() => {
    const inView = new Set<Element>();
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) inView.add(target);
        else inView.delete(target);
      }
      setIsNone(inView.size === 0);
    });
    for (const element of document.querySelectorAll(selector)) observer.observe(element);
    return () => observer.disconnect();
  }, [selector]);
  return isNone;
}
