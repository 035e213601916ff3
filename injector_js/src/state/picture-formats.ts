// Pictures of canvases. Without loss where that is small, as PNG: drawings and texts are then exact, while thin saturated lines lose their colour
// in a WebP with loss, which keeps one colour for four pixels. Photographs and fine textures are kept with loss. (Chromium's PNG of a drawing
// takes a tenth of the time of its WebP without loss, and less room.)

const EXACT = "image/png";
const LOSSY = "image/webp";
const QUALITY = 0.95;
/** Bytes a pixel above which a picture without loss is not kept. */
const LIMIT = 0.2;
/** The largest size of a lossless canvas picture at a mark, in bytes per pixel. It is larger than at other times, because marks are few. */
export const LOSSLESS_LIMIT_AT_MARK = 0.6;

/** Pixels above which a canvas is looked at four times less often, and a mark does not take it at once. */
const LARGE = 2_000_000;

/** Returns the MIME type and the quality with which the browser encodes a canvas picture. */
export function getPictureFormat(lossy: boolean): [type: string, quality: number] {
  return [lossy ? LOSSY : EXACT, QUALITY];
}

/** Returns whether a picture of this size (px) is slow to read and to store. */
export function isLargePicture({ width, height }: { width: number; height: number }): boolean {
  return width * height > LARGE;
}

/** Returns whether a lossless picture of this many bytes is too large to be stored. `limit`: bytes per pixel. */
export function isTooLargeWithoutLoss(
  bytes: number,
  { width, height }: { width: number; height: number },
  limit = LIMIT,
): boolean {
  return bytes > Math.max(4_000, width * height * limit);
}

/** Returns a canvas's picture, lossless if it is small enough, else lossy. `fine`: the lossless picture, if it is small enough only for a mark. */
export async function encodePicture(sheet: OffscreenCanvas, limit = LIMIT): Promise<{ blob: Blob; fine: Blob | null }> {
  const exact = await sheet.convertToBlob({ type: EXACT });
  if (!isTooLargeWithoutLoss(exact.size, sheet, limit)) return { blob: exact, fine: null };
  const blob = await sheet.convertToBlob({ type: LOSSY, quality: QUALITY });
  return { blob, fine: isTooLargeWithoutLoss(exact.size, sheet, LOSSLESS_LIMIT_AT_MARK) ? null : exact };
}

/** Returns a picture encoded again with loss. */
export async function createLossyCopy(blob: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(blob);
  const sheet = new OffscreenCanvas(bitmap.width, bitmap.height);
  sheet.getContext("2d")?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return sheet.convertToBlob({ type: LOSSY, quality: QUALITY });
}
