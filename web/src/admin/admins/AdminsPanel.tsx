import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { check, plus, warning } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import { AccountState, actionsOf, Acts } from '../list/cells/Account.tsx';
import { Mark } from '../shared/Mark.tsx';
import { Person } from '../list/cells/Person.tsx';
import { useColumns } from '../list/columns.tsx';
import { ListPanel } from '../list/ListPanel.tsx';
import { useSearch } from '../list/use-address.ts';
import { useList } from '../list/use-list.ts';
import type { PanelProps } from '../panel.ts';
import { useMay } from '../permissions.tsx';
import { AdminActions } from './AdminActions.tsx';
import { AdminForm } from './AdminForm.tsx';
import type { Admin } from './admins.ts';

/** The admins with their roles, whom owners invite and change. */
export function AdminsPanel({ session: { call, person } }: PanelProps) {
  const { t } = useTranslation('admins');
  const { t: admin } = useTranslation('admin');
  const formats = useFormats();
  const may = useMay();
  const search = useSearch();
  const columns = useColumns<Admin>();
  const list = useList(call, 'GET /api/admin/admins', { area: 'admins', rows: 'admins' });
  const me = list.rows.find(({ id }) => id === person.id);
  // The services refuse changes by an owner without it.
  const isUnsafe = may('admins:write') && me?.hasSecondFactor === false;
  const mayChange = may('admins:write') && me?.hasSecondFactor === true;
  const opened = search.get('admin');
  const chosen = list.rows.find(({ id }) => id === opened);
  const act = search.get('act');
  const close = () => search.set({ admin: null, act: null }, { replace: true });
  return (
    <ListPanel
      list={list}
      title={t('title')}
      actions={
        mayChange && (
          <Button size="small" icon={plus} onClick={() => search.set({ admin: 'new', act: null })}>
            {t('add')}
          </Button>
        )
      }
      before={
        isUnsafe && (
          <Alert kind="note">
            {t('unsafe')} <Link to="?view=security">{t('toSecurity')}</Link>
          </Alert>
        )
      }
      loading={t('loading')}
      columns={[
        {
          name: 'admin',
          label: t('person'),
          cell: ({ id, name, email }) => (
            <Person
              name={name}
              email={email}
              note={id === person.id && <span className="quiet">{t('you')}</span>}
            />
          ),
        },
        { name: 'role', label: t('role'), cell: ({ role }) => admin(`roles.${role}`) },
        columns.status((one) => <AccountState account={one} word={(state) => t(`states.${state}`)} />),
        {
          name: 'factor',
          label: t('secondFactor'),
          cell: ({ hasSecondFactor }) => (
            <Mark icon={hasSecondFactor ? check : warning} tone={hasSecondFactor ? 'leaf' : 'brick'}>
              {t(hasSecondFactor ? 'factorOn' : 'factorOff')}
            </Mark>
          ),
        },
        {
          name: 'seen',
          label: t('lastLogIn'),
          cell: ({ lastLogInAt }) =>
            lastLogInAt ? formats.day(lastLogInAt) : <span className="quiet">{t('notLately')}</span>,
        },
        mayChange &&
          columns.actions((one) => (
            <Acts
              acts={actionsOf(one, one.id === person.id)}
              word={(name) => t(`acts.${name}`)}
              label={(name) => t('actOn', { act: t(`acts.${name}`), name: one.name })}
              onAct={(name) => search.set({ admin: one.id, act: name === 'edit' ? null : name })}
            />
          )),
      ]}
      keyOf={({ id }) => id}
    >
      {mayChange && (opened === 'new' || (chosen && !act)) && (
        <AdminForm key={opened} call={call} admin={chosen} isMe={opened === person.id} onClose={close} />
      )}
      {mayChange && chosen && act && (
        <AdminActions key={`${chosen.id} ${act}`} call={call} admin={chosen} act={act} onClose={close} />
      )}
    </ListPanel>
  );
}
