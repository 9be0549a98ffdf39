import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Icon } from '../../design/components/Icon.tsx';
import { check, close as cross, hourglass, plus, warning } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import type { PanelProps } from '../panel.ts';
import { useMay } from '../permissions.tsx';
import { type Column, DataTable } from '../../design/components/DataTable.tsx';
import { ListState, Panel, useSearch } from '../shared/Panel.tsx';
import shared from '../shared/shared.module.css';
import { AdminActions } from './AdminActions.tsx';
import { AdminForm } from './AdminForm.tsx';
import { type Admin, useAdmins } from './admins.ts';

type Act = 'edit' | 'deactivate' | 'reactivate' | 'invite' | 'remove';

/** Possible actions by invitation and active state; nobody deactivates themselves. */
export function actionsOf({ active, invitationPending }: Admin, isMe: boolean): Act[] {
  if (isMe) return ['edit'];
  if (invitationPending) return active ? ['edit', 'invite', 'remove'] : ['edit', 'reactivate', 'remove'];
  return ['edit', active ? 'deactivate' : 'reactivate'];
}

/** The admins with their roles, whom owners invite and change. */
export function AdminsPanel({ session: { call, person } }: PanelProps) {
  const { t } = useTranslation('admins');
  const may = useMay();
  const search = useSearch();
  const query = useAdmins(call);
  const admins = query.data ?? [];
  const me = admins.find(({ id }) => id === person.id);
  // The services refuse changes by an owner without it.
  const isUnsafe = may('admins:write') && me?.hasSecondFactor === false;
  const mayChange = may('admins:write') && me?.hasSecondFactor === true;
  const opened = search.get('admin');
  const admin = admins.find(({ id }) => id === opened);
  const act = search.get('act');
  const close = () => search.set({ admin: null, act: null }, { replace: true });
  return (
    <Panel
      title={t('title')}
      actions={
        mayChange && (
          <Button size="small" icon={plus} onClick={() => search.set({ admin: 'new', act: null })}>
            {t('add')}
          </Button>
        )
      }
    >
      {isUnsafe && (
        <Alert kind="note">
          {t('unsafe')} <Link to="?view=security">{t('toSecurity')}</Link>
        </Alert>
      )}
      <ListState query={query} loading={t('loading')}>
        <AdminTable
          admins={admins}
          me={person.id}
          onAct={
            mayChange
              ? (id, what) => search.set({ admin: id, act: what === 'edit' ? null : what })
              : undefined
          }
        />
      </ListState>
      {mayChange && (opened === 'new' || (admin && !act)) && (
        <AdminForm key={opened} call={call} admin={admin} isMe={opened === person.id} onClose={close} />
      )}
      {mayChange && admin && act && (
        <AdminActions key={`${admin.id} ${act}`} call={call} admin={admin} act={act} onClose={close} />
      )}
    </Panel>
  );
}

interface TableProps {
  admins: readonly Admin[];
  me: string;
  onAct: ((id: string, act: Act) => void) | undefined;
}

function AdminTable({ admins, me, onAct }: TableProps) {
  const { t } = useTranslation('admins');
  const { t: admin } = useTranslation('admin');
  const formats = useFormats();
  const columns: (Column<Admin> | false)[] = [
    {
      name: 'admin',
      label: t('person'),
      cell: ({ id, name, email }) => (
        <span>
          <strong>{name}</strong> {id === me && <span className="quiet">{t('you')}</span>}
          <br />
          <span className="quiet">{email}</span>
        </span>
      ),
    },
    { name: 'role', label: t('role'), cell: ({ role }) => admin(`roles.${role}`) },
    { name: 'state', label: admin('columns.status'), cell: (one) => <State admin={one} /> },
    {
      name: 'factor',
      label: t('secondFactor'),
      cell: ({ hasSecondFactor }) => (
        <span className={`${shared.mark} ${hasSecondFactor ? shared.leaf : shared.brick}`}>
          <Icon of={hasSecondFactor ? check : warning} size="small" />
          {t(hasSecondFactor ? 'factorOn' : 'factorOff')}
        </span>
      ),
    },
    {
      name: 'seen',
      label: t('lastLogIn'),
      cell: ({ lastLogInAt }) =>
        lastLogInAt ? formats.day(lastLogInAt) : <span className="quiet">{t('notLately')}</span>,
    },
    onAct !== undefined && {
      name: 'actions',
      label: admin('columns.actions'),
      isAction: true,
      cell: (one) => (
        <div className={shared['table-actions']}>
          {actionsOf(one, one.id === me).map((act) => (
            <Button
              key={act}
              size="small"
              aria-label={t('actOn', { act: t(`acts.${act}`), name: one.name })}
              onClick={() => onAct(one.id, act)}
            >
              {t(`acts.${act}`)}
            </Button>
          ))}
        </div>
      ),
    },
  ];
  return <DataTable caption={t('title')} columns={columns} rows={admins} keyOf={({ id }) => id} />;
}

function State({ admin: { active, invitationPending } }: { admin: Admin }) {
  const { t } = useTranslation('admins');
  const [icon, tone, word] = !active
    ? ([cross, shared.brick, 'inactive'] as const)
    : invitationPending
      ? ([hourglass, shared.pending, 'invited'] as const)
      : ([check, shared.leaf, 'active'] as const);
  return (
    <span className={`${shared.mark} ${tone}`}>
      <Icon of={icon} size="small" />
      {t(`states.${word}`)}
    </span>
  );
}
