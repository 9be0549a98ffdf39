import {
  chunk,
  counters,
  countries,
  evidence,
  growth,
  landing,
  languages,
  money,
  orderPage,
  packages,
  plans,
  plantTrees,
  portal,
  pricing,
  sections,
  selection,
  submit,
  transfer,
  translations,
  treePrice,
} from './files.ts';
import { type Section, shown } from './requirement.ts';

export const CONSTANTS: Section = {
  title: '9. Business constants and limits',
  requirements: [
    shown(
      'A tree costs 5 US dollars',
      pricing('is in dollars for anybody else'),
      packages('%s of %d trees costs %d cents'),
    ),
    shown(
      'Individual 1 tree for 5; grove 5 for 20, saving 5; patch 20 for 70, 3.50 each',
      packages('%s of %d trees costs %d cents'),
      selection('fixed packages cost what the list says, with the saving against single trees'),
    ),
    shown(
      'A count of one’s own costs 5 a tree; 10 to begin with, 1 at least',
      plantTrees(
        'the page has the header, three packages and a count of one’s own that begins at ten, and the footer',
      ),
      selection(
        'one’s own number costs the single price for each tree',
        'a count is read as a whole number, and as one when it is none',
      ),
      packages('a custom count costs exactly its unit price times the count, in every currency'),
    ),
    shown(
      'First year: 15 for updates at 3, 6 and 12 months; three-year story: 25 for 7, popular; lifetime: 35 for 10',
      plans('the three packages of the product spec, with their updates, unit prices and savings'),
      growth('Get Growth Updates opens the three packages with prices, savings and real dates'),
      packages('have as many updates as they promise'),
    ),
    shown(
      'Savings of 29 and 30 percent',
      plans('the three packages of the product spec, with their updates, unit prices and savings'),
    ),
    shown(
      'Offer: 15.00, 10.00, 5.00 dollars; Save 67%',
      sections('the offer crosses out two prices, says today’s and what one gets, and leads to planting'),
    ),
    shown(
      'Claims: 500 kg CO₂ a year, 48,000 gallons of water, 50+ species; 25,000 tons and 150+ species',
      sections('impact has four figures, three benefits of a tree and three promises'),
    ),
    shown(
      'Customer: 22 kg CO₂ a year for each planted tree',
      portal('the tiles show the figures over all orders, on whatever page'),
    ),
    shown(
      'Hectares floor(trees/100)+3; trees rounded with k+ from 1000',
      counters('%i trees are shown as %s on %s hectares'),
    ),
    shown(
      '50,000 trees before or without data',
      landing('when nothing can be loaded it shows fifty thousand trees and the price in dollars'),
    ),
    shown(
      'Amounts are in minor units; two decimals, none for JPY and KRW',
      money('yen and won are whole, all other currencies have hundredths'),
    ),
    shown('Every currency has a symbol', money('every chargeable currency has its own symbol')),
    shown(
      'Fifteen countries have a currency; the others pay in dollars',
      countries('are the fifteen known countries, each once'),
      pricing('is known for each of the fifteen countries', 'is in dollars for anybody else'),
    ),
    shown(
      'Prices are kept for an hour in session storage',
      treePrice(
        'loads the price once an hour and stores it with its time in session storage',
      ),
    ),
    shown(
      'A part of the app may take 120,000 ms',
      chunk('a part without an answer counts as lost after 120 seconds, and not before'),
    ),
    shown(
      'A transfer is promised to be verified within 24-48 hours',
      orderPage('a transfer that is looked for says when it will be verified, and promises nothing yet'),
      transfer('it goes with everything the spec names, tells of each picture, and leads to the order'),
    ),
    shown(
      'Evidence: three files, 5 MB each, JPG, PNG, GIF',
      evidence('three fit, a fourth does not, and the same one does not fit twice'),
      submit('with up to three images', 'with an image of exactly 5 MB', 'with a %s, whatever its file name'),
    ),
    shown(
      'English and Spanish: the saved choice, the browser’s, the page’s; English otherwise',
      languages(
        'saved choice, then browser, then page, then English: %j → %s',
        'a choice is kept for the app and, as a cookie, for the server of pages',
      ),
    ),
    shown(
      'Texts: ten at once, five more tries, after 350 ms and then twice as long each time',
      translations(
        'no more than ten files are read at once',
        'a file that does not arrive is asked for five times more, after 350 ms and then twice as long each time',
      ),
    ),
  ],
};
