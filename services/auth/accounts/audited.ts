import { type Audited, changedFields } from '@arboleda/chassis/audit/audit.ts';
import type { AuditActor } from '@arboleda/contracts/audit-entry.ts';
import type { Account } from './account.ts';

/** An admin as the author of what they do without a session, by an emailed link. */
export const auditActor = ({ id, name, email, adminRole: role }: Account): AuditActor => ({
  kind: 'admin',
  id,
  name,
  email,
  role,
});

const fields = ({ name, email, language, adminRole: role, active }: Account) => ({
  name,
  email,
  language,
  role,
  active,
});

/** An admin's account for the audit log, with what changed of it. Never a password, code or link. */
export const auditedAdmin = (account: Account, changed = account): Audited => ({
  object: { type: 'admin', id: account.id },
  ...changedFields(fields(account), fields(changed)),
});

/** An admin who is new (no `before`) or gone (no `after`). */
export const auditedWhole = (before: Account | undefined, after: Account | undefined): Audited => ({
  object: { type: 'admin', id: (before ?? after)!.id },
  ...changedFields(before ? fields(before) : {}, after ? fields(after) : {}),
});
