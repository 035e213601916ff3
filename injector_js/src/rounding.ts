// Numbers as they are told: to as many places as anybody sees.

const to =
  (parts: number) =>
  (value: number): number =>
    Math.round(value * parts) / parts;

export const roundToTenth = to(10);
export const roundToHundredth = to(100);
export const roundToThousandth = to(1000);
