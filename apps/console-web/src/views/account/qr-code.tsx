import { QRCodeSVG } from 'qrcode.react';

interface QrCodeProps {
  readonly text: string;
  /** What it is, for those who cannot see it. */
  readonly label: string;
}

/** Dark on light in every appearance: not every camera reads it the other way round. */
export default function QrCode({ text, label }: QrCodeProps) {
  return <QRCodeSVG value={text} title={label} size={192} level="M" marginSize={4} className="rounded-lg" />;
}
