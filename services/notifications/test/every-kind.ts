import { TEST_MAIL_TOKENS } from '@arboleda/chassis/testing/config.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { MAIL_KINDS } from '../mails/kinds.ts';
import type { MailKind } from '../mails/index.ts';
import { AT, newEmail, someOrder, someWorker } from './builders.ts';
import type { openHarness } from './harness.ts';

type Harness = Awaited<ReturnType<typeof openHarness>>;
export type Published = Awaited<ReturnType<Harness['publish']>>[];
/** Kinds to people with a language; the office has its own. */
export const TO_PEOPLE = MAIL_KINDS.filter((kind) => kind !== 'return-suspected');
type ToPeople = Exclude<MailKind, 'return-suspected'>;

/** The mail server of these tests refuses it. */
export const NO_ADDRESS = 'nobody@example.net';

/** An order, a worker and an account in one language, and the events of each kind of email. */
export async function publishEveryKind(service: Harness, language: Language) {
  const order = someOrder({ language, region: 'Salento' });
  const transfer = someOrder({ language, method: { kind: 'transfer', bank: 'bancolombia' } });
  const mateo = newEmail();
  const [ana, former] = [someWorker(), someWorker({ name: 'Carlos Gil' })];
  const { orderId } = order.created;
  const account = { accountId: `a-${language}`, role: 'customer' as const, name: 'Lucía Peña', language };
  const link = { expiresAt: new Date(Date.now() + 86_400_000).toISOString() };
  const visit = { visitId: 'v-1', orderId, purchaseId: 'b-1', number: 2, of: 3, worker: ana };
  const mailed = async () => {
    const email = newEmail();
    return { ...account, ...link, email, sealedToken: await TEST_MAIL_TOKENS.seal('the-token', email) };
  };
  const links = await Promise.all([mailed(), mailed(), mailed(), mailed(), mailed()]);
  const { publish } = service;
  const worker = (one: typeof ana) => ({ ...one, language, active: true, capacityTrees: 10 });
  const begin = [
    () => publish('worker.registered', worker(ana)),
    () => publish('worker.registered', worker(former)),
    () => publish('order.created', order.created),
    () => publish('payment.submitted', transfer.submitted),
  ];
  const giveTrees = () => publish('gift.scheduled', order.gift({ recipientEmail: mateo, language }));

  /** Per kind: the event, the recipient, and text that only this email contains. */
  const kinds: Record<
    ToPeople,
    { to: string; publish: () => Promise<Published[number]>; says: Record<Language, string> }
  > = {
    receipt: {
      to: order.email,
      publish: begin[2]!,
      says: { en: 'We have your payment for your 5 trees', es: 'Recibimos el pago de tus 5 árboles' },
    },
    'transfer-received': {
      to: transfer.email,
      publish: begin[3]!,
      says: { en: 'within 24-48 hours', es: 'en 24 a 48 horas' },
    },
    'transfer-rejected': {
      to: transfer.email,
      publish: () =>
        publish('payment.rejected', {
          orderId: transfer.created.orderId,
          paymentId: 'p',
          reason: 'Not found: «<b>1</b>»',
          by: { role: 'admin' },
          at: AT,
        }),
      says: { en: 'To try again', es: 'Para intentarlo de nuevo' },
    },
    'transfer-approved': {
      to: transfer.email,
      publish: () => publish('order.created', transfer.created),
      says: { en: 'We have your payment for', es: 'Recibimos el pago de' },
    },
    assigned: {
      to: order.email,
      publish: () =>
        publish('order.assigned', {
          ...order.step(ana),
          previousWorker: former,
          by: { role: 'admin' },
          reason: 'Closer',
        }),
      says: { en: 'Ana Ríos will plant', es: 'Ana Ríos va a sembrar' },
    },
    'worker-assigned': {
      to: ana.email,
      publish: () =>
        publish('order.assigned', {
          ...order.step(ana),
          previousWorker: former,
          by: { role: 'admin' },
          reason: 'Closer',
        }),
      says: { en: 'you have 5 trees to plant', es: 'tienes 5 árboles por sembrar' },
    },
    'worker-unassigned': {
      to: former.email,
      publish: () =>
        publish('order.assigned', {
          ...order.step(ana),
          previousWorker: former,
          by: { role: 'admin' },
          reason: 'Closer',
        }),
      says: { en: 'Another planter has it now', es: 'Ahora lo tiene otra persona' },
    },
    planted: {
      to: order.email,
      publish: () => publish('order.planted', { ...order.step(ana), location: 'Cocora' }),
      says: { en: 'See where they grow', es: 'Ver dónde crecen' },
    },
    photos: {
      to: order.email,
      publish: () => publish('photo.uploaded', order.photo()),
      says: { en: '1 new photo of your trees', es: '1 foto nueva de tus árboles' },
    },
    completed: {
      to: order.email,
      publish: () => publish('order.completed', order.step(ana)),
      says: { en: 'Your order is complete', es: 'Tu pedido está completo' },
    },
    'photo-package': {
      to: order.email,
      publish: () =>
        publish('photo_package.purchased', {
          orderId,
          purchaseId: 'b-1',
          photoPackageType: 'first_year',
          amountMinor: 1500,
          currency: 'USD',
          transactionId: 'pi_9',
          customer: order.created.customer,
          language,
          purchasedAt: AT,
        }),
      says: { en: 'You will see your 5 trees grow', es: 'Vas a ver crecer tus 5 árboles' },
    },
    'growth-update': {
      to: order.email,
      publish: () => publish('growth_visit.completed', { ...visit, photos: 4, at: AT }),
      says: { en: 'Growth update 2 of 3', es: 'Visita 2 de 3' },
    },
    certificate: {
      to: order.email,
      publish: () =>
        publish('certificate.issued', {
          orderId,
          code: 'K7QF-M2XD-9WBN',
          version: 1,
          because: 'requested',
          at: AT,
        }),
      says: { en: 'Your certificate is ready', es: 'Tu certificado está listo' },
    },
    'certificate-revoked': {
      to: order.email,
      publish: () =>
        publish('certificate.revoked', {
          orderId,
          code: 'K7QF-M2XD-9WBN',
          cause: 'admin',
          reason: 'A wrong name',
          at: AT,
        }),
      says: { en: 'Your certificate was revoked', es: 'Tu certificado fue revocado' },
    },
    gift: { to: mateo, publish: giveTrees, says: { en: 'Lucía writes:', es: 'Lucía te escribe:' } },
    'gift-sent': {
      to: order.email,
      publish: giveTrees,
      says: { en: 'Their mail server accepted', es: 'Su servidor de correo recibió' },
    },
    'gift-bounced': {
      to: transfer.email,
      publish: () => publish('gift.scheduled', transfer.gift({ recipientEmail: NO_ADDRESS, language })),
      says: { en: 'did not arrive', es: 'no llegó' },
    },
    'gift-refused': {
      to: transfer.email,
      publish: async () => {
        const { orderId: id } = transfer.created;
        const stateIs = (state: string) =>
          waitFor(async () => {
            const [gift] = await service.query('select state from notifications.gifts where order_id = $1', [
              id,
            ]);
            return gift?.state === state;
          });
        await stateIs('bounced');
        const deliverAt = '2099-12-24T14:00:00.000Z';
        await publish('gift.scheduled', transfer.gift({ language, revision: 2, deliverAt }));
        await stateIs('waiting');
        return publish('gift.declined', { orderId: id, at: AT });
      },
      says: { en: 'cannot go by email', es: 'no puede ir por correo' },
    },
    'gift-claimed': {
      to: order.email,
      publish: () => publish('gift.claimed', order.claim({ language })),
      says: { en: 'is in an account now', es: 'ya está en una cuenta' },
    },
    'gift-thanks': {
      to: order.email,
      publish: () => publish('gift.thanked', { orderId, text: 'Qué bonito', from: 'Mateo Ríos', at: AT }),
      says: { en: 'says thanks', es: 'te da las gracias' },
    },
    'growth-visit-due': {
      to: ana.email,
      publish: () =>
        publish('growth_visit.due', { ...visit, dueAt: AT, trees: 5, location: 'Cocora', reminders: 1 }),
      says: { en: 'a growth visit is still waiting', es: 'hay una visita que todavía espera' },
    },
    refunded: {
      to: order.email,
      publish: () =>
        publish('payment.refunded', {
          orderId,
          paymentId: order.succeeded.paymentId,
          refundId: 'r',
          amountMinor: 100_00,
          currency: 'COP',
          paidMinor: 823_00,
          refundedMinor: 100_00,
          isFull: false,
          reason: 'asked',
          at: AT,
        }),
      says: { en: 'back to you', es: 'Te devolvimos' },
    },
    'dispute-lost': {
      to: order.email,
      publish: () =>
        publish('payment.disputed', {
          orderId,
          paymentId: order.succeeded.paymentId,
          disputeId: 'd',
          amountMinor: 823_00,
          currency: 'COP',
          paidMinor: 823_00,
          lostMinor: 823_00,
          reason: 'fraudulent',
          status: 'lost',
          at: AT,
        }),
      says: { en: 'Your bank took back', es: 'Tu banco retiró' },
    },
    'withdrawal-requested': {
      to: order.email,
      publish: () =>
        publish('order.withdrawal_requested', {
          orderId,
          method: { kind: 'card' },
          requestedAt: AT,
          refundBy: AT,
        }),
      says: { en: 'We have your cancellation', es: 'Recibimos tu retracto' },
    },
    'withdrawal-retracted': {
      to: order.email,
      publish: () =>
        publish('order.withdrawal_retracted', { orderId, by: { role: 'customer', name: 'Lucía' }, at: AT }),
      says: { en: 'Your cancellation no longer counts', es: 'Tu retracto ya no cuenta' },
    },
    'refund-failed': {
      to: order.email,
      publish: () =>
        publish('payment.refund_failed', {
          orderId,
          paymentId: order.succeeded.paymentId,
          refundId: 'r',
          amountMinor: 100_00,
          currency: 'COP',
          paidMinor: 823_00,
          reason: 'expired_or_canceled_card',
          at: AT,
        }),
      says: { en: 'back to us', es: 'Tu banco nos regresó' },
    },
    ...accounts(),
  };
  return { begin, kinds };

  function accounts() {
    const [verify, reset, invite, change, colleague] = links;
    const [from, email, protectedBy, promoted] = [newEmail(), newEmail(), newEmail(), newEmail()];
    return {
      'verify-email': {
        to: verify.email,
        publish: () => publish('email.verification_requested', verify),
        says: { en: 'Verify this address', es: 'Verificar este correo' },
      },
      'reset-password': {
        to: reset.email,
        publish: () => publish('password.reset_requested', { ...reset, role: 'admin' as const }),
        says: {
          en: '/reset-password#role=admin&token=the-token',
          es: '/reset-password#role=admin&token=the-token',
        },
      },
      'worker-invited': {
        to: invite.email,
        publish: () => publish('worker.invited', { ...invite, role: 'worker' as const, code: 'QU-014' }),
        says: { en: 'Worker id: QU-014', es: 'Código: QU-014' },
      },
      'admin-invited': {
        to: colleague.email,
        publish: () =>
          publish('admin.invited', { ...colleague, role: 'admin' as const, adminRole: 'finance' as const }),
        says: { en: 'Your role: Finance', es: 'Tu rol: Finanzas' },
      },
      'admin-role-changed': {
        to: promoted,
        publish: () =>
          publish('admin.role_changed', {
            ...account,
            email: promoted,
            from: 'support' as const,
            to: 'coordinator' as const,
            active: true,
            at: AT,
          }),
        says: { en: 'your role is now Coordinator', es: 'tu rol ahora es Coordinación' },
      },
      'confirm-email': {
        to: change.email,
        publish: () => publish('email.change_requested', change),
        says: { en: '/confirm-email#token=the-token', es: '/confirm-email#token=the-token' },
      },
      'email-changed': {
        to: from,
        publish: () =>
          publish('email.changed', { ...account, from, to: newEmail(), fromVerified: true, at: AT }),
        says: { en: 'has another address now', es: 'tiene ahora otro correo' },
      },
      'password-changed': {
        to: email,
        publish: () => publish('password.changed', { ...account, email, at: AT }),
        says: { en: 'Your password was changed'.slice(5), es: 'ambió tu contraseña' },
      },
      'second-factor-changed': {
        to: protectedBy,
        publish: () =>
          publish('second_factor.changed', {
            ...account,
            role: 'admin' as const,
            email: protectedBy,
            enabled: false,
            at: AT,
          }),
        says: { en: 'your password alone is enough to log in', es: 'basta tu contraseña para entrar' },
      },
    };
  }
}
