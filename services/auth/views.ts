import type { Account } from './account.ts';

/** A customer or an admin as they see themselves. */
export const userView = (account: Account) => ({
  id: account.id,
  name: account.name,
  email: account.email,
  emailVerified: account.emailVerified,
  language: account.language,
});

/** A worker as they see themselves; `workerId` is the code people say. */
export const workerView = (account: Account) => ({
  id: account.id,
  name: account.name,
  email: account.email,
  workerId: account.worker?.code ?? '',
  region: account.worker?.region ?? '',
  language: account.language,
});

/** Anybody as they see themselves. */
export const anyUserView = (account: Account) => ({
  ...userView(account),
  ...(account.worker && { workerId: account.worker.code, region: account.worker.region }),
});
