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
      selection('charges list prices for fixed packages, and shows the saving against single trees'),
    ),
    shown(
      'A count of one’s own costs 5 a tree; 10 to begin with, 1 at least',
      plantTrees('has a header, three packages, a custom count starting at ten, and a footer'),
      selection(
        'charges the single price per tree for a custom count',
        'parses a count as an integer, and as one when invalid',
      ),
      packages('a custom count costs exactly its unit price times the count, in every currency'),
    ),
    shown(
      'First year: 15 for updates at 3, 6 and 12 months; three-year story: 25 for 7, popular; lifetime: 35 for 10',
      plans('offers the three packages of the product spec, with their updates, unit prices and savings'),
      growth('Get Growth Updates opens three packages with prices, savings and real dates'),
      packages('have as many updates as they promise'),
    ),
    shown(
      'Savings of 29 and 30 percent',
      plans('offers the three packages of the product spec, with their updates, unit prices and savings'),
    ),
    shown(
      'Offer: 15.00, 10.00, 5.00 dollars; Save 67%',
      sections('the offer crosses out two prices, shows today’s and its content, and links to planting'),
    ),
    shown(
      'Claims: 500 kg CO₂ a year, 48,000 gallons of water, 50+ species; 25,000 tons and 150+ species',
      sections('impact has four figures, three benefits of a tree and three promises'),
    ),
    shown(
      'Customer: 22 kg CO₂ a year for each planted tree',
      portal('tiles show totals over all orders, whatever the page'),
    ),
    shown(
      'Hectares floor(trees/100)+3; trees rounded with k+ from 1000',
      counters('shows %i trees as %s on %s hectares'),
    ),
    shown(
      '50,000 trees before or without data',
      landing('falls back to fifty thousand trees and the price in dollars'),
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
      treePrice('loads the price once an hour and stores it with its time in session storage'),
    ),
    shown(
      'A part of the app may take 120,000 ms',
      chunk('fails a chunk after 120 seconds without an answer, not before'),
    ),
    shown(
      'A transfer is promised to be verified within 24-48 hours',
      orderPage('a waiting transfer shows when it will be verified, and promises nothing yet'),
      transfer('sends every field of the spec with upload progress, and leads to the order'),
    ),
    shown(
      'Evidence: three files, 5 MB each, JPG, PNG, GIF',
      evidence('accepts three pictures, no fourth, and no duplicate'),
      submit('with up to three images', 'with an image of exactly 5 MB', 'with a %s, whatever its file name'),
    ),
    shown(
      'English and Spanish: the saved choice, the browser’s, the page’s; English otherwise',
      languages(
        'saved choice, then browser, then page, then English: %j → %s',
        'keeps a choice in storage for the app and in a cookie for the server',
      ),
    ),
    shown(
      'Texts: ten at once, five more tries, after 350 ms and then twice as long each time',
      translations(
        'reads at most ten files at once',
        'retries a failed file five times, after 350 ms and then twice as long each time',
      ),
    ),
  ],
};
