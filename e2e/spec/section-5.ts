import {
  cardPayment,
  edit,
  editSchema,
  evidence,
  logIn,
  missing,
  orderDialog,
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
      selection('a count is read as a whole number, and as one when it is none'),
    ),
    shown(
      'Below 1: “Please enter at least 1 tree”',
      plantTrees(
        'one’s own number is priced as it is typed, and a count below one is refused beside the field',
      ),
      payment('no trees, no payment: less than one tree is told beside the number, and again by the button'),
    ),
    shown(
      'Name and email are required; Pay waits for them',
      cardPayment('Pay waits for name and email and says so; Enter before that is told what is required'),
      missing('a card payment needs name, email and the card library'),
    ),
    shown(
      'Pay does nothing while a payment is on its way',
      payment('a double click charges once'),
      cardPayment(
        'while a payment is on its way, what is bought cannot be changed and the checkout not closed',
      ),
    ),
    shown(
      'By card, Pay waits for the payment library',
      missing('a card payment needs name, email and the card library'),
      cardPayment(
        'a blocked script is told, with another try and the other way to pay; Enter says it has not loaded',
      ),
    ),
    shown(
      'By transfer, Pay waits for a file',
      missing('a transfer needs name, email, its amount and a picture'),
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
        'three fit, a fourth does not, and the same one does not fit twice',
        'a picture of 5 MB is taken, one of a byte more is too large',
      ),
      transfer(
        'what is no picture, too large, one too many or chosen twice is refused beside its name, and can go again',
      ),
      submit('when there are four', 'with a %s, whatever its file name'),
    ),
    shown(
      'Reference and phone may be left out; the phone is asked for with transfers only',
      submit('without the optional fields'),
      plantTrees(
        'the checkout has summary, method, details, card or transfer, Cancel and Pay; a phone is asked for with transfers only',
      ),
    ),
    shown(
      'Registering needs name, email, password and the same password again: “Passwords do not match”',
      register('passwords that differ are told apart before anything is sent'),
    ),
    shown(
      'A password has a least length',
      register('a password has ten characters at least, as the server asks'),
    ),
    shown(
      'Logging in needs email and password',
      logIn('both fields are needed before anything is sent, and the first one gets the focus'),
    ),
    shown(
      'A worker’s id is sent as the email',
      logIn('what the field labelled worker id holds is sent as the email'),
    ),
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
      orderDialog('an edit offers eight currencies, and places to a millionth of a degree'),
    ),
    shown(
      'Rejecting a transfer asks first and needs a reason',
      transfersPanel('a rejection needs a reason; suggestions are in the donor’s language'),
      review('with a reason that the donor receives'),
    ),
    shown(
      'Approving a transfer asks first',
      transfersPanel(
        'sends an approval only after confirmation',
      ),
      desk('is reviewed with its proofs, approved once by a double click, and its donor sees it'),
    ),
  ],
};
