import { shortId } from '@arboleda/contracts/order.ts';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Button } from '../../design/components/Button.tsx';
import { ConfirmDialog } from '../../design/components/ConfirmDialog.tsx';
import { Dialog } from '../../design/components/Dialog.tsx';
import { SelectField } from '../../design/components/Field.tsx';
import { Icon } from '../../design/components/Icon.tsx';
import { useToast } from '../../design/components/Toasts.tsx';
import { check, close, hourglass, warning } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import { useProblemText } from '../../session/problem-text.ts';
import type { PortalCall } from '../../session/session.ts';
import { type Column, DataTable } from '../../design/components/DataTable.tsx';
import { choiceOf, ListState, Panel, useSearch } from '../shared/Panel.tsx';
import { TO_FIRST_PAGE, Paging } from '../list/Paging.tsx';
import { SearchBox } from '../list/SearchBox.tsx';
import shared from '../shared/shared.module.css';
import { useOnce } from '../shared/files.tsx';
import type { PanelProps } from '../panel.ts';
import { MailContent } from './MailContent.tsx';
import { type Mail, MAIL_STATES, type MailState, PAGE_ROWS, useMails, useResend } from './mails.ts';
import { useMay } from '../permissions.tsx';

const LOOK: Record<MailState, { icon: typeof check; tone: 'leaf' | 'brick' | 'pending' | 'plain' }> = {
  waiting: { icon: hourglass, tone: 'pending' },
  sent: { icon: check, tone: 'leaf' },
  refused: { icon: warning, tone: 'brick' },
  bounced: { icon: warning, tone: 'brick' },
  pointless: { icon: close, tone: 'plain' },
};

function Delivery({ mail: { state, error, attempts, addressFailedAt } }: { mail: Mail }) {
  const { t } = useTranslation(['panels', 'admin']);
  const formats = useFormats();
  const { icon, tone } = LOOK[state];
  return (
    <span>
      <span className={`${shared.mark} ${tone === 'plain' ? '' : shared[tone]}`}>
        <Icon of={icon} size="small" />
        {t(`mails.states.${state}`)}
      </span>
      {attempts > 1 && <span className="quiet"> {t('mails.attempts', { count: attempts })}</span>}
      {error && (
        <>
          <br />
          <span className="quiet">{error}</span>
        </>
      )}
      {addressFailedAt && (
        <>
          <br />
          <span className={shared.brick}>
            {t('mails.addressFailed', { day: formats.day(addressFailedAt) })}
          </span>
        </>
      )}
    </span>
  );
}

function ResendDialog({ call, mail, onClose }: { call: PortalCall; mail: Mail; onClose: () => void }) {
  const { t } = useTranslation(['panels', 'admin']);
  const formats = useFormats();
  const toast = useToast();
  const problemText = useProblemText();
  const resend = useResend(call, mail.id);
  const send = useOnce(resend);
  const confirm = () => {
    send(undefined, {
      onSuccess: ({ mail: fresh }) => {
        toast({ kind: 'good', text: t('mails.resent', { address: fresh.to.address }) });
        onClose();
      },
    });
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('mails.resendTitle')}
      confirm={t('mails.resend')}
      working={resend.isPending && t('decision.working')}
      error={
        resend.error &&
        problemText(resend.error, { failed: t('mails.failed'), network: t('workers.noAnswer') })
      }
      onConfirm={confirm}
    >
      <p>
        {t('mails.resendText', {
          kind: t(`admin:mails.kinds.${mail.kind as 'receipt'}`, { defaultValue: mail.kind }),
          name: mail.to.name,
        })}
      </p>
      {mail.addressFailedAt && <p>{t('mails.addressFailed', { day: formats.day(mail.addressFailedAt) })}</p>}
    </ConfirmDialog>
  );
}

export function MailsPanel({ session: { call } }: PanelProps) {
  const { t } = useTranslation(['panels', 'admin']);
  const search = useSearch();
  const state = choiceOf(search.get('state'), MAIL_STATES);
  const q = search.get('q') ?? '';
  const query = useMails(call, { state, q, cursor: search.get('cursor') ?? undefined });
  const mails = query.data?.mails ?? [];
  const read = search.get('read');
  const chosen = mails.find(({ id }) => id === search.get('mail'));
  return (
    <Panel title={t('mails.title')}>
      <div className={shared.filters}>
        <SearchBox
          label={t('mails.search')}
          value={q}
          maxLength={254}
          onSearch={(text, replace) => search.set({ q: text, ...TO_FIRST_PAGE }, { replace })}
        />
        <SelectField
          label={t('mails.state')}
          value={state}
          onChange={(event) => search.set({ state: event.target.value, ...TO_FIRST_PAGE })}
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
        <Table
          mails={mails}
          onResend={(mail) => search.set({ mail })}
          onRead={(read) => search.set({ read })}
        />
        <Paging rows={mails.length} limit={PAGE_ROWS} next={query.data?.nextCursor} />
      </ListState>
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
    </Panel>
  );
}

function ReadDialog({ call, id, onClose }: { call: PortalCall; id: string; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  return (
    <Dialog
      open
      onClose={onClose}
      width="wide"
      title={t('mails.text')}
      actions={<Button onClick={onClose}>{common('close')}</Button>}
    >
      <MailContent call={call} id={id} />
    </Dialog>
  );
}

interface TableProps {
  mails: readonly Mail[];
  onResend: (id: string) => void;
  onRead: (id: string) => void;
}

function Table({ mails, onResend, onRead }: TableProps) {
  const { t } = useTranslation(['panels', 'admin']);
  const { t: admin } = useTranslation('admin');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const may = useMay();
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
          {t(`admin:mails.kinds.${kind as 'receipt'}`, { defaultValue: kind })}
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
      cell: ({ sentAt, queuedAt }) => formats.moment(sentAt ?? queuedAt),
    },
    { name: 'state', label: t('mails.state'), cell: (mail) => <Delivery mail={mail} /> },
    {
      name: 'action',
      label: admin('columns.actions'),
      isAction: true,
      cell: ({ id, kind, to, orderId }) => (
        <div className={shared['table-actions']}>
          <Button
            size="small"
            aria-label={admin('mails.readOne', {
              kind: t(`admin:mails.kinds.${kind as 'receipt'}`, { defaultValue: kind }),
              address: to.address,
            })}
            onClick={() => onRead(id)}
          >
            {admin('mails.read')}
          </Button>
          {orderId !== undefined && may('emails:resend') && (
            <Button
              size="small"
              aria-label={t('mails.resendOne', { name: to.name })}
              onClick={() => onResend(id)}
            >
              {t('mails.resend')}
            </Button>
          )}
        </div>
      ),
    },
  ];
  return (
    <DataTable
      caption={t('mails.title')}
      columns={columns}
      rows={mails}
      keyOf={({ id }) => id}
      onOpen={({ id }) => onRead(id)}
    />
  );
}
