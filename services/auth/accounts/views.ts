import type { Account } from './account.ts';

/** The own account of a customer or an admin. */
export const userView = (account: Account) => ({
  id: account.id,
  name: account.name,
  email: account.email,
  emailVerified: account.emailVerified,
  language: account.language,
  ...(account.adminRole && { adminRole: account.adminRole }),
});

/** The own account of a worker; `workerId` is their code. */
export const workerView = (account: Account) => ({
  id: account.id,
  name: account.name,
  email: account.email,
  workerId: account.worker?.code ?? '',
  region: account.worker?.region ?? '',
  language: account.language,
});

export const anyUserView = (account: Account) => ({
  ...userView(account),
  ...(account.worker && { workerId: account.worker.code, region: account.worker.region }),
});
