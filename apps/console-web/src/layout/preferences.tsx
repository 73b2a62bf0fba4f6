import type { ComponentProps } from 'react';
import { Icon } from '../components/icon.js';
import { LANGUAGES, setLanguage, useLanguage, useMessages, type Language } from '../messages/use-messages.js';
import { setTimeZone, TIME_ZONES, useTimeZone } from './time-zone.js';
import { setTheme, THEMES, useTheme, type Theme } from './theme.js';

/** Language, appearance and time zone, kept by this browser. */
export function Preferences() {
  const messages = useMessages();
  return (
    <div className="flex flex-wrap gap-2">
      <SmallSelect
        isShort
        aria-label={messages.language.choose}
        title={messages.language.choose}
        value={useLanguage()}
        onChange={(event) => setLanguage(event.target.value as Language)}
      >
        {LANGUAGES.map((language) => (
          <option key={language} value={language}>
            {messages.language[language]}
          </option>
        ))}
      </SmallSelect>
      <SmallSelect
        aria-label={messages.theme.choose}
        title={messages.theme.choose}
        value={useTheme()}
        onChange={(event) => setTheme(event.target.value as Theme)}
      >
        {THEMES.map((theme) => (
          <option key={theme} value={theme}>
            {messages.theme[theme]}
          </option>
        ))}
      </SmallSelect>
      <div className="flex basis-full">
        <SmallSelect
          aria-label={messages.timeZone.choose}
          title={messages.timeZone.choose}
          value={useTimeZone()}
          onChange={(event) => setTimeZone(event.target.value)}
        >
          {TIME_ZONES.map((zone) => (
            <option key={zone} value={zone}>
              {messages.timeZone.times(zone)}
            </option>
          ))}
        </SmallSelect>
      </div>
    </div>
  );
}

interface SmallSelectProps extends ComponentProps<'select'> {
  /** Leaves the rest of its line to the one beside it. */
  readonly isShort?: boolean;
}

/** As `Select` looks, in less room. */
function SmallSelect({ isShort = false, ...props }: SmallSelectProps) {
  return (
    <div className={`relative ${isShort ? 'flex-none' : 'min-w-0 flex-1'}`}>
      <select
        {...props}
        className="touch:min-h-11 touch:text-base border-edge bg-surface text-muted w-full appearance-none truncate rounded-md border py-1 pr-6 pl-2 text-xs"
      />
      <span className="text-muted pointer-events-none absolute inset-y-0 right-1.5 flex items-center">
        <Icon name="choose" />
      </span>
    </div>
  );
}
