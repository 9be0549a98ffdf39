import {
  cardPayment,
  edit,
  editForm,
  editSchema,
  evidence,
  logIn,
  missing,
  checkoutTour,
  payment,
  plantTrees,
  register,
  review,
  selection,
  submit,
  transfer,
  transfersPanel,
  desk,
} from './files.ts';
import { type Section, shown } from './requirement.ts';

export const VALIDATION: Section = {
  title: '5. Validation rules',
  requirements: [
    shown(
      'A count of one’s own is at least 1, and 1 when it is no number',
      selection('parses a count as an integer, and as one when invalid'),
    ),
    shown(
      'Below 1: “Please enter at least 1 tree”',
      plantTrees('updates the custom price while typing, and refuses a count below one beside the field'),
      checkoutTour(
        'no trees, no payment: less than one tree is told beside the number, and again by the button',
      ),
    ),
    shown(
      'Name and email are required; Pay waits for them',
      cardPayment('Pay waits for name and email and says so; Enter before that lists what is required'),
      missing('requires name, email and the card library for a card payment'),
    ),
    shown(
      'Pay does nothing while a payment is on its way',
      payment('a double click charges once'),
      cardPayment('locks the selection and the checkout while a payment is in progress'),
    ),
    shown(
      'By card, Pay waits for the payment library',
      missing('requires name, email and the card library for a card payment'),
      cardPayment(
        'reports a blocked script with a retry and the other payment method; Enter says that it has not loaded',
      ),
    ),
    shown(
      'By transfer, Pay waits for a file',
      missing('requires name, email, amount and a picture for a transfer'),
      transfer('Pay waits for a picture; Enter before that asks for evidence'),
    ),
    shown(
      'A transfer without name or email: “Please fill in all required fields”',
      submit('%s'),
      transfer('Pay waits for a picture; Enter before that asks for evidence'),
    ),
    shown(
      'A transfer without files: “Please upload payment evidence”',
      transfer('Pay waits for a picture; Enter before that asks for evidence'),
      submit('no file'),
    ),
    shown(
      'At most three pictures of at most 5 MB each, JPG, PNG or GIF',
      evidence(
        'accepts three pictures, no fourth, and no duplicate',
        'accepts a picture of 5 MB and refuses one byte more',
      ),
      transfer('refuses files that are no picture, too large, too many or duplicates, and can remove them'),
      submit('when there are four', 'with a %s, whatever its file name'),
    ),
    shown(
      'Reference and phone may be left out; the phone is asked for with transfers only',
      submit('without the optional fields'),
      plantTrees(
        'the checkout has summary, method, details, card or transfer, Cancel and Pay, and asks a phone number for transfers only',
      ),
    ),
    shown(
      'Registering needs name, email, password and the same password again: “Passwords do not match”',
      register('refuses different passwords before sending'),
    ),
    shown(
      'A password has a least length',
      register('requires at least ten characters in a password, like the server'),
    ),
    shown(
      'Logging in needs email and password',
      logIn('requires both fields before sending, and focuses the first empty one'),
    ),
    shown('A worker’s id is sent as the email', logIn('sends the field labelled worker id as the email')),
    shown(
      'Editing an order: trees are an integer, 0 when they are none',
      edit('parses trees as an integer, 0 when invalid'),
      editSchema('refuses %j'),
    ),
    shown(
      'Editing an order: the amount is typed in major units, multiplied by 100 and rounded',
      edit('multiplies an amount by 100 and rounds, except for currencies without decimals'),
    ),
    shown(
      'Editing an order: eight currencies to choose from; latitude and longitude in steps of 0.000001',
      edit('offers eight usual currencies'),
      editForm('an edit offers eight currencies, and places to a millionth of a degree'),
      editForm('the arrow keys move a place by a millionth of a degree'),
    ),
    shown(
      'Rejecting a transfer asks first and needs a reason',
      transfersPanel('a rejection needs a reason; suggestions are in the donor’s language'),
      review('with a reason that the donor receives'),
    ),
    shown(
      'Approving a transfer asks first',
      transfersPanel('sends an approval only after confirmation'),
      desk('is reviewed with its proofs, approved once by a double click, and its donor sees it'),
    ),
  ],
};
