import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { isProblem } from '../../api/problem.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button, ButtonLink } from '../../design/components/Button.tsx';
import type { Session } from '../../session/session.ts';
import { useSession } from '../../session/session.ts';
import { useProblemText } from '../../session/problem-text.ts';
import { giftKey, keepWanted, type ReceivedGift } from './gifts.ts';
import { OwnGift } from './OwnGift.tsx';

type OpenSession = Extract<Session<'customer'>, { state: 'in' }>;

const receivedKey = (personId: string) => ['customer', 'gifts', personId] as const;

/** How often to look for what was just paid, ms. */
const OFTEN_MS = 2_000;

/**
 * Gifts kept in an account; none without a session, nor before its address is verified.
 * @param isExpecting looks again and again while a purchase is not visible yet
 */
export function useReceivedGifts(
  session: Pick<OpenSession, 'call'> & { person?: OpenSession['person'] },
  isExpecting: (gifts: readonly ReceivedGift[]) => boolean = () => false,
) {
  const { person } = session;
  return useQuery({
    queryKey: receivedKey(person?.id ?? 'nobody'),
    enabled: person?.emailVerified ?? false,
    queryFn: async ({ signal }) => (await session.call('GET /api/customers/gifts', { signal })).gifts,
    refetchInterval: ({ state }) => state.data !== undefined && isExpecting(state.data) && OFTEN_MS,
  });
}

/** Puts a gift into the account of the session. */
export function useClaim({ call, person }: Pick<OpenSession, 'call' | 'person'>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (token: string) =>
      (await call('POST /api/gifts/{token}/claim', { params: { token } })).gift,
    onSuccess: (gift) => {
      queries.setQueryData(giftKey(gift.token), gift);
      keepWanted(undefined);
      void queries.invalidateQueries({ queryKey: receivedKey(person.id) });
    },
    onError: (error, token) => {
      if (isProblem(error, 'gift-claimed')) void queries.invalidateQueries({ queryKey: giftKey(token) });
    },
  });
}

/** The recipient keeps the gift in an account, so that they find it again and get news of it. */
export function KeepGift({ gift }: { gift: ReceivedGift }) {
  const { t } = useTranslation('gift');
  const session = useSession('customer');
  return (
    <section aria-labelledby="keep-title">
      <h2 id="keep-title" className="sub-title">
        {t('keep.title')}
      </h2>
      {session.state === 'in' ? (
        <InAccount gift={gift} session={session} />
      ) : gift.claimedAt ? (
        <p>{t('keep.claimed')}</p>
      ) : (
        <>
          <p>{t('keep.text', { count: gift.trees })}</p>
          <ButtonLink
            to="/customer-portal"
            state={{ register: true }}
            look="accent"
            onClick={() => keepWanted(gift.token)}
          >
            {t('keep.submit')}
          </ButtonLink>
          <p className="small quiet">{t('keep.howTo')}</p>
        </>
      )}
    </section>
  );
}

function InAccount({ gift, session }: { gift: ReceivedGift; session: OpenSession }) {
  const { t } = useTranslation('gift');
  const problemText = useProblemText();
  const { data: mine, isPending } = useReceivedGifts(session);
  const claim = useClaim(session);
  const own = mine?.find(({ token }) => token === gift.token) ?? claim.data;
  const toPortal = <ButtonLink to="/customer-portal">{t('keep.portal')}</ButtonLink>;
  if (!session.person.emailVerified)
    return (
      <>
        <p>{t('keep.verify', { email: session.person.email })}</p>
        <ButtonLink to="/customer-portal" onClick={() => keepWanted(gift.token)}>
          {t('keep.toVerify')}
        </ButtonLink>
      </>
    );
  if (own)
    return (
      <>
        {claim.isSuccess ? <Alert kind="good">{t('keep.done')}</Alert> : <p>{t('keep.mine')}</p>}
        {toPortal}
        <OwnGift gift={{ ...gift, _id: own._id! }} session={session} />
      </>
    );
  if (gift.claimedAt) return isPending ? null : <p>{t('keep.claimed')}</p>;
  return (
    <>
      <p>{t('keep.text', { count: gift.trees })}</p>
      <Button
        look="accent"
        working={claim.isPending && t('keep.working')}
        onClick={() => claim.mutate(gift.token)}
      >
        {t('keep.submit')}
      </Button>
      {claim.isError && (
        <Alert kind="wrong">
          {problemText(claim.error, { failed: t('keep.failed'), network: t('keep.failed') })}
        </Alert>
      )}
    </>
  );
}
