import { LANGUAGES, setLanguage, useLanguage, useMessages, type Language } from '../messages/use-messages.js';
import { setTimeZone, TIME_ZONES, useTimeZone } from './time-zone.js';
import { setTheme, THEMES, useTheme, type Theme } from './theme.js';

const SELECT =
  'touch:min-h-11 touch:text-base min-w-0 flex-1 rounded-md border border-edge bg-surface px-1.5 py-1 text-xs text-muted';

/** Language, appearance and time zone, kept by this browser. */
export function Preferences() {
  const messages = useMessages();
  return (
    <div className="flex flex-wrap gap-2">
      <select
        aria-label={messages.language.choose}
        title={messages.language.choose}
        value={useLanguage()}
        onChange={(event) => setLanguage(event.target.value as Language)}
        className={SELECT}
      >
        {LANGUAGES.map((language) => (
          <option key={language} value={language}>
            {messages.language[language]}
          </option>
        ))}
      </select>
      <select
        aria-label={messages.theme.choose}
        title={messages.theme.choose}
        value={useTheme()}
        onChange={(event) => setTheme(event.target.value as Theme)}
        className={SELECT}
      >
        {THEMES.map((theme) => (
          <option key={theme} value={theme}>
            {messages.theme[theme]}
          </option>
        ))}
      </select>
      <select
        aria-label={messages.timeZone.choose}
        title={messages.timeZone.choose}
        value={useTimeZone()}
        onChange={(event) => setTimeZone(event.target.value)}
        className={`${SELECT} basis-full`}
      >
        {TIME_ZONES.map((zone) => (
          <option key={zone} value={zone}>
            {messages.timeZone.times(zone)}
          </option>
        ))}
      </select>
    </div>
  );
}
