import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { type Arrival, hasComeThrough } from './arrival.ts';
import { GrowthOutcome } from './OrderGrowth.tsx';
import { Alert } from '../design/components/Alert.tsx';
import { Badge } from '../design/components/Badge.tsx';
import { Button } from '../design/components/Button.tsx';
import type { OpenSession } from '../portal/Gate.tsx';
import { isPrivateLink } from '../order/arrival.ts';
import { useProblemText } from '../session/problem-text.ts';
import { CardDrawing } from '../order/gift/GiftCard.tsx';
import { keepWanted, readWanted, type ReceivedGift, useGift } from '../order/gift/gifts.ts';
import { useClaim, useReceivedGifts } from '../order/gift/KeepGift.tsx';
import styles from '../order/gift/gifts.module.css';

interface Props {
  session: OpenSession<'customer'>;
}
interface ReceivedProps extends Props {
  /** Back from the payment page. */
  arrival: Arrival | undefined;
}

/** Received gifts, and one that waits to be kept. */
export function PortalGifts({ session, arrival }: ReceivedProps) {
  return (
    <>
      <WantedGift session={session} />
      <ReceivedGifts session={session} arrival={arrival} />
    </>
  );
}

function ReceivedGifts({ session, arrival }: ReceivedProps) {
  const { t } = useTranslation('gift');
  const { t: common } = useTranslation();
  const { data: gifts = [] } = useReceivedGifts(
    session,
    (known) => arrival?.why === 'success' && !hasComeThrough(arrival, withIds(known)),
  );
  const arrived = withIds(gifts).find(({ _id }) => _id === arrival?.orderId);
  if (gifts.length === 0) return null;
  return (
    <section aria-labelledby="gifts-title" className={styles.received}>
      <h2 id="gifts-title" className="section-title">
        {t('received.title')}
      </h2>
      {arrival && arrived && <GrowthOutcome arrival={arrival} order={arrived} />}
      <ul className={styles.list}>
        {gifts.map((gift) => (
          <li key={gift.token} className={styles.row}>
            <CardDrawing card={gift.card} sizes="112px" />
            <div className={styles.rowWords}>
              <Link to={`/g/${gift.token}`}>
                {gift.from
                  ? t('received.from', { from: gift.from, count: gift.trees })
                  : common('trees', { count: gift.trees })}
              </Link>
              {gift.location && <span className="small quiet">{gift.location}</span>}
              <Badge of={gift.withdrawn ? 'rejected' : gift.status}>
                {gift.withdrawn ? t('received.withdrawn') : common(`status.${gift.status}`)}
              </Badge>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

const withIds = (gifts: readonly ReceivedGift[]) => gifts.map((gift) => ({ ...gift, _id: gift._id ?? '' }));

/** A gift that a guest wanted to keep before they had an account. */
function WantedGift({ session }: Props) {
  const [token, setToken] = useState(readWanted);
  const forget = () => {
    keepWanted(undefined);
    setToken(undefined);
  };
  return token && isPrivateLink(token) ? <Wanted token={token} session={session} onForget={forget} /> : null;
}

function Wanted({ token, session, onForget }: Props & { token: string; onForget: () => void }) {
  const { t } = useTranslation('gift');
  const problemText = useProblemText();
  const { data: gift } = useGift(token);
  const claim = useClaim(session);
  if (claim.isSuccess) return <Alert kind="good">{t('keep.done')}</Alert>;
  if (typeof gift !== 'object' || (gift.claimedAt && !claim.isError)) return null;
  const words = gift.from
    ? t('wanted.from', { from: gift.from, count: gift.trees })
    : t('wanted.fromSomeone', { count: gift.trees });
  if (!session.person.emailVerified)
    return (
      <Alert kind="note">
        <p>{words}</p>
        <p>{t('wanted.verify')}</p>
      </Alert>
    );
  return (
    <Alert
      kind={claim.isError ? 'wrong' : 'note'}
      action={
        <div className={styles.actions}>
          {!gift.claimedAt && (
            <Button
              look="accent"
              size="small"
              working={claim.isPending && t('keep.working')}
              onClick={() => claim.mutate(token)}
            >
              {t('wanted.keep')}
            </Button>
          )}
          <Button look="text" size="small" onClick={onForget}>
            {t('wanted.notNow')}
          </Button>
        </div>
      }
    >
      {claim.isError
        ? problemText(claim.error, { failed: t('keep.failed'), network: t('keep.failed') })
        : words}
    </Alert>
  );
}
