// Numbers as they are told: to as many places as anybody sees.

const to =
  (parts: number) =>
  (value: number): number =>
    Math.round(value * parts) / parts;

export const tenth = to(10);
export const hundredth = to(100);
export const thousandth = to(1000);
