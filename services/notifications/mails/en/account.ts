import type { AdminRole } from '@arboleda/contracts/permissions.ts';
import type { Texts } from '../content.ts';
import { addressed, called, masked } from '../words.ts';
import { NOTES, words } from './words.ts';

/** The same names as on the Admins tab. */
const ADMIN_ROLE_NAMES: Record<AdminRole, string> = {
  owner: 'Owner',
  finance: 'Finance',
  coordinator: 'Coordinator',
  support: 'Support',
  auditor: 'Auditor',
};

/** To owners of accounts, and invited workers. */
export const account: Texts<
  | 'verify-email'
  | 'reset-password'
  | 'worker-invited'
  | 'admin-invited'
  | 'admin-role-changed'
  | 'confirm-email'
  | 'email-changed'
  | 'password-changed'
  | 'second-factor-changed'
> = {
  'verify-email': (facts, name) => ({
    subject: 'Verify your email address',
    preview: 'One step, and your orders appear in your portal.',
    title: called(name, 'is this your address?'),
    paragraphs: [
      'Verify it, and the orders that were bought with it appear in your portal. If you are asked to log in, use the account you just opened.',
    ],
    rows: [['Link valid until', words.moment(facts.expiresAt)]],
    action: 'Verify this address',
    note: 'If you opened no account at Arboleda, ignore this email and do not use the link. Nothing will change.',
  }),

  'reset-password': (facts, name) => ({
    subject: 'Choose a new password',
    preview: 'The link works once.',
    title: called(name, 'choose a new password.'),
    paragraphs: [
      'Someone, hopefully you, asked for a new password. Choosing one logs you out everywhere else.',
    ],
    rows: [['Link valid until', words.moment(facts.expiresAt)]],
    action: 'Choose a password',
    note: NOTES.link,
  }),

  'worker-invited': (facts, name) => ({
    subject: 'You are invited to plant with Arboleda',
    preview: 'Choose a password, and your portal is open.',
    title: `${addressed('Welcome', name)}. Your portal is ready.`,
    paragraphs: [
      'Choose a password. Then log in with it and your email address or your worker id; your portal shows what there is to plant.',
    ],
    rows: [
      ['Worker id', facts.code],
      ['Link valid until', words.moment(facts.expiresAt)],
    ],
    action: 'Choose a password',
    note: 'If you do not know why you are invited, ignore this email. Nothing will change.',
  }),

  'admin-invited': (facts, name) => ({
    subject: 'You are invited to Arboleda’s dashboard',
    preview: 'Choose a password, and you can log in.',
    title: `${addressed('Welcome', name)}. Your account is ready.`,
    paragraphs: ['Choose a password. Then log in with it and your email address.'],
    rows: [
      ['Your role', ADMIN_ROLE_NAMES[facts.adminRole]],
      ['Link valid until', words.moment(facts.expiresAt)],
    ],
    action: 'Choose a password',
    note: 'If you do not know why you are invited, ignore this email. Nothing will change.',
  }),

  'admin-role-changed': ({ adminRole, active, by, at }, name) => {
    const role = ADMIN_ROLE_NAMES[adminRole];
    return {
      subject: active ? `Your role is now ${role}` : 'Your access to the dashboard has ended',
      preview: active ? 'Log in again to go on.' : 'Your account was deactivated.',
      title: called(name, active ? `your role is now ${role}.` : 'your access to the dashboard has ended.'),
      paragraphs: [
        active
          ? 'All sessions from before have ended. Log in again to go on with your new role.'
          : 'Your account was deactivated, and all its sessions have ended.',
        'If this is a mistake, reply to this email.',
      ],
      rows: [
        ...(active ? [['Your role', role] as const] : []),
        ...(by === undefined ? [] : [['Changed by', by] as const]),
        ['Changed', words.moment(at)],
      ],
      action: 'Open the dashboard',
      note: 'You are receiving this email because you have an account at Arboleda.',
    };
  },

  'confirm-email': (facts, name) => ({
    subject: 'Confirm your new email address',
    preview: 'Until then, your old address stays.',
    title: called(name, 'is this your new address?'),
    paragraphs: ['Confirm it, and you log in with it from then on. Until then, your old address stays.'],
    rows: [
      ['New address', facts.email],
      ['Link valid until', words.moment(facts.expiresAt)],
    ],
    action: 'Confirm this address',
    note: NOTES.link,
  }),

  'email-changed': (facts, name) => ({
    subject: 'Your email address was changed',
    preview: 'This is the last email to this address.',
    title: called(name, 'your email address was changed.'),
    paragraphs: [
      'Your account has another address now, and we write to that one. If it was not you, reply to this email right away.',
    ],
    rows: [
      ['New address', masked(facts.to)],
      ['Changed', words.moment(facts.at)],
    ],
    action: 'Open your portal',
    note: 'You are receiving this email because this address belonged to an account at Arboleda.',
  }),

  'password-changed': (facts, name) => ({
    subject: 'Your password was changed',
    preview: 'If it was you, there is nothing to do.',
    title: called(name, 'your password was changed.'),
    paragraphs: [
      'If it was you, there is nothing to do. If not, open your portal, choose “Forgot your password?” and set a new one at once.',
    ],
    rows: [['Changed', words.moment(facts.at)]],
    action: 'Open your portal',
    note: 'You are receiving this email because you have an account at Arboleda.',
  }),

  'second-factor-changed': (facts, name) => ({
    subject: facts.enabled ? 'Two-factor login was switched on' : 'Two-factor login was switched off',
    preview: 'If it was you, there is nothing to do.',
    title: called(
      name,
      facts.enabled
        ? 'two-factor login is on for your account.'
        : 'two-factor login is off for your account.',
    ),
    paragraphs: [
      facts.enabled
        ? 'From now on you need a code of your authenticator app to log in. All sessions from before have ended.'
        : 'From now on your password alone is enough to log in. All sessions from before have ended.',
      'If it was not you, open your portal, choose “Forgot your password?” and set a new one at once; then reply to this email.',
    ],
    rows: [['Changed', words.moment(facts.at)]],
    action: 'Open your portal',
    note: 'You are receiving this email because you have an account at Arboleda.',
  }),
};
