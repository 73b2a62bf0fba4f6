/** Below each other on a phone, the model first; beside the result where there is room. */
export const PLAYGROUND =
  'grid gap-4 lg:grid-rows-[auto_1fr] lg:grid-cols-[minmax(0,64rem)_minmax(22rem,1fr)] 2xl:grid-cols-[minmax(0,64rem)_minmax(36rem,1fr)]';
export const CHOICES = 'min-w-0 lg:col-start-2';
export const RESULT = 'min-w-0 self-start lg:col-start-1 lg:row-span-2 lg:row-start-1';
