import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { useFormats } from '../../i18n/format.ts';
import { OrderLink } from '../list/cells/OrderLink.tsx';
import { Person } from '../list/cells/Person.tsx';
import { useColumns } from '../list/columns.tsx';
import { ListPanel } from '../list/ListPanel.tsx';
import { useSearch } from '../list/use-address.ts';
import { useList } from '../list/use-list.ts';
import type { PanelProps } from '../panel.ts';
import { useMay } from '../permissions.tsx';
import shared from '../shared/shared.module.css';
import { Delivery } from './Delivery.tsx';
import { ReadDialog, ResendDialog } from './MailDialogs.tsx';
import type { Mail } from './mails.ts';

const REFRESH_MS = 15_000;

export function MailsPanel({ session: { call } }: PanelProps) {
  const { t } = useTranslation(['panels', 'admin']);
  const { t: common } = useTranslation();
  const formats = useFormats();
  const may = useMay();
  const search = useSearch();
  const columns = useColumns<Mail>();
  const kindOf = (kind: string) => t(`admin:mails.kinds.${kind as 'receipt'}`, { defaultValue: kind });
  const list = useList(call, 'GET /api/admin/mails', {
    area: 'mails',
    rows: 'mails',
    filters: {
      q: t('mails.search'),
      state: { label: t('mails.state'), any: t('mails.any'), of: (state) => t(`mails.states.${state}`) },
    },
    refreshMs: REFRESH_MS,
  });
  const read = search.get('read');
  const chosen = list.rows.find(({ id }) => id === search.get('mail'));
  return (
    <ListPanel
      list={list}
      title={t('mails.title')}
      loading={t('mails.loading')}
      empty={{ title: t('mails.empty'), text: t('mails.emptyText') }}
      columns={[
        { name: 'to', label: t('mails.to'), cell: ({ to }) => <Person name={to.name} email={to.address} /> },
        {
          name: 'kind',
          label: t('mails.about'),
          cell: ({ kind, language, resendOf }) => (
            <span>
              {kindOf(kind)}
              <br />
              <span className="quiet">
                {common(`language.${language}`)}
                {resendOf && `, ${t('mails.again')}`}
              </span>
            </span>
          ),
        },
        {
          name: 'order',
          label: t('admin:columns.order'),
          cell: ({ orderId }) =>
            orderId ? <OrderLink id={orderId} /> : <span className="quiet">{t('mails.account')}</span>,
        },
        columns.date(({ sentAt, queuedAt }) => formats.moment(sentAt ?? queuedAt)),
        { name: 'state', label: t('mails.state'), cell: (mail) => <Delivery mail={mail} /> },
        columns.actions(({ id, kind, to, orderId }) => (
          <div className={shared['table-actions']}>
            <Button
              size="small"
              aria-label={t('admin:mails.readOne', { kind: kindOf(kind), address: to.address })}
              onClick={() => search.set({ read: id })}
            >
              {t('admin:mails.read')}
            </Button>
            {orderId !== undefined && may('emails:resend') && (
              <Button
                size="small"
                aria-label={t('mails.resendOne', { name: to.name })}
                onClick={() => search.set({ mail: id })}
              >
                {t('mails.resend')}
              </Button>
            )}
          </div>
        )),
      ]}
      keyOf={({ id }) => id}
      onOpen={({ id }) => search.set({ read: id })}
    >
      {read && (
        <ReadDialog call={call} id={read} onClose={() => search.set({ read: null }, { replace: true })} />
      )}
      {chosen && (
        <ResendDialog
          key={chosen.id}
          call={call}
          mail={chosen}
          onClose={() => search.set({ mail: null }, { replace: true })}
        />
      )}
    </ListPanel>
  );
}
