/** Sent on the window when a page of the app answers to people. */
export const APP_READY = 'arboleda:ready';
