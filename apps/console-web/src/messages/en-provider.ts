/** Texts of adding a provider with its models. */
export const enProvider = {
  add: 'Add provider',
  title: 'Add a provider',
  type: 'Provider',
  chooseType: 'Choose a provider',
  nameHint: 'Name of the channel; empty means the type.',
  fetch: 'Fetch models',
  fetching: 'The provider is asked for its models …',
  fetchFor: 'Models',
  offerTitle: (name: string) => `Models of “${name}”`,
  offered: 'Offered models',
  fromProvider: (count: number) =>
    `The provider lists ${count === 1 ? '1 model' : `${count} models`}. Choose what callers may use.`,
  fromUs: (count: number) =>
    count === 1
      ? 'The model below is the one that this version knows of this provider.'
      : `The ${count} models below are those that this version knows of this provider.`,
  noneKnown: 'Go back and check address and key, or name the models in the form of the channel.',
  search: 'Search',
  tickAll: (count: number) => (count === 0 ? 'Select all' : `Select all ${count}`),
  tickNone: 'Select none',
  more: (count: number) => `${count} more: write a part of the name to find them.`,
  kindOf: (slug: string) => `Kind of ${slug}`,
  rateOf: (rate: string, slug: string) => `${rate}: ${slug}`,
  served: 'already served',
  keepsPrice: 'price in force, stays',
  unpriced: 'No published price: write one, or calls are refused.',
  willBeRefused: (slugs: string) => `Calls are refused until these have a price: ${slugs}.`,
  testTicked: (count: number) =>
    count === 0 ? 'Test' : count === 1 ? 'Test 1 model' : `Test ${count} models`,
  create: (count: number) =>
    count === 1 ? 'Create channel with 1 model' : `Create channel with ${count} models`,
  addModels: (count: number) =>
    count === 0 ? 'Add models' : count === 1 ? 'Add 1 model' : `Add ${count} models`,
};
