import { useLanguage, useMessages } from '../../messages/use-messages.js';

interface ComparedProps {
  /** Of this period and of the one before, which is as long. */
  readonly now: number;
  readonly before: number | undefined;
}

/** By how much a figure differs from that of the period before; nothing where there was none. */
export function Compared({ now, before }: ComparedProps) {
  const { overview: messages } = useMessages();
  const language = useLanguage();
  if (before === undefined || before === 0) return messages.noneBefore;
  const change = new Intl.NumberFormat(language, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  });
  return messages.comparedToBefore(change.format(now / before - 1));
}
