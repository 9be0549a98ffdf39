import {
  cardPayment,
  checkoutTour,
  chunk,
  desk,
  growth,
  landing,
  logIn,
  orderDialog,
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
      'Log-in: the server’s error, or “Login failed”; without a network “Login failed. Please try again.”',
      logIn('%s is shown, and what was typed stays', 'a refusal speaks the page’s language'),
    ),
    shown(
      'Registration: “Passwords do not match”',
      register('passwords that differ are told apart before anything is sent'),
    ),
    shown(
      'Registration: the server’s error, or “Registration failed”; without a network “Registration failed. Please try again.”',
      register('what the server finds wrong stands beside its field, which gets the focus', '%s'),
    ),
    shown(
      '“Stripe has not loaded yet. Please try again.”',
      cardPayment(
        'a blocked script is told, with another try and the other way to pay; Enter says it has not loaded',
      ),
    ),
    shown(
      '“Card element not found. Please refresh the page.”',
      cardPayment('without its card form on the page it asks to load the page again'),
    ),
    shown(
      '“Failed to create payment intent.”, the provider’s own message, “Payment failed. Please try again.”',
      cardPayment(
        '%s: what happened is said, what was typed stays, and the next press goes on',
        'the provider’s own sentence is told, and any other failure in ours',
      ),
      payment('a declined card says so beside the form, charges nothing, and another card then pays'),
    ),
    shown(
      '“Failed to create manual payment order”, or the server’s error',
      transfer('a server in trouble is told in the spec’s words or its own, and keeps everything'),
      submit('a fault of ours is reported in the product spec’s words'),
    ),
    shown(
      '“Payment received! Your order will be verified within 24-48 hours. Check your email for updates.”',
      transfer('it goes with everything the spec names, tells of each picture, and leads to the order'),
      orderPage('a transfer that is looked for says when it will be verified, and promises nothing yet'),
    ),
    shown(
      '“Please fill in all required fields”, “Please upload payment evidence”, “Please enter at least 1 tree”',
      cardPayment('Pay waits for name and email and says so; Enter before that is told what is required'),
      transfer('Pay waits for a picture; Enter before that asks for evidence'),
      plantTrees(
        'one’s own number is priced as it is typed, and a count below one is refused beside the field',
      ),
    ),
    shown(
      '“Failed to update order status”',
      ordersPanel(
        'a failed change reports in the spec’s words, stays open, and reloads the list',
      ),
    ),
    shown(
      '“Failed to update order”; “Order updated successfully!”',
      orderDialog(
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
      workerPortal('a refused step says why, is taken back on the screen, and can be put away'),
      workerPhotos('a refused photo says why, holds up no other, and can be put away'),
    ),
    shown(
      'Without prices: US dollars, rate 1, 5.00 a tree, silently',
      plantTrees('without prices from the server those in dollars stand in'),
      landing('when nothing can be loaded it shows fifty thousand trees and the price in dollars'),
    ),
    shown(
      'Without figures: 50,000 trees',
      landing('when nothing can be loaded it shows fifty thousand trees and the price in dollars'),
    ),
    shown(
      'A photo that does not load is hidden',
      portal('a photo opens large, and one that does not load is left out'),
      orderPage('a photo that fails to load is left out'),
      workerPhotos('a thumbnail that does not load is hidden'),
      transfersPanel('replaces evidence that cannot be loaded by a text'),
    ),
    shown('A token that is not good is removed', session('a token that is refused with %i is removed')),
    shown(
      'A part of the app without an answer for 120 seconds counts as lost; the page is loaded again once',
      chunk(
        'a part without an answer counts as lost after 120 seconds, and not before',
        'the page is loaded again once, and again only after a while',
      ),
    ),
    shown(
      'Files that are refused are named with what is wrong',
      transfer(
        'what is no picture, too large, one too many or chosen twice is refused beside its name, and can go again',
      ),
      checkoutTour(
        'what is no picture, too large or one too many is refused before sending; what is damaged, by the server',
      ),
    ),
  ],
};
