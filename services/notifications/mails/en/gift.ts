import type { GiftCard } from '@arboleda/contracts/gift.ts';
import { shortId } from '@arboleda/contracts/order.ts';
import type { Texts } from '../content.ts';
import { cardPath } from '../links.ts';
import { called, firstName, fullName, withoutLinks } from '../words.ts';
import { NOTES, trees, words } from './words.ts';

const DRAWINGS: Record<GiftCard, string> = {
  sapling: 'Drawing of a sapling before green mountains',
  valley: 'Drawing of a young tree among wax palms in a valley',
  forest: 'Drawing of a forest with trees in yellow flower',
  night: 'Drawing of a yellow guayacán in flower at night',
};

/** The recipient in an email to the buyer; erased recipients have no name. */
const named = (gift: { recipientName: string } | undefined): string =>
  (gift && fullName(gift.recipientName)) || 'the recipient';

/** A gift to its recipient, and what became of it to its buyer. */
export const gift: Texts<
  'gift' | 'gift-sent' | 'gift-bounced' | 'gift-refused' | 'gift-claimed' | 'gift-thanks'
> = {
  gift(facts, name) {
    const from = facts.from === undefined ? '' : fullName(facts.from);
    const message = withoutLinks(facts.message);
    const one = facts.trees === 1;
    return {
      from,
      subject: from ? `A gift from ${from}: ${trees(facts.trees)}` : `A gift for you: ${trees(facts.trees)}`,
      preview: `${one ? 'A native tree' : 'Native trees'}, planted in Colombia. Follow how ${one ? 'it grows' : 'they grow'}.`,
      title: called(
        name,
        from ? `${from} has given you ${trees(facts.trees)}.` : `you have been given ${trees(facts.trees)}.`,
      ),
      paragraphs: [
        ...(message ? [from ? `${firstName(from) || from} writes:` : 'The card says:'] : []),
        `${one ? 'It is a native tree' : 'They are native trees'}, planted by hand in Colombia. Your page shows who plants ${one ? 'it' : 'them'}, where, and how ${one ? 'it grows' : 'they grow'}. There you can also say thanks, or keep ${one ? 'it' : 'them'} in an account.`,
      ],
      quote: message || undefined,
      pictures: [{ path: cardPath(facts.card), alt: DRAWINGS[facts.card] }],
      rows: [
        ['From', from || undefined],
        ['Trees', trees(facts.trees)],
      ],
      action: 'Open your gift',
      note: `You are receiving this email because ${from || 'someone'} entered your address for this gift. Anyone with the link can open it.`,
    };
  },

  'gift-sent': (facts) => ({
    subject: `Your gift was delivered · order ${shortId(facts.orderId)}`,
    preview: `The email to ${named(facts.gift)} went out.`,
    title: `Your gift to ${named(facts.gift)} was delivered.`,
    paragraphs: [
      'Their mail server accepted the email with your card. If they cannot find it, ask them to look in the spam folder; from your order you can send it again, once a day.',
    ],
    rows: [
      ['Order', shortId(facts.orderId)],
      ['For', facts.gift?.recipientName],
      ['Trees', trees(facts.trees)],
      ['Delivered', words.moment(facts.deliveredAt)],
    ],
    action: 'See your order',
    note: NOTES.donor,
  }),

  'gift-bounced': (facts) => ({
    subject: `Your gift did not arrive · order ${shortId(facts.orderId)}`,
    preview: 'The address does not work. You can correct it.',
    title: `Your gift to ${named(facts.gift)} did not arrive.`,
    paragraphs: [
      'The email came back: this address does not exist, or accepts no email at the moment.',
      'Open your order at its private link and correct the address. The gift is then sent again, with a new link. Or choose to hand it over yourself, with the card as a PDF.',
    ],
    rows: [
      ['Order', shortId(facts.orderId)],
      ['For', facts.gift?.recipientName],
      ['Address', facts.gift?.recipientEmail],
    ],
    action: 'Correct the address',
    note: NOTES.donor,
  }),

  'gift-refused': (facts) => ({
    subject: `Your gift cannot go by email · order ${shortId(facts.orderId)}`,
    preview: 'You can hand the card over yourself.',
    title: `Your gift to ${named(facts.gift)} cannot go by email.`,
    paragraphs: [
      'The owner of this address asked us not to send gifts by email, from anyone.',
      'You can still give it: open your order at its private link, choose to hand it over yourself, and print the card.',
    ],
    rows: [
      ['Order', shortId(facts.orderId)],
      ['For', facts.gift?.recipientName],
      ['Address', facts.gift?.recipientEmail],
    ],
    action: 'Get the card',
    note: NOTES.donor,
  }),

  'gift-claimed': (facts) => ({
    subject: `Your gift found its place · order ${shortId(facts.orderId)}`,
    preview: `It is in an account now.`,
    title: `Your gift to ${named(facts.gift)} is in an account now.`,
    paragraphs: [
      'From now on we also email its owner when there is something new about the trees. You keep getting these emails, and your order stays at your private link.',
    ],
    rows: [
      ['Order', shortId(facts.orderId)],
      ['For', facts.gift?.recipientName],
      ['Trees', trees(facts.trees)],
      ['Since', words.day(facts.claimedAt)],
    ],
    action: 'See your order',
    note: NOTES.donor,
  }),

  'gift-thanks': (facts) => ({
    subject: `Thanks for your gift · order ${shortId(facts.orderId)}`,
    preview: `${words.capitalised(named(facts.gift))} wrote to you.`,
    title: `${words.capitalised(named(facts.gift))} says thanks.`,
    paragraphs: [
      withoutLinks(facts.gift?.thanks) ? 'This is what they wrote:' : 'They thank you for your gift.',
    ],
    quote: withoutLinks(facts.gift?.thanks) || undefined,
    rows: [
      ['Order', shortId(facts.orderId)],
      ['Trees', trees(facts.trees)],
    ],
    action: 'See your order',
    note: NOTES.donor,
  }),
};

/** A line in the receipt of a gift. */
export const givenTo = (
  gift: { recipientName: string; deliverOn?: string | undefined } | undefined,
): string[] =>
  gift?.deliverOn === undefined ? [] : [`Your gift goes to ${named(gift)} on ${words.date(gift.deliverOn)}.`];
