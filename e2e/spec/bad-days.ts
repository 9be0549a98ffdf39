import {
  accessible,
  album,
  cardPayment,
  checkoutTour,
  client,
  customerTour,
  desk,
  draft,
  gate,
  growth,
  logIn,
  mapCard,
  offlineNotice,
  ordersTour,
  payment,
  portal,
  problemText,
  publicTour,
  queryClient,
  refresh,
  session,
  slowServer,
  transfer,
  typedText,
  workerPortal,
  workerSignal,
  workerTour,
} from './files.ts';
import { type Section, shown } from './requirement.ts';

/** Beside the specification: what goes wrong in people’s hands, for guests, donors, workers and admins. */
export const BAD_DAYS: Section = {
  title: 'Bad days',
  requirements: [
    shown(
      'A slow line (3G at 400 kbit/s and 400 ms): pages are read before scripts are there, and paying works',
      checkoutTour(
        'over slow 3G the packages are read before the scripts are there, and the payment goes through',
      ),
      client('a JSON answer that stalls fails; a file that has begun may take longer'),
    ),
    shown(
      'Offline at every step: before, while typing, while paying, while sending, while looking',
      checkoutTour(
        'offline when paying by card: it says so, and one more press charges once',
        'offline when sending a transfer: nothing is lost, and one more press makes one order',
      ),
      publicTour('without a network the page says so, and stops when it is back'),
      offlineNotice('shows a notice while offline'),
      portal('a failed load says that orders are safe and offers a retry'),
      workerSignal(
        'a day’s work survives the closed tab and arrives once, in order, whatever windows are open',
        'what waits is sent by the browser itself when signal comes back, with no window of the portal open',
      ),
    ),
    shown(
      'The API answers 500, 503 or 429: what happened is said, what was typed stays, and Retry-After is kept',
      cardPayment('%s: what happened is said, what was typed stays, and the next press goes on'),
      transfer('reports a server error in the spec’s or its own words, and keeps all input'),
      growth('%s says so, and another try is possible'),
      logIn('%s is shown, and what was typed stays'),
      problemText('shows the waiting time in the page’s language'),
      queryClient(
        '%s is retried automatically: %s',
        'retries twice, after one and two seconds, and not before Retry-After',
      ),
      refresh('polls shown data, but not before Retry-After'),
      workerPortal('a temporary failure keeps the step, and a retry sends the same one'),
    ),
    shown(
      'The API never answers: it is given up in time, and comes when asked again',
      slowServer(
        'a server that says nothing: %s are given up in time, and come when asked again',
        'a server that says nothing: the dialog at %s is given up in time, and comes when asked again',
      ),
    ),
    shown(
      'A token ends in the middle of a form: after logging in again all is there',
      gate('login says why, and the same person finds the earlier input'),
      ordersTour(
        'a token that ends in the middle of an edit costs nothing: after logging in all is there and saves',
      ),
      publicTour('two roles in one browser do not disturb each other, and an end is explained and survived'),
      workerPortal('a session that ends early keeps waiting items and says so at login'),
    ),
    shown(
      'Stripe’s script is blocked, or takes more than ten seconds: the other way to pay is offered',
      checkoutTour('with Stripe blocked the transfer is offered'),
      payment(
        'a card library that takes more than ten seconds is told with the other way to pay; it may still come',
      ),
    ),
    shown(
      'Maps are blocked or offline: drawing and coordinates stay',
      customerTour('many photos: the lightbox by keyboard, a photo that fails, and a map that is blocked'),
      mapCard(
        'offline the drawing stays with a notice, and a retry works once online',
        'the drawing and coordinates return when nothing loads',
      ),
    ),
    shown(
      'Storage is full, or forbidden: said where it matters, and nothing is lost silently',
      session(
        'works in a browser that forbids storage',
        'full storage keeps no old token instead of a new one',
      ),
      draft('lasts as long as the page when storage is missing or full'),
      transfer('asks for the pictures again after a reload when the browser did not keep them'),
      workerTour('a browser without storage says so and sends at once; new work shows up by itself'),
      workerSignal('on a phone without room it says so, keeps everything in the page, and sends it all'),
    ),
    shown(
      'JavaScript is late or off: the page is read, its links lead on, and what was chosen before is not forgotten',
      publicTour('before any script runs the page is read and its links lead on'),
      checkoutTour('a page that is chosen from before its scripts arrive has not forgotten it when they do'),
      payment('what is typed before the card fields have arrived stays'),
    ),
    shown(
      'A name of 40 characters, an order of 10,000 trees',
      customerTour(
        'a status moves along the line in the portal and on the order’s page while somebody looks',
      ),
      desk('is reviewed with its proofs, approved once by a double click, and its donor sees it'),
    ),
    shown(
      'An order with 30 photos: by key, by button and by finger',
      album(
        'thirty photos open in the lightbox and are moved through by key and by button, and the focus comes back',
        'a finger swipes from photo to photo, and two make one larger without moving on or zooming the page',
      ),
    ),
    shown(
      'Text pasted from right-to-left writing',
      typedText(
        'removes pasted direction marks, tabs and zero-width spaces from a name',
        'cleans an address pasted from right-to-left text',
      ),
    ),
    shown('A zoom of 200 %, a window of 320 px: on every screen nothing sticks out', accessible('%s')),
  ],
};
