// Pictures that move (GIF, APNG, WebP, AVIF) as the frame of a moment: a browser begins them when they are shown, and plays them by its own clock.

/** What is more than this is left to the browser. */
const FRAMES = 300;
const PIXELS = 100_000_000;
/** A frame that says it is shorter is shown for as long as one that says nothing, ms: so browsers do. */
const SHORTEST = 11;
const USUAL = 100;

interface Decoded {
  readonly image: VideoFrame;
}

interface Decoder {
  readonly completed: Promise<void>;
  readonly tracks: {
    readonly ready: Promise<void>;
    readonly selectedTrack: { readonly frameCount: number; readonly repetitionCount: number } | null;
  };
  decode(options: { frameIndex: number }): Promise<Decoded>;
}

interface Film {
  readonly decoder: Decoder;
  /** When each frame is over, ms. */
  readonly ends: readonly number[];
  readonly plays: number;
  readonly stills: Map<number, string>;
  /** The still that was made last. */
  last?: string;
}

/** Shows each animated picture (GIF, APNG, WebP, AVIF) with its frame at the player's time. */
export class AnimatedPictures {
  /** Another one whenever some picture may show another frame. */
  version = 0;
  #now = 0;
  readonly #films = new Map<number, Film | null | undefined>();
  /** Pictures by number, and when they began: the frame that each was asked for last. */
  readonly #uses = new Map<string, readonly [film: Film, since: number, index: number]>();
  readonly #work = new Set<Promise<void>>();
  readonly #blobs = new Map<string, Blob>();

  constructor(private readonly told: () => void) {}

  /** Whether frames are being decoded that somebody has asked for. */
  get pending(): boolean {
    return this.#work.size > 0;
  }

  async settled(): Promise<void> {
    await Promise.all(this.#work);
  }

  /** The bytes behind one of its addresses. */
  blobAt(address: string): Blob | undefined {
    return this.#blobs.get(address);
  }

  /** Puts all pictures to their frames at `t`. */
  tick(t: number): void {
    this.#now = t;
    for (const [film, since, index] of this.#uses.values()) if (frameAt(film, t - since) !== index) this.version++;
  }

  /** The address of a picture's frame; undefined while the first one is decoded, null where the picture is left to the browser. */
  url(number: number, since: number, blob: Blob | undefined): string | undefined | null {
    const film = this.#films.get(number);
    if (film === null || !("ImageDecoder" in window)) return null;
    if (!film) {
      if (!blob || this.#films.has(number)) return undefined;
      this.#films.set(number, undefined);
      this.#begin(
        open(blob)
          .catch(() => null)
          .then((opened) => void this.#films.set(number, opened)),
      );
      return undefined;
    }
    const index = frameAt(film, this.#now - since);
    this.#uses.set(`${number}@${since}`, [film, since, index]);
    const still = film.stills.get(index);
    if (still) film.last = still;
    else if (still === undefined) {
      film.stills.set(index, "");
      this.#begin(this.#draw(film, index));
    }
    return film.last;
  }

  #begin(work: Promise<void>): void {
    const done = work.then(() => {
      this.version++;
      this.told(); // Who hears of it looks whether anything is pending.
      this.#work.delete(done);
    });
    this.#work.add(done);
  }

  async #draw(film: Film, frameIndex: number): Promise<void> {
    try {
      const { image } = await film.decoder.decode({ frameIndex });
      const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
      canvas.getContext("2d")?.drawImage(image, 0, 0);
      image.close();
      const blob = await canvas.convertToBlob();
      const url = URL.createObjectURL(blob);
      this.#blobs.set(url, blob);
      film.stills.set(frameIndex, url);
      film.last ??= url;
    } catch {
      // A frame that is cut off: the one before stays.
    }
  }
}

async function open(blob: Blob): Promise<Film | null> {
  const { ImageDecoder } = window as unknown as { ImageDecoder: new (init: object) => Decoder };
  const decoder = new ImageDecoder({ type: blob.type, data: await blob.arrayBuffer() });
  await Promise.all([decoder.completed, decoder.tracks.ready]);
  const { frameCount = 0, repetitionCount = 0 } = decoder.tracks.selectedTrack ?? {};
  if (frameCount < 2 || frameCount > FRAMES) return null;
  const ends: number[] = [];
  let end = 0;
  for (let frameIndex = 0; frameIndex < frameCount; frameIndex++) {
    const { image } = await decoder.decode({ frameIndex });
    const lasts = (image.duration ?? 0) / 1000;
    end += lasts < SHORTEST ? USUAL : lasts;
    ends.push(end);
    const { displayWidth, displayHeight } = image;
    image.close();
    if (displayWidth * displayHeight * frameCount > PIXELS) return null;
  }
  return { decoder, ends, plays: repetitionCount + 1, stills: new Map() };
}

function frameAt({ ends, plays }: Film, time: number): number {
  const whole = ends.at(-1) as number;
  if (time >= whole * plays) return ends.length - 1;
  return ends.findIndex((end) => Math.max(0, time) % whole < end);
}
