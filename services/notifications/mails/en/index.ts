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

export const en: Texts = {
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

export const enFrame: Frame = {
  motto: 'Native trees, planted in Colombia',
  spelledOut: 'If the button does not work, open this link:',
  orderLink: 'Your order, at its private link:',
  stopNews: 'No more emails about photos:',
  stopGifts: 'No more gifts by email, from anyone:',
  sender: (name) => `${name} via ${ORGANISATION.name}`,
  help: 'Help',
  privacy: 'Privacy',
  terms: 'Terms',
};
