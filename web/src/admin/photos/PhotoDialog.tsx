import { shortId } from '@arboleda/contracts/order.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Dialog } from '../../design/components/Dialog.tsx';
import { Facts } from '../../design/components/Facts.tsx';
import { TextField } from '../../design/components/Field.tsx';
import { useToast } from '../../design/components/Toasts.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useProblemText } from '../../session/problem-text.ts';
import type { PortalCall } from '../../session/session.ts';
import { useMay } from '../permissions.tsx';
import { useOnce } from '../shared/files.tsx';
import shared from '../shared/shared.module.css';
import { PhotoPicture } from './PhotoPicture.tsx';
import styles from './Photos.module.css';
import { type FlaggedPhoto, isUndecided, useDecidePhoto, usePhotoFacts } from './photos.ts';

interface PhotoDialogProps {
  call: PortalCall;
  photo: FlaggedPhoto;
  onClose: () => void;
}

/** A photo with its flags; hiding or showing it records a reason. */
export function PhotoDialog({ call, photo, onClose }: PhotoDialogProps) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  const may = useMay();
  const facts = usePhotoFacts(photo);
  return (
    <Dialog open onClose={onClose} width="widest" title={t('photos.one', { id: shortId(photo.orderId) })}>
      <div className={styles.sides}>
        <div className={styles.large}>
          <PhotoPicture call={call} photo={photo} width="1600" />
        </div>
        <div className={shared.form}>
          <Facts rows={facts} />
          {photo.usedElsewhere.length > 0 && (
            <p>
              {t('photos.elsewhere')}{' '}
              {photo.usedElsewhere.map(({ _id, orderId }) => (
                <Link key={_id} to={`?view=orders&order=${orderId}`} className="tabular">
                  {t('photos.order', { id: shortId(orderId) })}
                </Link>
              ))}
            </p>
          )}
          {photo.decisions.length > 0 && (
            <section>
              <h3 className={shared.heading}>{t('photos.decisions')}</h3>
              <ul>
                {photo.decisions.map(({ isHidden, reason, by, at }, index) => (
                  <li key={index} className={styles.decision}>
                    <strong>{isHidden ? t('photos.wasHidden') : t('photos.wasRestored')}</strong>{' '}
                    {by.role === 'system' ? t('photos.hiddenAtFirst') : reason}
                    <br />
                    <span className="quiet">
                      {by.name ?? t(by.role === 'system' ? 'photos.bySystem' : 'outcome.somebody')},{' '}
                      {formats.moment(at)}
                    </span>
                  </li>
                ))}
              </ul>
            </section>
          )}
          {may('photos:moderate') && <Judge call={call} photo={photo} onDone={onClose} />}
        </div>
      </div>
    </Dialog>
  );
}

function Judge({ call, photo, onDone }: { call: PortalCall; photo: FlaggedPhoto; onDone: () => void }) {
  const { t } = useTranslation('panels');
  const toast = useToast();
  const problemText = useProblemText();
  const judge = useDecidePhoto(call, photo);
  const [reason, setReason] = useState('');
  const [isAsked, setAsked] = useState(false);
  const isHidden = photo.hidden !== undefined;
  const send = useOnce(judge);
  const submit = (hide: boolean) => {
    setAsked(true);
    if (reason.trim() === '') return;
    send(
      { isHidden: hide, reason: reason.trim() },
      {
        onSuccess: () => {
          toast({ kind: 'good', text: hide ? t('photos.hid') : t('photos.restored') });
          onDone();
        },
      },
    );
  };
  const label = isHidden ? t('photos.reasonRestore') : t('photos.reasonHide');
  return (
    <form
      noValidate
      className={shared.form}
      onSubmit={(event) => {
        event.preventDefault();
        submit(!isHidden);
      }}
    >
      <TextField
        label={isUndecided(photo) ? t('photos.reasonDecide') : label}
        hint={isHidden ? t('photos.restoreMeans') : t('photos.hideMeans')}
        rows={2}
        maxLength={1000}
        value={reason}
        error={isAsked && reason.trim() === '' && t('photos.noReason')}
        onChange={(event) => setReason(event.target.value)}
      />
      {judge.error && (
        <Alert kind="wrong">
          {problemText(judge.error, { failed: t('photos.failed'), network: t('workers.noAnswer') })}
        </Alert>
      )}
      <Button
        type="submit"
        look={isHidden ? 'secondary' : 'solid-destructive'}
        working={judge.isPending && t('decision.working')}
      >
        {isHidden ? t('photos.restore') : t('photos.hide')}
      </Button>
      {isUndecided(photo) && <Button onClick={() => submit(true)}>{t('photos.keepHidden')}</Button>}
    </form>
  );
}
