import type { EventHandlers } from '@arboleda/chassis/ports/event-bus.ts';
import type { Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { eraseAccount, eraseGiftRecipient, isAccountErased } from '../copies/erasure.ts';
import { keepErasedAddress, moveClaims } from '../copies/gifts.ts';
import { keepWorker } from '../copies/workers.ts';
import type { AccountKind } from '../mails/kinds.ts';
import { forgetAddress, moveAddress } from '../queue/addresses.ts';
import type { Unaddressed } from '../queue/mail.ts';
import { queueMail } from '../queue/mail-store.ts';
import type { ConsumerParts } from './parts.ts';

interface Owner {
  accountId: string;
  name: string;
  language: Language;
}

/** Queues an email about an account, unless it was erased. */
async function queueOwnerMail(
  tx: Transaction,
  { accountId, address, name, language }: Owner & { address: string },
  mail: Unaddressed<AccountKind>,
): Promise<void> {
  if (await isAccountErased(tx, accountId)) return;
  await queueMail(tx, { ...mail, to: { address, name, language } });
}

const ownerOf = ({ email: address, ...owner }: Owner & { email: string }) => ({ ...owner, address });

/** Emails about accounts: links to verify or reset, and notices of changes. */
export function accountConsumers({ sql, addressHash }: ConsumerParts): EventHandlers {
  return {
    'worker.registered': async ({ id, sequence, data }) => {
      await sql.consume(id, (tx) => keepWorker(tx, data, sequence));
    },
    'worker.updated': async ({ id, sequence, data }) => {
      await sql.consume(id, (tx) => keepWorker(tx, data, sequence));
    },

    'email.verification_requested': async ({ id: eventId, data }) => {
      const { accountId, sealedToken: token, expiresAt } = data;
      const mail = { eventId, kind: 'verify-email', facts: { accountId, token, expiresAt } } as const;
      await sql.consume(eventId, (tx) => queueOwnerMail(tx, ownerOf(data), mail));
    },

    'password.reset_requested': async ({ id: eventId, data }) => {
      const { accountId, sealedToken: token, expiresAt, role } = data;
      const mail = { eventId, kind: 'reset-password', facts: { accountId, token, expiresAt, role } } as const;
      await sql.consume(eventId, (tx) => queueOwnerMail(tx, ownerOf(data), mail));
    },

    'worker.invited': async ({ id: eventId, data }) => {
      const { accountId, sealedToken: token, expiresAt, code } = data;
      const mail = { eventId, kind: 'worker-invited', facts: { accountId, token, expiresAt, code } } as const;
      await sql.consume(eventId, (tx) => queueOwnerMail(tx, ownerOf(data), mail));
    },

    'admin.invited': async ({ id: eventId, data }) => {
      const { accountId, sealedToken: token, expiresAt, adminRole } = data;
      const facts = { accountId, token, expiresAt, adminRole };
      const mail = { eventId, kind: 'admin-invited', facts } as const;
      await sql.consume(eventId, (tx) => queueOwnerMail(tx, ownerOf(data), mail));
    },

    'admin.role_changed': async ({ id: eventId, data }) => {
      const { accountId, to: adminRole, active, by, at } = data;
      const facts = { accountId, adminRole, active, by: by?.name, at };
      const mail = { eventId, kind: 'admin-role-changed', facts } as const;
      await sql.consume(eventId, (tx) => queueOwnerMail(tx, ownerOf(data), mail));
    },

    'email.change_requested': async ({ id: eventId, data }) => {
      const { accountId, sealedToken: token, expiresAt, email } = data;
      const mail = { eventId, kind: 'confirm-email', facts: { accountId, token, expiresAt, email } } as const;
      await sql.consume(eventId, (tx) => queueOwnerMail(tx, ownerOf(data), mail));
    },

    'email.changed': async ({ id: eventId, data }) => {
      const { accountId, role, from, to, at, fromVerified } = data;
      const mail = { eventId, kind: 'email-changed', facts: { accountId, role, to, at } } as const;
      await sql.consume(eventId, async (tx) => {
        // An unverified address could receive emails about orders of others.
        if (role === 'customer' && fromVerified) {
          if (await isAccountErased(tx, accountId)) await forgetAddress(tx, from);
          else if (from.toLowerCase() !== to.toLowerCase()) await moveAddress(tx, from, to);
        }
        if (role === 'customer') await moveClaims(tx, accountId, to);
        await queueOwnerMail(tx, { ...data, address: from }, mail);
      });
    },

    'password.changed': async ({ id: eventId, data }) => {
      const { accountId, role, at } = data;
      const mail = { eventId, kind: 'password-changed', facts: { accountId, role, at } } as const;
      await sql.consume(eventId, (tx) => queueOwnerMail(tx, ownerOf(data), mail));
    },

    'second_factor.changed': async ({ id: eventId, data }) => {
      const { accountId, role, enabled, at } = data;
      const mail = {
        eventId,
        kind: 'second-factor-changed',
        facts: { accountId, role, enabled, at },
      } as const;
      await sql.consume(eventId, (tx) => queueOwnerMail(tx, ownerOf(data), mail));
    },

    'customer.erased': async ({ id, data }) => {
      await sql.consume(id, async (tx) => {
        await eraseAccount(tx, data.accountId, data.email);
        // The address and its choice belong to this person only if it is verified.
        if (data.ordersToo) {
          await forgetAddress(tx, data.email);
          await keepErasedAddress(tx, addressHash(data.email), data.at);
        }
        await eraseGiftRecipient(tx, data);
      });
    },
  };
}
