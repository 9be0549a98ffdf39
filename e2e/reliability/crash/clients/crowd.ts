import { buyAndRefund, buyByCard, buyByTransfer, buyGrowth, register } from './buyers.ts';
import type { Line } from './line.ts';

/** People who come one after another, some at a time. */
export interface Crowd {
  /** Nobody else comes. Resolves when all have what they came for, or have complained. */
  leave(): Promise<void>;
}

/** Ten visitors in turn: six pay by card, of whom one gets a refund and one buys a photo package. */
const visit = (line: Line, number: number): Promise<unknown> => {
  const email = `visitor-${number}@reliability.test`;
  switch (number % 10) {
    case 0:
    case 5:
      return buyByTransfer(line, email, number % 20 !== 15);
    case 2:
      return buyGrowth(line);
    case 4:
      return buyAndRefund(line, email);
    case 7:
      return register(line, email);
    default:
      return buyByCard(line, email);
  }
};

export function openCrowd(line: Line, atOnce: number): Crowd {
  let isLeaving = false;
  let next = 0;
  const people = Array.from({ length: atOnce }, async () => {
    while (!isLeaving) {
      const number = next++;
      await visit(line, number).catch((error: unknown) => {
        line.told.complaints.push(`visitor ${number}: ${describe(error)}`);
      });
    }
  });
  return {
    async leave() {
      isLeaving = true;
      await Promise.all(people);
    },
  };
}

const describe = (error: unknown): string => {
  const { message, cause } = error as Error;
  return cause === undefined ? message : `${message} (${(cause as Error).message})`;
};
