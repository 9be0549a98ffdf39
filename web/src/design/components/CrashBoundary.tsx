import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from './Alert.tsx';
import { Button, ButtonAnchor } from './Button.tsx';
import styles from './CrashBoundary.module.css';
import { isChunkLoss, reloadOnce } from '../load-chunk.ts';

interface Props {
  children: ReactNode;
  /** Replaces only this part of the page by an error with a retry button. */
  panel?: boolean;
  fallback?: ReactNode;
}

interface State {
  error?: Error | undefined;
}

/** Replaces crashed content by an error; the page around it keeps working. */
export class CrashBoundary extends Component<Props, State> {
  override state: State = {};

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override componentDidCatch(error: Error) {
    console.error(error);
    if (isChunkLoss(error)) reloadOnce();
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    if (this.props.fallback !== undefined) return this.props.fallback;
    const what = isChunkLoss(error) ? 'missing' : 'crash';
    if (!this.props.panel) return <CrashPage what={what} />;
    return <CrashPanel what={what} onRetry={() => this.setState({ error: undefined })} />;
  }
}

type What = 'missing' | 'crash';

const reload = () => window.location.reload();

function CrashPage({ what }: { what: What }) {
  const { t } = useTranslation();
  return (
    <main className="container">
      <div className={styles.crash} role="alert">
        <h1 className="section-title">{t(`${what}.title`)}</h1>
        <p className="lead">{t(`${what}.text`)}</p>
        <div className={styles.ways}>
          <Button look="secondary" onClick={reload}>
            {t('crash.reload')}
          </Button>
          {/* A plain link, because the app that a router would show has crashed. */}
          <ButtonAnchor look="text" href="/">
            {t('nav.home')}
          </ButtonAnchor>
        </div>
      </div>
    </main>
  );
}

/** A missing chunk needs a page reload, because browsers cache failed imports. */
function CrashPanel({ what, onRetry }: { what: What; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <Alert
      kind="wrong"
      action={
        <Button size="small" onClick={what === 'missing' ? reload : onRetry}>
          {what === 'missing' ? t('crash.reload') : t('tryAgain')}
        </Button>
      }
    >
      {t(`${what}.panel`)}
    </Alert>
  );
}
