import {
  accountTour,
  dashboard,
  desk,
  edit,
  editForm,
  gate,
  growth,
  header,
  history,
  landing,
  line,
  logIn,
  orderDialog,
  orderList,
  ordersPanel,
  pages,
  checkoutTour,
  plantTrees,
  portal,
  sections,
  transfer,
  routes,
  transfersPanel,
  views,
  workerPhotos,
  workerPortal,
  counters,
  cardPayment,
  ordersTour,
} from './files.ts';
import { type Section, shown } from './requirement.ts';

export const SCREENS_AND_ROUTES: Section = {
  title: '2. Screens and routes',
  requirements: [
    shown(
      '`/` is the landing page; an unknown path falls back to it',
      landing('an unknown address shows the landing page with a notice'),
      pages('at %s are answered with %s'),
      routes('an unknown path falls back to the landing page'),
    ),
    shown(
      '`/plant-trees` is the checkout page: header, contribute section, footer',
      plantTrees('has a header, three packages, a custom count starting at ten, and a footer'),
      header('every public page has a header and a footer'),
    ),
    shown(
      '`/admin-dashboard` and `.html`: login, then the dashboard',
      line('trees are bought by card, planted, photographed and completed, and donor and admin see it'),
      routes('every portal opens at both of its addresses'),
    ),
    shown(
      '`/customer-portal` and `.html`: login and register tabs, then the dashboard',
      line('trees are bought by card, planted, photographed and completed, and donor and admin see it'),
      routes('every portal opens at both of its addresses'),
    ),
    shown(
      '`/worker-portal` and `.html`: login, then the assignments',
      line('trees are bought by card, planted, photographed and completed, and donor and admin see it'),
      routes('every portal opens at both of its addresses'),
    ),
    shown(
      'Anchors of the landing page: home, about, contribute, how-it-works',
      landing('has every section in both languages: nine benefits, seven steps, four anchors'),
    ),
    shown(
      'Public header: logo to home, Contribute, Portal, English/Spanish toggle, an external link to contribute',
      header('the header links home, to the trees, to the portal and outside, and switches the language'),
    ),
    shown(
      'A menu button opens the header’s links on a phone',
      header('the phone menu opens, closes by Escape, and has a name for each state'),
    ),
    shown(
      'Portal header of a guest: home, about, contribute, portal',
      gate('a guest sees login and the guest menu'),
    ),
    shown(
      'Portal header of who is logged in: home, the own dashboard, welcome with the first name, language, logout',
      gate('a logged-in user sees a greeting by first name and the role’s menu'),
    ),
    shown(
      'Hero: headline, subtitle, counters of trees and hectares, buttons to plant and to the about section',
      sections('the hero has a headline, counts of trees and hectares, and links to planting and below'),
    ),
    shown(
      'Counters: k+ from 1000, hectares floor(trees/100)+3 with a plus, an ellipsis while loading',
      counters('shows %i trees as %s on %s hectares', 'both counters show an ellipsis while loading'),
    ),
    shown(
      'About: two founders with pictures and roles, a story of three paragraphs, a mission, nine benefits',
      sections('about has two founders, three paragraphs, the mission and nine benefits'),
    ),
    shown(
      'Offer: badge, two crossed-out prices, the price of today, a list, Plant now, a supporters’ line',
      sections(
        'the offer crosses out two prices, shows today’s and its content, and links to planting',
        'the offer has a badge, today’s date and a ticking clock',
      ),
    ),
    shown(
      'The offer counts down to the next local midnight every second, with today’s date',
      counters('counts down to midnight in the visitor’s time zone'),
      sections('the offer has a badge, today’s date and a ticking clock'),
    ),
    shown(
      'Impact: four figures, three benefits of a tree, three items on transparency',
      sections('impact has four figures, three benefits of a tree and three promises'),
    ),
    shown(
      'How it works: seven steps from payment to growth, and what is transparent about it',
      sections('how it works has seven steps from payment to growth and an example order'),
      landing('has every section in both languages: nine benefits, seven steps, four anchors'),
    ),
    shown(
      'Footer: home, about, plant trees, My Trees, a contact address, copyright 2024',
      header('the footer has links, a contact address and the founding year'),
    ),
    shown(
      'Three packages and a count of one’s own; the checkout opens below its card and closes with ×',
      plantTrees('choosing a card opens its checkout with the full amount on the button, and × closes it'),
    ),
    shown(
      'The checkout scrolls into view',
      checkoutTour('the checkout scrolls into view when a card far from it is chosen, at %i px'),
    ),
    shown(
      'Checkout: summary, method, details, card or transfer, an error box, Cancel and Pay',
      plantTrees(
        'the checkout has summary, method, details, card or transfer, Cancel and Pay, and asks a phone number for transfers only',
      ),
      cardPayment('Pay waits for name and email and says so; Enter before that lists what is required'),
      transfer('account, amount and reference can be copied in the format of bank forms'),
    ),
    shown(
      'A bank transfer shows a fixed account: bank, type, number, holder, tax id',
      transfer('account, amount and reference can be copied in the format of bank forms'),
    ),
    shown(
      'Customer: a link for a forgotten password',
      logIn('a forgotten password of a %s has a way out'),
      accountTour('a forgotten password is replaced by a mailed link, which serves once'),
    ),
    shown(
      'Customer tiles: Trees Ordered, Trees Planted, Orders, kg CO2/year',
      portal('tiles show totals over all orders, whatever the page'),
    ),
    shown(
      'Each order: short id, status, trees, amount, date, planter',
      portal('an order shows its id, status, trees, amount, date and worker on its timeline'),
    ),
    shown(
      'A satellite map at zoom 15 when there are coordinates',
      portal(
        'the satellite map opens on request, at zoom 15 on the coordinates',
        'hides map and gallery without coordinates and photos',
      ),
    ),
    shown(
      'A gallery whose photos open whole',
      portal('opens a photo large and omits one that does not load'),
    ),
    shown(
      'Get Growth Updates opens the photo packages',
      growth('Get Growth Updates opens three packages with prices, savings and real dates'),
    ),
    shown(
      'Without orders: Plant Trees, to the landing page',
      portal('without orders links to the offer on the landing page'),
    ),
    shown(
      'Admin: title, subtitle, email; two tabs with counts',
      dashboard('shows its title, the admin, and two tabs with counts'),
      views('the list shows the total and the current position'),
    ),
    shown(
      'Manual Payment Verification: customer, method, amount, date, Review; “No pending manual payments.”',
      transfersPanel('shows each transfer with its flags', 'shows the spec’s empty state without transfers'),
    ),
    shown(
      'Tree Planting Orders: a filter by status with all five choices',
      orderList(
        'shows the count of each status in localized figures',
        'keeps the filter in the address and applies it on the server',
      ),
    ),
    shown(
      'Each order: last six characters of its id, status, customer, trees, amount, date, View Details, the status to choose',
      orderList(
        'shows short id, status, customer, trees, amount and date of each order',
        'opens order details in a dialog kept in the address',
      ),
      ordersPanel('another status asks for confirmation in the spec’s words and a reason for the history'),
    ),
    shown('“No orders found.”', orderList('shows the empty state without orders')),
    shown(
      'Order dialog: facts, four dates, worker, place, payment, photos, notes, Change Status, Close; view and edit',
      orderList(
        'opens order details in a dialog kept in the address',
        'shows open steps of an unassigned order',
      ),
      orderDialog('shows four dates, notes and photos, and changes the status after confirmation'),
      editForm(
        'an edit sends changed fields with the version that was read, and confirms in the spec’s words',
      ),
      ordersTour('a status is changed after the question, and the history says by whom and why'),
    ),
    shown(
      'Order dialog: a timeline of what happened',
      history('lists actors and actions in chronological order'),
    ),
    shown(
      'Review of a transfer: customer, payment details, evidence with original name and size in KB',
      transfersPanel('the review shows customer, payment and evidence, with original name and size'),
    ),
    shown(
      'Review of a transfer: Reject Payment and Approve Payment',
      desk(
        'is reviewed with its proofs, approved once by a double click, and its donor sees it',
        'is rejected with a reason that the donor reads',
      ),
    ),
    shown(
      'Worker: title, subtitle, email and worker id; tiles for Pending and Trees Planted',
      workerPortal('shows greeting, code, email and both tiles'),
    ),
    shown(
      'My Assignments: status, trees, customer email, location, assigned date, actions',
      workerPortal('an assignment shows trees, place, customer and time'),
    ),
    shown(
      'Worker: sending photos, and thumbnails of those that are there',
      workerPhotos('sends each photo separately with progress, and shows its thumbnail when ready'),
    ),
    shown('Amounts of the order form are in major units', edit('fields show major units and six decimals')),
  ],
};
