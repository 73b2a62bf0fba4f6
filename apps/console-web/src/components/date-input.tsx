import { lazy, startTransition, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { useTimeZone } from '../layout/time-zone.js';
import { useLanguage, useMessages } from '../messages/use-messages.js';
import { type DescribedInput, INPUT } from './field.js';
import { Icon } from './icon.js';

/** Loaded when one is first opened. */
const CalendarPopover = lazy(() => import('./calendar-popover.js'));

/** Where the time stands in a text such as 2027-01-31 14:05. */
const TIME_BEGINS = 11;
const MIDNIGHT = '00:00';

interface DateInputProps extends DescribedInput {
  /** Such as 2027-01-31, or 2027-01-31 14:05 where it has a time; what is written may be anything. */
  readonly value: string;
  readonly onWrite: (text: string) => void;
  readonly hasTime?: boolean;
  readonly onBlur?: () => void;
}

/**
 * A day, or a day with a time in the zone that is chosen: written as ISO 8601 has it, or picked from a calendar. The browser's
 * own inputs of dates speak its language and not the page's, and look like no other field.
 */
export function DateInput({ value, onWrite, hasTime = false, onBlur, ...described }: DateInputProps) {
  const { time: messages } = useMessages();
  const [isOpen, setOpen] = useState(false);
  const field = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  /** What of the text is selected once the calendar is closed and the input has the focus again. */
  const [selected, setSelected] = useState<'none' | 'time'>();
  const close = (toSelect: typeof selected) => {
    setSelected(toSelect);
    setOpen(false);
  };
  useLayoutEffect(() => {
    if (selected === undefined || input.current === null) return;
    input.current.focus();
    // After a day the time is what is left to write.
    if (selected === 'time') input.current.setSelectionRange(TIME_BEGINS, input.current.value.length);
    setSelected(undefined);
  }, [selected]);
  return (
    <div ref={field} data-calendar className="relative">
      <input
        {...described}
        ref={input}
        value={value}
        inputMode="numeric"
        autoComplete="off"
        placeholder={hasTime ? messages.momentForm : messages.dayForm}
        onChange={(event) => onWrite(event.target.value)}
        onBlur={onBlur}
        className={`${INPUT} tabular-nums ${hasTime ? 'pr-20' : 'pr-9'}`}
      />
      <span className="text-muted absolute top-0 right-1 flex touch:h-11 h-9.5 items-center gap-1.5 text-xs">
        {hasTime && <ZoneName />}
        <button
          type="button"
          aria-label={messages.calendar}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          className="hover:text-ink hover:bg-raised touch:size-11 touch:-mr-1 flex size-7.5 items-center justify-center rounded-md"
          // Shown as soon as it is loaded, as the palette is.
          onClick={() => (isOpen ? setOpen(false) : startTransition(() => setOpen(true)))}
        >
          <Icon name="calendar" />
        </button>
      </span>
      <Suspense>
        {isOpen && (
          <CalendarPopover
            field={field}
            day={value.slice(0, TIME_BEGINS - 1)}
            onPick={(day) => {
              onWrite(hasTime ? `${day} ${value.slice(TIME_BEGINS) || MIDNIGHT}` : day);
              close(hasTime ? 'time' : 'none');
            }}
            onClose={(isByKey) => close(isByKey ? 'none' : undefined)}
          />
        )}
      </Suspense>
    </div>
  );
}

/** The zone that the time is in, as times are shown. */
function ZoneName() {
  const zone = useTimeZone();
  const parts = new Intl.DateTimeFormat(useLanguage(), {
    timeZone: zone,
    timeZoneName: 'short',
  }).formatToParts();
  return <span title={zone}>{parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone}</span>;
}
