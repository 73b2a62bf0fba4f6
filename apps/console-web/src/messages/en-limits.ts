/** Texts of limits, budgets and routing, wherever they are set. */
export const enLimits = {
  limits: {
    limits: 'Limits',
    budgets: 'Budgets',
    names: {
      rpm: 'Requests per minute',
      rpd: 'Requests per day',
      tpm: 'Tokens per minute',
      concurrency: 'Calls at the same time',
      day: 'Budget of a day, USD',
      week: 'Budget of a week, USD',
      month: 'Budget of a month, USD',
      timezone: 'Time zone of budgets',
    },
    unlimited: 'no limit',
    periods: { day: 'Budget of the day', week: 'Budget of the week', month: 'Budget of the month' },
    renewed: 'renewed',
  },
  routing: {
    title: 'Routing',
    strategy: 'Order of channels of equal priority',
    strategies: {
      priority: 'by weight',
      latency: 'fastest first',
      busy: 'least busy first',
      cost: 'cheapest first',
    },
    sticky: 'Calls of one conversation stay with one channel and key',
    fallback: 'Fallback models',
    fallbackHint: 'Slugs in the order they are tried, separated by commas.',
    fallbackOn: 'Falls back when',
    causes: {
      failure: 'every channel failed',
      context: 'the prompt is too long',
      refusal: 'the content was refused',
    },
    firstToken: 'First token of a stream within',
    firstTokenHint: 'Such as 20s; then the next channel is tried. Empty means the channel’s own timeout.',
    onAbort: 'When the caller of a whole answer leaves',
    onAbortDefault: 'as the type does',
    onAbortChoices: {
      finish: 'finish the answer and charge it',
      cancel: 'stop the provider',
    },
  },
};
