import {
  cardPayment,
  checkoutTour,
  chunk,
  desk,
  growth,
  landing,
  logIn,
  editForm,
  orderPage,
  ordersPanel,
  payment,
  plantTrees,
  portal,
  register,
  session,
  submit,
  transfer,
  workerPhotos,
  workerPortal,
  transfersPanel,
  review,
} from './files.ts';
import { type Section, shown } from './requirement.ts';

export const ERRORS: Section = {
  title: '8. Error catalogue',
  requirements: [
    shown(
      'Login: the server’s error, or “Login failed”; without a network “Login failed. Please try again.”',
      logIn('%s is shown, and what was typed stays', 'shows a refusal in the page’s language'),
    ),
    shown('Registration: “Passwords do not match”', register('refuses different passwords before sending')),
    shown(
      'Registration: the server’s error, or “Registration failed”; without a network “Registration failed. Please try again.”',
      register('shows a refusal beside its field and focuses it', '%s'),
    ),
    shown(
      '“Stripe has not loaded yet. Please try again.”',
      cardPayment(
        'reports a blocked script with a retry and the other payment method; Enter says that it has not loaded',
      ),
    ),
    shown(
      '“Card element not found. Please refresh the page.”',
      cardPayment('asks to reload the page when the card form is missing'),
    ),
    shown(
      '“Failed to create payment intent.”, the provider’s own message, “Payment failed. Please try again.”',
      cardPayment(
        '%s: what happened is said, what was typed stays, and the next press goes on',
        'shows the provider’s own message, and ours for any other failure',
      ),
      payment('a declined card says so beside the form, charges nothing, and another card then pays'),
    ),
    shown(
      '“Failed to create manual payment order”, or the server’s error',
      transfer('reports a server error in the spec’s or its own words, and keeps all input'),
      submit('a fault of ours is reported in the product spec’s words'),
    ),
    shown(
      '“Payment received! Your order will be verified within 24-48 hours. Check your email for updates.”',
      transfer('sends every field of the spec with upload progress, and leads to the order'),
      orderPage('a waiting transfer shows when it will be verified, and promises nothing yet'),
    ),
    shown(
      '“Please fill in all required fields”, “Please upload payment evidence”, “Please enter at least 1 tree”',
      cardPayment('Pay waits for name and email and says so; Enter before that lists what is required'),
      transfer('Pay waits for a picture; Enter before that asks for evidence'),
      plantTrees('updates the custom price while typing, and refuses a count below one beside the field'),
    ),
    shown(
      '“Failed to update order status”',
      ordersPanel('a failed change reports in the spec’s words, stays open, and reloads the list'),
    ),
    shown(
      '“Failed to update order”; “Order updated successfully!”',
      editForm(
        'a failed edit shows the reason and keeps the input',
        'an edit sends changed fields with the version that was read, and confirms in the spec’s words',
      ),
    ),
    shown(
      '“Payment rejected”; “Payment verified successfully!”',
      transfersPanel(
        'a rejection needs a reason; suggestions are in the donor’s language',
        'compares received and expected amounts, and sends minor units',
      ),
      desk(
        'is rejected with a reason that the donor reads',
        'is reviewed with its proofs, approved once by a double click, and its donor sees it',
      ),
    ),
    shown(
      '“Failed to reject payment”; “Failed to verify payment”',
      review('to who wants to %s'),
      transfersPanel('a lost answer to %s says so, keeps what was typed and can be sent again'),
    ),
    shown(
      '“Failed to create checkout session”; “Failed to process payment”',
      growth('%s says so, and another try is possible'),
    ),
    shown(
      '“Failed to update assignment status”; “Failed to upload photos”',
      workerPortal('a refused step shows the reason, is reverted, and can be dismissed'),
      workerPhotos('a refused photo shows the reason, blocks no other, and can be dismissed'),
    ),
    shown(
      'Without prices: US dollars, rate 1, 5.00 a tree, silently',
      plantTrees('falls back to dollar prices without an answer'),
      landing('falls back to fifty thousand trees and the price in dollars'),
    ),
    shown(
      'Without figures: 50,000 trees',
      landing('falls back to fifty thousand trees and the price in dollars'),
    ),
    shown(
      'A photo that does not load is hidden',
      portal('opens a photo large and omits one that does not load'),
      orderPage('omits a photo that fails to load'),
      workerPhotos('hides a thumbnail that does not load'),
      transfersPanel('replaces evidence that cannot be loaded by a text'),
    ),
    shown('A token that is not good is removed', session('removes a token refused with %i')),
    shown(
      'A part of the app without an answer for 120 seconds counts as lost; the page is loaded again once',
      chunk(
        'fails a chunk after 120 seconds without an answer, not before',
        'reloads the page once, and again only after a while',
      ),
    ),
    shown(
      'Files that are refused are named with what is wrong',
      transfer('refuses files that are no picture, too large, too many or duplicates, and can remove them'),
      checkoutTour(
        'what is no picture, too large or one too many is refused before sending; what is damaged, by the server',
      ),
    ),
  ],
};
