import { ORGANISATION } from '@arboleda/contracts/organisation.ts';
import type { Frame, Texts } from '../content.ts';
import { account } from './account.ts';
import { certificate } from './certificate.ts';
import { gift } from './gift.ts';
import { growth } from './growth.ts';
import { office } from './office.ts';
import { payment } from './payment.ts';
import { planting } from './planting.ts';
import { withdrawal } from './withdrawal.ts';
import { worker } from './worker.ts';

export const es: Texts = {
  ...payment,
  ...withdrawal,
  ...planting,
  ...growth,
  ...certificate,
  ...gift,
  ...office,
  ...worker,
  ...account,
};

export const esFrame: Frame = {
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
