import { Popover } from '@base-ui/react/popover';
import type { RefObject } from 'react';
import { DayPicker } from 'react-day-picker';
import { enUS } from 'react-day-picker/locale/en-US';
import { zhCN } from 'react-day-picker/locale/zh-CN';
import { dayOf, isDay, writeDay } from '../layout/time-zone.js';
import { useLanguage, useMessages } from '../messages/use-messages.js';
import { Icon } from './icon.js';

const LOCALES = { en: enUS, zh: zhCN } as const;

const MONTH_BUTTON =
  'text-muted hover:bg-raised hover:text-ink touch:size-11 flex size-8 items-center justify-center rounded-md';

/** Parts of a calendar: https://daypicker.dev/docs/styling */
const CLASSES = {
  root: 'relative',
  nav: 'absolute top-0 right-0 flex touch:h-11 h-8 items-center',
  button_previous: MONTH_BUTTON,
  button_next: MONTH_BUTTON,
  month_caption: 'flex touch:h-11 h-8 items-center px-2 font-semibold',
  month_grid: 'mt-1 border-collapse',
  weekday: 'text-muted h-8 text-xs font-normal',
  day: 'p-0 text-center',
  day_button:
    'hover:bg-raised touch:size-11 size-9 rounded-md tabular-nums [[aria-selected=true]>&]:bg-accent [[aria-selected=true]>&]:text-on-accent',
  today: 'text-accent font-semibold',
  outside: 'text-muted',
} as const;

interface CalendarPopoverProps {
  /** What it belongs to and stands in, so that a dialog around it keeps the focus inside. */
  readonly field: RefObject<HTMLElement | null>;
  /** What is written. */
  readonly day: string;
  readonly onPick: (day: string) => void;
  /** @param isByKey whether by Escape. */
  readonly onClose: (isByKey: boolean) => void;
}

/** A month of days below a field. */
export default function CalendarPopover({ field, day, onPick, onClose }: CalendarPopoverProps) {
  const { time: messages } = useMessages();
  const language = useLanguage();
  const dayName = new Intl.DateTimeFormat(language, { dateStyle: 'full' });
  const today = toDate(writeDay(dayOf(new Date())));
  const chosen = isDay(day) ? toDate(day) : undefined;
  return (
    <Popover.Root
      open
      onOpenChange={(_isOpen, { reason, event }) => {
        // A click on the button that opened it closes it by itself.
        const isInField = event.target instanceof Node && field.current?.contains(event.target);
        if (!(reason === 'outside-press' && isInField)) onClose(reason === 'escape-key');
      }}
    >
      <Popover.Portal container={field}>
        <Popover.Positioner
          anchor={field}
          positionMethod="fixed"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className="z-40"
        >
          <Popover.Popup
            aria-label={messages.calendar}
            initialFocus={false}
            finalFocus={false}
            className="border-line bg-surface text-ink rounded-xl border p-3 text-sm font-normal shadow-lg outline-none"
          >
            <DayPicker
              mode="single"
              required
              autoFocus
              showOutsideDays
              fixedWeeks
              locale={LOCALES[language]}
              today={today}
              selected={chosen}
              defaultMonth={chosen ?? today}
              onSelect={(date) => onPick(writeDay([date.getFullYear(), date.getMonth() + 1, date.getDate()]))}
              classNames={CLASSES}
              // Of a gridcell readers are told themselves whether it is selected.
              labels={{ labelDayButton: (date) => dayName.format(date) }}
              components={{
                Chevron: ({ orientation }) => <Icon name={orientation === 'left' ? 'previous' : 'next'} />,
              }}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** A day as the calendar has it: its beginning in the browser's zone, whatever zone is chosen. */
function toDate(day: string): Date {
  return new Date(`${day}T00:00`);
}
