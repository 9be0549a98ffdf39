import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Dialog } from '../../design/components/Dialog.tsx';
import { arrowLeft, arrowRight } from '../../design/components/icons.ts';
import { Skeleton } from '../../design/components/Skeleton.tsx';
import type { PanelProps } from '../panel.ts';
import { Review } from './Review.tsx';
import { neighboursOf, useTransfer, useTransfers } from './transfers.ts';

interface Props extends PanelProps {
  /** Order of the transfer; null closes the dialog. */
  id: string | null;
  onOpen: (id: string) => void;
  onClose: () => void;
}

/** Review of one transfer; its address can be reloaded and shared. */
export function ReviewDialog({ session, id, onOpen, onClose }: Props) {
  const { t } = useTranslation('desk');
  const { t: common } = useTranslation();
  const { data: transfer, isPending, isError, refetch } = useTransfer(session.call, id);
  const waiting = useTransfers(session.call, 'pending', undefined).data;
  const { place, before, after, next } = neighboursOf(waiting?.orders ?? [], id);
  return (
    <Dialog
      open={id !== null}
      onClose={onClose}
      width="widest"
      title={t('review.title')}
      tools={
        place !== undefined &&
        waiting && (
          <>
            <span className="small quiet tabular">{t('review.place', { place, total: waiting.total })}</span>
            <Button
              size="small"
              icon={arrowLeft}
              aria-label={t('review.before')}
              disabled={!before}
              onClick={() => before && onOpen(before)}
            />
            <Button
              size="small"
              icon={arrowRight}
              aria-label={t('review.after')}
              disabled={!after}
              onClick={() => after && onOpen(after)}
            />
          </>
        )
      }
    >
      {isPending && id !== null && <Skeleton label={t('review.loading')} lines={8} />}
      {isError && !transfer && (
        <Alert kind="wrong" action={<Button onClick={() => void refetch()}>{common('tryAgain')}</Button>}>
          {t('review.failed')}
        </Alert>
      )}
      {transfer === null && <Alert kind="note">{t('review.missing')}</Alert>}
      {transfer && (
        <Review
          key={transfer._id}
          session={session}
          transfer={transfer}
          onNext={next === undefined ? undefined : () => onOpen(next)}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}
