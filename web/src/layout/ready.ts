/** Window event: the app is interactive. */
export const APP_READY = 'arboleda:ready';
