import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../design/components/Alert.tsx';
import { Button } from '../design/components/Button.tsx';
import { useField } from './field.ts';
import { isHeld, isStatus, type Item, type StatusItem, UNDO_MS } from './outbox/item.ts';
import type { Step } from './tasks.ts';
import styles from './WorkerPortal.module.css';

/** The step the worker took last on this page. */
export interface Move {
  id: string;
  status: Step;
  isUndone?: true;
}

/** Timers may fire a little early. */
const TIMER_SLACK_MS = 20;

/** Current time, renewed whenever a step can no longer be undone, ms. */
export function useHoldClock(): number {
  const { items } = useField();
  const [now, setNow] = useState(Date.now);
  const end = Math.min(
    ...items.filter((item) => isStatus(item) && isHeld(item, now)).map(({ heldUntil }) => heldUntil),
  );
  useEffect(() => {
    if (end === Infinity) return;
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, end - Date.now()) + TIMER_SLACK_MS);
    return () => clearTimeout(timer);
  }, [end]);
  return now;
}

/**
 * Steps that may still be undone, or whose first attempt to be sent is under way. Their tasks stay where they are, so
 * that no other button takes the place of the one just pressed.
 */
export function useSettlingSteps(): StatusItem[] {
  const { items, isOnline } = useField();
  const now = useHoldClock();
  return items
    .filter(isStatus)
    .filter(
      (step) => isHeld(step, now) || (isOnline && step.state.step === 'waiting' && step.attempts === 0),
    );
}

/** An unsent step can be undone unless later items depend on it. */
export const mayUndo = (step: StatusItem, items: readonly Item[], sendingId: string | undefined): boolean =>
  step.state.step === 'waiting' &&
  step.id !== sendingId &&
  !items.some(
    ({ occasion, at, state }) =>
      occasion.kind === 'assignment' &&
      occasion.id === step.occasion.id &&
      at > step.at &&
      state.step !== 'sent',
  );

/** Confirms a saved step, names the next and offers to undo it; takes the focus of the vanished button. */
export function Saved({ move, onUndone }: { move: Move | undefined; onUndone: () => void }) {
  const { t } = useTranslation('worker');
  const { outbox, items, sending, isOnline } = useField();
  const now = useHoldClock();
  const place = useRef<HTMLDivElement>(null);
  const hintId = useId();
  useEffect(() => {
    if (!move) return;
    place.current?.focus({ preventScroll: true });
    // The way back is seen as a whole, wherever the pressed button was.
    place.current?.parentElement?.scrollIntoView({ block: 'center' });
  }, [move]);
  const undoable = items
    .filter(isStatus)
    .find(
      (step) =>
        step.occasion.id === move?.id &&
        step.body.status === move.status &&
        isHeld(step, now) &&
        mayUndo(step, items, sending?.id),
    );
  return (
    <div className={styles.saved}>
      <div ref={place} tabIndex={-1}>
        {move && (
          <Alert kind="good">
            {move.isUndone
              ? t('step.undone')
              : t(move.status === 'planted' ? 'assignment.nowPlanted' : 'assignment.nowCompleted')}
            {!isOnline && !move.isUndone && ` ${t('step.sentLater')}`}
          </Alert>
        )}
      </div>
      {undoable && (
        <>
          <p id={hintId} role="status">
            {t('step.undoFor', { count: UNDO_MS / 1000 })}
          </p>
          <Button
            wide
            size="large"
            aria-describedby={hintId}
            onClick={() => void outbox.remove(undoable.id).then(onUndone)}
          >
            {t('step.takeBack')}
          </Button>
        </>
      )}
    </div>
  );
}
