import { shortId } from '@arboleda/contracts/order.ts';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Button } from '../../design/components/Button.tsx';
import { SelectField } from '../../design/components/Field.tsx';
import { useFormats } from '../../i18n/format.ts';
import desk from '../desk/desk.module.css';
import { type Column, DeskTable } from '../desk/DeskTable.tsx';
import { ListState } from '../desk/ListState.tsx';
import { AFTER, Pages } from '../desk/Pages.tsx';
import { Panel } from '../desk/Panel.tsx';
import { SearchBox } from '../desk/SearchBox.tsx';
import { choiceOf, useSearch } from '../desk/use-search.ts';
import type { PanelProps } from '../panel.ts';
import { Delivery } from './Delivery.tsx';
import { type Mail, MAIL_STATES, useMails } from './mails.ts';
import { ResendDialog } from './ResendDialog.tsx';

/** Every mail that went out, or could not. */
export function MailsPanel({ session: { call } }: PanelProps) {
  const { t } = useTranslation('desk');
  const search = useSearch();
  const state = choiceOf(search.get('state'), MAIL_STATES);
  const q = search.get('q') ?? '';
  const query = useMails(call, { state, q, cursor: search.get(AFTER) ?? undefined });
  const mails = query.data?.mails ?? [];
  const chosen = mails.find(({ id }) => id === search.get('mail'));
  return (
    <Panel title={t('mails.title')}>
      <div className={desk.filters}>
        <SearchBox
          label={t('mails.search')}
          value={q}
          maxLength={254}
          onSearch={(text) => search.set({ q: text, [AFTER]: null })}
        />
        <SelectField
          label={t('mails.state')}
          value={state}
          onChange={(event) => search.set({ state: event.target.value, [AFTER]: null })}
        >
          {MAIL_STATES.map((name) => (
            <option key={name} value={name}>
              {name === '' ? t('mails.any') : t(`mails.states.${name}`)}
            </option>
          ))}
        </SelectField>
      </div>
      <ListState
        query={query}
        loading={t('mails.loading')}
        empty={
          mails.length > 0
            ? undefined
            : { title: t('mails.empty'), text: q || state ? t('list.emptyFilter') : t('mails.emptyText') }
        }
      >
        <Table mails={mails} onResend={(mail) => search.set({ mail })} />
        <Pages next={query.data?.nextCursor} />
      </ListState>
      {chosen && (
        <ResendDialog
          key={chosen.id}
          call={call}
          mail={chosen}
          onClose={() => search.set({ mail: null }, { replace: true })}
        />
      )}
    </Panel>
  );
}

function Table({ mails, onResend }: { mails: readonly Mail[]; onResend: (id: string) => void }) {
  const { t } = useTranslation('desk');
  const { t: admin } = useTranslation('admin');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const columns: Column<Mail>[] = [
    {
      name: 'to',
      label: t('mails.to'),
      cell: ({ to }) => (
        <span>
          <strong>{to.name}</strong>
          <br />
          <span className="quiet">{to.address}</span>
        </span>
      ),
    },
    {
      name: 'kind',
      label: t('mails.about'),
      cell: ({ kind, language, resendOf }) => (
        <span>
          {t(`mails.kinds.${kind as 'receipt'}`, { defaultValue: kind })}
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
      label: admin('columns.order'),
      cell: ({ orderId }) =>
        orderId ? (
          <Link to={`?view=orders&order=${orderId}`} className="tabular">
            {shortId(orderId)}
          </Link>
        ) : (
          <span className="quiet">{t('mails.account')}</span>
        ),
    },
    {
      name: 'date',
      label: admin('columns.date'),
      cell: ({ sentAt, queuedAt }) =>
        `${formats.day(sentAt ?? queuedAt)}, ${formats.time(sentAt ?? queuedAt)}`,
    },
    { name: 'state', label: t('mails.state'), cell: (mail) => <Delivery mail={mail} /> },
    {
      name: 'action',
      label: admin('columns.actions'),
      isAction: true,
      cell: ({ id, to, orderId }) =>
        orderId !== undefined && (
          <Button
            size="small"
            aria-label={t('mails.resendOne', { name: to.name })}
            onClick={() => onResend(id)}
          >
            {t('mails.resend')}
          </Button>
        ),
    },
  ];
  return <DeskTable caption={t('mails.title')} columns={columns} rows={mails} keyOf={({ id }) => id} />;
}
