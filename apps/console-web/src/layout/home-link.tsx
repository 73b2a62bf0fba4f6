import { Link } from '@tanstack/react-router';
import { LINK_BUTTON } from '../components/button.js';
import { useMessages } from '../messages/use-messages.js';

/** The way out of a page that there is not, or not for the reader. */
export function HomeLink() {
  const { errors } = useMessages();
  return (
    <Link to="/" className={LINK_BUTTON}>
      {errors.home}
    </Link>
  );
}
