import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/components/Button.tsx';
import styles from './app.module.css';

interface Props {
  children: ReactNode;
  /** What to show instead; a whole page when not given. Use it around a panel so that the rest goes on. */
  fallback?: ReactNode;
}

export class CrashBoundary extends Component<Props, { crashed: boolean }> {
  override state = { crashed: false };

  static getDerivedStateFromError() {
    return { crashed: true };
  }

  override componentDidCatch(error: Error) {
    console.error(error);
  }

  override render() {
    if (!this.state.crashed) return this.props.children;
    return this.props.fallback ?? <CrashPage />;
  }
}

function CrashPage() {
  const { t } = useTranslation();
  return (
    <main className={`container ${styles.crash}`} role="alert">
      <h1 className="section-title">{t('crash.title')}</h1>
      <p className="lead">{t('crash.text')}</p>
      <Button look="secondary" onClick={() => window.location.reload()}>
        {t('crash.reload')}
      </Button>
    </main>
  );
}
