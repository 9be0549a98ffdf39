import type { Frame, Texts } from '../content.ts';
import { account } from './account.ts';
import { certificate } from './certificate.ts';
import { growth } from './growth.ts';
import { payment } from './payment.ts';
import { planting } from './planting.ts';
import { worker } from './worker.ts';

export const en: Texts = { ...payment, ...planting, ...growth, ...certificate, ...worker, ...account };

export const enFrame: Frame = {
  motto: 'Native trees, planted in Colombia',
  spelledOut: 'If the button does not work, open this link:',
  orderLink: 'Your order, at its private link:',
  stopNews: 'No more emails about photos:',
  help: 'Help',
  privacy: 'Privacy',
  terms: 'Terms',
};
