// Pictures of canvases as WebP. Without loss where that is small: drawings and texts are then exact and a tenth of the size, while thin
// saturated lines lose their colour with loss, which keeps one colour for four pixels. Photographs and fine textures are kept with loss.

/** `quality` for the browser: 1 is without loss. */
const EXACT = 1;
const LOSSY = 0.95;
/** Bytes a pixel above which a picture without loss is not kept. */
const LIMIT = 0.2;

export function quality(lossy: boolean): number {
  return lossy ? LOSSY : EXACT;
}

/** Whether a picture of this many bytes is too large to be kept without loss. */
export function tooLarge(bytes: number, { width, height }: { width: number; height: number }): boolean {
  return bytes > Math.max(4_000, width * height * LIMIT);
}

/** What a sheet shows, without loss where that is small. */
export async function asWebp(sheet: OffscreenCanvas): Promise<Blob> {
  const exact = await sheet.convertToBlob({ type: "image/webp", quality: EXACT });
  return tooLarge(exact.size, sheet) ? sheet.convertToBlob({ type: "image/webp", quality: LOSSY }) : exact;
}

/** The same picture with loss. */
export async function withLoss(blob: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(blob);
  const sheet = new OffscreenCanvas(bitmap.width, bitmap.height);
  sheet.getContext("2d")?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return sheet.convertToBlob({ type: "image/webp", quality: LOSSY });
}
