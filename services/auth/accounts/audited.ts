import { type Audited, changedFields } from '@arboleda/chassis/audit/audit.ts';
import type { Account } from './account.ts';

const fields = ({ name, email, language }: Account) => ({ name, email, language });

/** An admin's account for the audit log, with what changed of it. Never a password, code or link. */
export const auditedAdmin = (account: Account, changed = account): Audited => ({
  object: { type: 'admin', id: account.id },
  ...changedFields(fields(account), fields(changed)),
});
