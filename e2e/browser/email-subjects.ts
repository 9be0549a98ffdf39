import type { Language } from '../harness/texts.ts';

/** Subjects of the emails to donors, by kind. */
export const SUBJECTS: Record<Language, Record<string, RegExp>> = {
  en: {
    receipt: /^Receipt for/,
    assigned: /will plant/,
    planted: /in the ground/,
    photos: /new photos? of/,
    completed: /is complete/,
    'photo-package': /growth updates/,
    refunded: /^Refund of/,
    'transfer-received': /^We have your transfer/,
    'transfer-approved': /^Transfer approved/,
    'transfer-rejected': /^We could not verify your transfer/,
    'verify-email': /^Verify your email/,
    'reset-password': /^Choose a new password/,
  },
  es: {
    receipt: /^Recibo de/,
    assigned: /va a sembrar/,
    planted: /ya (está|están) sembrados?/,
    photos: /fotos? nuevas? de/,
    completed: /está completo/,
    'photo-package': /visitas · pedido/,
    refunded: /^Devolución de/,
    'transfer-received': /^Recibimos tu transferencia/,
    'transfer-approved': /^Transferencia aprobada/,
    'transfer-rejected': /^No pudimos verificar/,
    'verify-email': /^Verifica tu correo/,
    'reset-password': /^Elige una contraseña nueva/,
  },
};
