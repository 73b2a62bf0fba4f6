/** The first administrator of an installation whose configuration file names none. */
export const FIRST_ADMIN = 'admin@example.com';

/** The first API key and the wallet it draws on, in USD that buy simulated answers before anything else is set up. */
export const FIRST_TOKEN = { name: 'first', walletName: 'first', walletBalance: '10.00' } as const;
