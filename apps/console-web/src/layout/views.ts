/** Views that everybody may see, in the order of the navigation. */
export const VIEWS = [
  ['/', 'overview'],
  ['/playground', 'playground'],
  ['/tokens', 'tokens'],
  ['/logs', 'logs'],
  ['/wallets', 'wallets'],
  ['/projects', 'projects'],
  ['/tasks', 'tasks'],
  ['/models', 'models'],
] as const;

/** Views of administrators. */
export const ADMINISTRATION = [
  ['/channels', 'channels'],
  ['/users', 'users'],
  ['/codes', 'codes'],
  ['/audit', 'audit'],
  ['/waste', 'waste'],
  ['/health', 'health'],
  ['/alerts', 'alerts'],
  ['/settings', 'settings'],
] as const;
