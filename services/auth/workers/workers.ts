import { changedFields } from '@arboleda/chassis/audit/audit.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { addAccount, eraseAccount, saveChange, violates } from '../accounts/account-store.ts';
import { type Account, newAccount, openedEvents, workerUpdated } from '../accounts/account.ts';
import { saveLink, voidLinks } from '../accounts/link-store.ts';
import type { NewLink } from '../accounts/links.ts';
import type { Passwords } from '../passwords/passwords.ts';
import type { Attempts } from '../sessions/attempts.ts';
import {
  listWorkers,
  type ManagedWorker,
  takeCode,
  workerById,
  type WorkerQuery,
  lockWorker,
} from './store.ts';
import { changeWorker, codePrefix, type WorkerChanges } from './worker.ts';

export interface NewWorker {
  name: string;
  email: string;
  region: string;
  capacityTrees: number;
  language: Language;
  /** Generated from the region when undefined. */
  code?: string | undefined;
}

/** Management of workers by admins. All methods throw Problem `not-found` for an unknown worker. */
export interface Workers {
  list(query: WorkerQuery): Promise<ManagedWorker[]>;
  get(id: string): Promise<ManagedWorker>;
  /** Adds and invites. @throws Problem `worker-email-taken`, `worker-code-taken` */
  add(input: NewWorker): Promise<ManagedWorker>;
  /**
   * @param ifRevision expected revision; unchecked when undefined. @throws Problem `worker-email-taken`,
   * `precondition-failed`
   */
  change(id: string, changes: WorkerChanges, ifRevision: string | undefined): Promise<ManagedWorker>;
  /** @throws Problem `invitation-accepted`, `worker-inactive`, `too-many-requests` */
  inviteAgain(id: string): Promise<void>;
  /** @throws Problem `worker-has-joined` once the invitation was accepted */
  remove(id: string): Promise<void>;
}

export function openWorkers(parts: {
  sql: Sql;
  passwords: Passwords;
  attempts: Attempts;
  newLink: NewLink;
}): Workers {
  const { sql, passwords, attempts, newLink } = parts;
  const invite = async (tx: Transaction, account: Account) =>
    saveLink(tx, await newLink('invitation', account));

  return {
    list: (query) => listWorkers(sql, query),

    get: async (id) => found(await workerById(sql, id)),

    async add({ code, region, capacityTrees, ...input }) {
      // A random password that nobody knows; the invitation sets the real one.
      const passwordHash = await passwords.hash(randomBytes(32).toString('base64url'));
      return sql
        .transaction(async (tx) => {
          const worker = { code: code ?? (await takeCode(tx, codePrefix(region))), region, capacityTrees };
          const account: Account = {
            ...newAccount(randomUUID(), {
              ...input,
              role: 'worker',
              emailVerified: false,
              passwordHash,
              worker,
            }),
            invitationPending: true,
          };
          if (!(await addAccount(tx, account))) throw taken('email', 'worker-email-taken');
          await tx.publish(openedEvents(account));
          await invite(tx, account);
          await tx.audit({ object: objectOf(account), ...changedFields({}, auditFields(account), PERSONAL) });
          return found(await workerById(tx, account.id));
        })
        .catch((thrown: unknown) => {
          throw violates(thrown, 'workers_code') ? taken('code', 'worker-code-taken') : thrown;
        });
    },

    change: (id, changes, ifRevision) =>
      sql
        .transaction(async (tx) => {
          const account = found(await lockWorker(tx, id));
          if (ifRevision !== undefined && ifRevision !== String(account.revision)) {
            throw new Problem('precondition-failed');
          }
          const changed = changeWorker(account, changes);
          await saveChange(tx, account, changed);
          if (changed !== account) {
            const fields = changedFields(auditFields(account), auditFields(changed), PERSONAL);
            await tx.audit({ object: objectOf(account), ...fields });
          }
          if (changed.email !== account.email) {
            await voidLinks(tx, id, ['reset-password', 'change-email', 'invitation']);
            if (changed.invitationPending && changed.active) await invite(tx, changed);
          }
          return found(await workerById(tx, id));
        })
        .catch((thrown: unknown) => {
          throw violates(thrown, 'accounts_email') ? taken('email', 'worker-email-taken') : thrown;
        }),

    async inviteAgain(id) {
      requireInvitable(found(await workerById(sql, id)).account);
      await attempts.countMail(id);
      await sql.transaction(async (tx) => {
        const account = found(await lockWorker(tx, id));
        requireInvitable(account);
        await invite(tx, account);
        await tx.audit({ object: objectOf(account) });
      });
    },

    remove: (id) =>
      sql.transaction(async (tx) => {
        const account = found(await lockWorker(tx, id));
        if (!account.invitationPending) throw new Problem('worker-has-joined');
        // Other services have the worker already and must stop assigning to them.
        await eraseAccount(tx, account, [workerUpdated({ ...account, active: false })]);
        await tx.audit({ object: objectOf(account), ...changedFields(auditFields(account), {}, PERSONAL) });
      }),
  };
}

const PERSONAL = ['name', 'email'];
const objectOf = ({ id }: Account) => ({ type: 'worker', id }) as const;
const auditFields = ({ name, email, language, active, worker }: Account) => ({
  name,
  email,
  workerCode: worker!.code,
  region: worker!.region,
  capacityTrees: worker!.capacityTrees,
  language,
  active,
});

function found<T>(worker: T | undefined): T {
  if (!worker) throw new Problem('not-found');
  return worker;
}

const taken = (path: string, type: 'worker-email-taken' | 'worker-code-taken'): Problem =>
  new Problem(type, { fields: [{ path, type }] });

function requireInvitable({ active, invitationPending }: Account): void {
  if (!invitationPending) throw new Problem('invitation-accepted');
  if (!active) throw new Problem('worker-inactive');
}
