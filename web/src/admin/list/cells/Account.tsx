import { Button } from '../../../design/components/Button.tsx';
import { check, close, hourglass } from '../../../design/components/icons.ts';
import shared from '../../shared/shared.module.css';
import { Mark } from '../../shared/Mark.tsx';

interface Account {
  active: boolean;
  invitationPending: boolean;
}

type Act = 'edit' | 'deactivate' | 'reactivate' | 'invite' | 'remove';

/** Actions on an account by its invitation and active state; nobody deactivates themselves. */
export function actionsOf({ active, invitationPending }: Account, isMe = false): Act[] {
  if (isMe) return ['edit'];
  if (invitationPending) return active ? ['edit', 'invite', 'remove'] : ['edit', 'reactivate', 'remove'];
  return ['edit', active ? 'deactivate' : 'reactivate'];
}

const LOOK = {
  inactive: { icon: close, tone: 'brick' },
  invited: { icon: hourglass, tone: 'pending' },
  active: { icon: check, tone: 'leaf' },
} as const;

/** @param word of a state */
export function AccountState({
  account,
  word,
}: {
  account: Account;
  word: (state: keyof typeof LOOK) => string;
}) {
  const state = !account.active ? 'inactive' : account.invitationPending ? 'invited' : 'active';
  return <Mark {...LOOK[state]}>{word(state)}</Mark>;
}

interface ActsProps {
  acts: readonly Act[];
  word: (act: Act) => string;
  /** For screen readers, as several rows have the same buttons. */
  label: (act: Act) => string;
  onAct: (act: Act) => void;
}

export const Acts = ({ acts, word, label, onAct }: ActsProps) => (
  <div className={shared['table-actions']}>
    {acts.map((act) => (
      <Button key={act} size="small" aria-label={label(act)} onClick={() => onAct(act)}>
        {word(act)}
      </Button>
    ))}
  </div>
);
