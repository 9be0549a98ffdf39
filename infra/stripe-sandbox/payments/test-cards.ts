import { docUrl } from '../http/errors.ts';

/** Result of charging a card. */
export type Behaviour =
  | { kind: 'pays' }
  | { kind: 'pays_then_disputed' }
  | { kind: 'declines'; code: string; declineCode: string; message: string; blocked?: boolean }
  | { kind: 'authenticates'; then: 'pays' | 'generic_decline' }
  /** Stays `processing` until the control API settles it: specific to the sandbox, for slow payment methods. */
  | { kind: 'processes' };

const DECLINED = 'Your card was declined.';
const declines = (code: string, declineCode: string, message: string): Behaviour => ({
  kind: 'declines',
  code,
  declineCode,
  message,
});

/** https://docs.stripe.com/testing, and `processing`, which is specific to the sandbox. */
export const BEHAVIOURS: Record<string, Behaviour> = {
  pays: { kind: 'pays' },
  disputed: { kind: 'pays_then_disputed' },
  generic_decline: declines('card_declined', 'generic_decline', DECLINED),
  insufficient_funds: declines('card_declined', 'insufficient_funds', 'Your card has insufficient funds.'),
  lost_card: declines('card_declined', 'lost_card', DECLINED),
  stolen_card: declines('card_declined', 'stolen_card', DECLINED),
  card_velocity_exceeded: declines(
    'card_declined',
    'card_velocity_exceeded',
    'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
  ),
  fraudulent: { ...declines('card_declined', 'fraudulent', DECLINED), blocked: true } as Behaviour,
  expired_card: declines('expired_card', 'expired_card', 'Your card has expired.'),
  incorrect_cvc: declines('incorrect_cvc', 'incorrect_cvc', "Your card's security code is incorrect."),
  processing_error: declines(
    'processing_error',
    'processing_error',
    'An error occurred while processing your card. Try again in a little bit.',
  ),
  authentication: { kind: 'authenticates', then: 'pays' },
  authentication_then_decline: { kind: 'authenticates', then: 'generic_decline' },
  processing: { kind: 'processes' },
};

interface TestCard {
  number: string;
  behaviour: string;
  country?: string;
  funding?: string;
}

/** Any other number is a real card, which test mode rejects. */
const TEST_CARDS: TestCard[] = [
  { number: '4242424242424242', behaviour: 'pays' },
  { number: '4000056655665556', behaviour: 'pays', funding: 'debit' },
  { number: '5555555555554444', behaviour: 'pays' },
  { number: '2223003122003222', behaviour: 'pays' },
  { number: '5200828282828210', behaviour: 'pays', funding: 'debit' },
  { number: '378282246310005', behaviour: 'pays' },
  { number: '371449635398431', behaviour: 'pays' },
  { number: '6011111111111117', behaviour: 'pays' },
  { number: '3056930009020004', behaviour: 'pays' },
  { number: '36227206271667', behaviour: 'pays' },
  { number: '3566002020360505', behaviour: 'pays' },
  { number: '6200000000000005', behaviour: 'pays' },
  { number: '4000001700000003', behaviour: 'pays', country: 'CO' },
  { number: '4000004840008001', behaviour: 'pays', country: 'MX' },
  { number: '4000000760000002', behaviour: 'pays', country: 'BR' },
  { number: '4000000320000021', behaviour: 'pays', country: 'AR' },
  { number: '4000001520000001', behaviour: 'pays', country: 'CL' },
  { number: '4000007240000007', behaviour: 'pays', country: 'ES' },
  { number: '4000000000000259', behaviour: 'disputed' },
  { number: '4000000000000002', behaviour: 'generic_decline' },
  { number: '4000000000009995', behaviour: 'insufficient_funds' },
  { number: '4000000000009987', behaviour: 'lost_card' },
  { number: '4000000000009979', behaviour: 'stolen_card' },
  { number: '4000000000006975', behaviour: 'card_velocity_exceeded' },
  { number: '4100000000000019', behaviour: 'fraudulent' },
  { number: '4000000000000069', behaviour: 'expired_card' },
  { number: '4000000000000127', behaviour: 'incorrect_cvc' },
  { number: '4000000000000119', behaviour: 'processing_error' },
  { number: '4000000000003220', behaviour: 'authentication' },
  { number: '4000002760003184', behaviour: 'authentication' },
  { number: '4000002500003155', behaviour: 'authentication' },
  { number: '4000003800000446', behaviour: 'authentication' },
  { number: '4000008400001629', behaviour: 'authentication_then_decline' },
  { number: '4000000000000606', behaviour: 'processing' },
];

/** Payment methods of every test account; each use creates a new one, like Stripe. */
const TEST_METHODS: Record<string, string> = {
  pm_card_visa: '4242424242424242',
  pm_card_visa_debit: '4000056655665556',
  pm_card_mastercard: '5555555555554444',
  pm_card_amex: '378282246310005',
  pm_card_discover: '6011111111111117',
  pm_card_co: '4000001700000003',
  pm_card_createDispute: '4000000000000259',
  pm_card_chargeDeclined: '4000000000000002',
  pm_card_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_chargeDeclinedLostCard: '4000000000009987',
  pm_card_chargeDeclinedStolenCard: '4000000000009979',
  pm_card_chargeDeclinedExpiredCard: '4000000000000069',
  pm_card_chargeDeclinedIncorrectCvc: '4000000000000127',
  pm_card_chargeDeclinedProcessingError: '4000000000000119',
  pm_card_radarBlock: '4100000000000019',
  pm_card_authenticationRequired: '4000002760003184',
  pm_card_threeDSecureRequired: '4000000000003220',
  pm_card_threeDSecure2Required: '4000000000003220',
  pm_card_authenticationRequiredChargeDeclined: '4000008400001629',
  pm_card_processing: '4000000000000606',
};

export const testCard = (number: string): TestCard | undefined =>
  TEST_CARDS.find((card) => card.number === number);

/** The number behind a test id; Stripe spells some with and some without `visa`. */
export const testMethodNumber = (id: string): string | undefined =>
  TEST_METHODS[id] ?? TEST_METHODS[id.replace('pm_card_visa_', 'pm_card_')];

export const behaviourNamed = (name: string): Behaviour => BEHAVIOURS[name] ?? { kind: 'pays' };

/** The error of a declined card, in the form of `last_payment_error`. */
export const declineError = (behaviour: Extract<Behaviour, { kind: 'declines' }>, charge: string) => ({
  charge,
  code: behaviour.code,
  decline_code: behaviour.declineCode,
  doc_url: docUrl(behaviour.code),
  message: behaviour.message,
  type: 'card_error' as const,
});
