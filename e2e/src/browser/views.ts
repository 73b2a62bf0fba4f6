/** Every view with its address and with what is there once it has loaded. */
export const VIEWS = [
  ['overview', '/', '.recharts-surface'],
  ['playground', '/playground', 'textarea'],
  ['tokens', '/tokens', 'tbody tr'],
  ['wallets', '/wallets', 'tbody tr'],
  ['projects', '/projects', 'h1'],
  ['logs', '/logs', 'tbody tr'],
  ['tasks', '/tasks', 'tbody tr'],
  ['models', '/models', 'tbody tr'],
  ['channels', '/channels', 'tbody tr'],
  ['users', '/users', 'tbody tr'],
  ['codes', '/codes', 'tbody tr'],
  ['audit', '/audit', 'tbody tr'],
  ['waste', '/waste', 'tbody tr'],
  ['health', '/health', 'tbody tr'],
  ['alerts', '/alerts', 'dl'],
  ['settings', '/settings', 'tbody tr'],
] as const;

/** Views of one thing, with the list and the name there by which it is gone to. */
export const DETAILS = [
  ['wallet', '/wallets', 'first'],
  ['channel', '/channels', 'sandbox'],
] as const;
