import type { Compose, VerifyEmailFacts } from './content.ts';
import { firstName, moment } from './words.ts';

/** To whoever opened an account: prove that the address is yours. */
export const verifyEmail: Compose<VerifyEmailFacts> = (facts, { name, language, links }) => {
  const until = moment(facts.expiresAt, language);
  const url = links.verifyEmail(facts.token);
  return {
    en: {
      subject: 'Verify your email address',
      preview: 'One step, and your orders appear in your portal.',
      title: `${firstName(name)}, is this your address?`,
      paragraphs: [
        'Verify it, and the orders that were bought with it appear in your portal. If you are asked to log in, use the account you just opened.',
      ],
      rows: [['Link valid until', until]],
      action: { label: 'Verify this address', url },
      note: 'If you opened no account at Arboleda, ignore this mail and do not use the link. Nothing happens.',
    },
    es: {
      subject: 'Verifica tu correo',
      preview: 'Un paso, y tus pedidos aparecen en tu portal.',
      title: `${firstName(name)}, ¿este es tu correo?`,
      paragraphs: [
        'Verifícalo, y los pedidos que se compraron con él aparecen en tu portal. Si te pide iniciar sesión, entra con la cuenta que acabas de abrir.',
      ],
      rows: [['Enlace válido hasta', until]],
      action: { label: 'Verificar este correo', url },
      note: 'Si no abriste una cuenta en Arboleda, ignora este correo y no uses el enlace. No pasa nada.',
    },
  };
};
