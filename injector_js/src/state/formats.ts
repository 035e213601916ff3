// Pictures of canvases. Without loss where that is small, as PNG: drawings and texts are then exact, while thin saturated lines lose their colour
// in a WebP with loss, which keeps one colour for four pixels. Photographs and fine textures are kept with loss. (Chromium's PNG of a drawing
// takes a tenth of the time of its WebP without loss, and less room.)

const EXACT = "image/png";
const LOSSY = "image/webp";
const QUALITY = 0.95;
/** Bytes a pixel above which a picture without loss is not kept. */
const LIMIT = 0.2;
/** The same at a mark, of which there are few. */
export const LOSSLESS_LIMIT_AT_MARK = 0.6;

/** Pixels above which a canvas is looked at four times less often, and a mark does not take it at once. */
const LARGE = 2_000_000;

/** Type and quality for the browser. */
export function pictureFormat(lossy: boolean): [type: string, quality: number] {
  return [lossy ? LOSSY : EXACT, QUALITY];
}

/** Whether a picture of this size takes long to read and to keep. */
export function isLargePicture({ width, height }: { width: number; height: number }): boolean {
  return width * height > LARGE;
}

/** Whether a picture of this many bytes is too large to be kept without loss. */
export function isTooLargeLossless(
  bytes: number,
  { width, height }: { width: number; height: number },
  limit = LIMIT,
): boolean {
  return bytes > Math.max(4_000, width * height * limit);
}

/** What a sheet shows, without loss where that is small; `fine`: the picture for a mark, where only that may be without loss. */
export async function encodePicture(sheet: OffscreenCanvas, limit = LIMIT): Promise<{ blob: Blob; fine: Blob | null }> {
  const exact = await sheet.convertToBlob({ type: EXACT });
  if (!isTooLargeLossless(exact.size, sheet, limit)) return { blob: exact, fine: null };
  const blob = await sheet.convertToBlob({ type: LOSSY, quality: QUALITY });
  return { blob, fine: isTooLargeLossless(exact.size, sheet, LOSSLESS_LIMIT_AT_MARK) ? null : exact };
}

/** The same picture with loss. */
export async function lossyCopy(blob: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(blob);
  const sheet = new OffscreenCanvas(bitmap.width, bitmap.height);
  sheet.getContext("2d")?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return sheet.convertToBlob({ type: LOSSY, quality: QUALITY });
}
