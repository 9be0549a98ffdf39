import type { AdminRole } from '@arboleda/contracts/permissions.ts';
import type { GiftCard } from '@arboleda/contracts/gift.ts';
import { fullName, wordsIn } from './words.ts';
import type { OrderFacts, Planter, WentBack } from './facts.ts';
import type { Frame } from './mail.ts';
import { ORGANISATION } from '@arboleda/contracts/organisation.ts';

export const words = wordsIn('es');

export const trees = (count: number): string => words.counted(count, 'árbol', 'árboles');

/** "tu árbol", "tus 5 árboles" */
export const yourTrees = (count: number): string => (count === 1 ? 'tu árbol' : `tus ${trees(count)}`);

export const photos = (count: number): string => words.counted(count, 'foto', 'fotos');

export const NOTES = {
  donor:
    'Recibes este correo porque alguien compró árboles con tu dirección. El enlace es privado: quien lo tenga ve tu pedido.',
  recipient:
    'Recibes este correo porque te regalaron estos árboles y los tienes en tu cuenta. Quien tenga el enlace los ve.',
  worker: 'Recibes este correo porque siembras con Arboleda.',
  office: 'Recibes este correo porque esta es la dirección de la organización en Arboleda.',
  link: 'Si no lo pediste, ignora este correo y no uses el enlace. No pasa nada.',
};

/** Why a donor, or a gift's recipient, gets an email about trees. */
export const noteOf = ({ giftToken }: OrderFacts): string =>
  giftToken === undefined ? NOTES.donor : NOTES.recipient;

/** Como en la pestaña Equipo. */
export const ADMIN_ROLE_NAMES: Record<AdminRole, string> = {
  owner: 'Dirección',
  finance: 'Finanzas',
  coordinator: 'Coordinación',
  support: 'Atención',
  auditor: 'Auditoría',
};

export const DRAWINGS: Record<GiftCard, string> = {
  sapling: 'Dibujo de un arbolito frente a montañas verdes',
  valley: 'Dibujo de un árbol joven entre palmas de cera en un valle',
  forest: 'Dibujo de un bosque con árboles en flor amarilla',
  night: 'Dibujo de un guayacán amarillo en flor, de noche',
};

/** A quien se hizo el regalo, en un correo a quien lo compró; sin nombre si se borraron sus datos. */
export const named = (gift: { recipientName: string } | undefined): string =>
  (gift && fullName(gift.recipientName)) || 'la persona que lo recibe';

/** Una línea en el recibo de un regalo. */
export const givenTo = (
  gift: { recipientName: string; deliverOn?: string | undefined } | undefined,
): string[] =>
  gift?.deliverOn === undefined ? [] : [`Tu regalo llega a ${named(gift)} el ${words.date(gift.deliverOn)}.`];

export const PACKAGES = {
  first_year: 'Primer año',
  three_year: 'Historia de tres años',
  lifetime: 'Toda la vida',
};

/** "3, 6 y 12 meses después de la siembra", "enseguida, y 6, 12 … meses después de la siembra" */
export function when(months: readonly number[]): string {
  const later = `${words.list(months.filter((month) => month > 0))} meses después de la siembra`;
  return months.includes(0) ? `enseguida, y ${later}` : later;
}

/** En un recibo que nombra a quien siembra. */
export const willPlant = ({ name, region }: Planter, count: number): string =>
  `${name} trabaja en ${region} y va a sembrar ${yourTrees(count)}. Apenas ${count === 1 ? 'esté sembrado' : 'estén sembrados'}, te enviamos el lugar.`;

export function whatFollows({
  isFull,
  isPlanted,
  trees: count,
  photoPackage,
  isWithdrawal,
}: WentBack): string[] {
  if (photoPackage?.isSurplus) return ['No pudimos agregar el paquete a tu pedido.'];
  if (!isFull) return [];
  if (photoPackage) return ['Las visitas que faltaban quedan canceladas. Las fotos que ya tienes se quedan.'];
  if (isWithdrawal && !isPlanted)
    return [
      `Te retractaste de esta compra, así que ${yourTrees(count)} no se ${count === 1 ? 'sembrará' : 'sembrarán'}.`,
    ];
  return isPlanted
    ? ['Lo sembrado se queda en tierra, y tu enlace privado sigue funcionando.']
    : [
        `Como todo el dinero volvió a ti, ${yourTrees(count)} no se ${count === 1 ? 'sembrará' : 'sembrarán'}.`,
      ];
}

export const WHY_NOT = {
  'other-worker': 'Ahora lo tiene otra persona. Si ya ibas en camino, habla primero con la oficina.',
  held: 'El donante se retracta de la compra. Por favor no lo siembres.',
  'held-by-office':
    'La oficina está revisando el pago. Por favor no lo siembres hasta que te avisen otra vez.',
  withdrawn: 'Se devolvió el dinero antes de la siembra. Por favor no lo siembres.',
  'taken-back': 'La oficina lo retomó. Por favor no lo siembres hasta que te avisen otra vez.',
};

export const frame: Frame = {
  motto: 'Árboles nativos, sembrados en Colombia',
  spelledOut: 'Si el botón no funciona, abre este enlace:',
  orderLink: 'Tu pedido, en su enlace privado:',
  stopNews: 'No recibir más correos sobre fotos:',
  stopGifts: 'No recibir más regalos por correo, de nadie:',
  sender: (name) => `${name} por medio de ${ORGANISATION.name}`,
  help: 'Ayuda',
  privacy: 'Privacidad',
  terms: 'Términos',
};
