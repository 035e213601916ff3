// What is half typed into a number, a date or a time: it is no value, and no script can put it into the field as one.

const TYPED = "data-pagereel-typed";
/** A pixel that nobody sees: on each side of a part that a person fills in Chromium leaves one. */
const PIXEL = "url(data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==)";

/**
 * Makes a field (such as a date field) show what was typed into it so far: `shown` alternates between the browser's
 * own text and the parts that a person fills in. If `shown` is empty, the field shows its value.
 */
export function paintTypedField(
  field: HTMLInputElement,
  shown: readonly string[],
  layer: Pick<CSSGroupingRule, "insertRule">,
): void {
  const wanted = shown.join("\x1f");
  if ((field.getAttribute(TYPED) ?? "") === wanted && !isNumber(field)) return;
  if (wanted) field.setAttribute(TYPED, wanted);
  else field.removeAttribute(TYPED);
  if (isNumber(field)) type(field, shown[0] ?? "");
  else if (wanted) {
    const of = `input[${TYPED}=${quoted(wanted)}]`;
    const content = shown.map((part, index) => (index % 2 ? `${PIXEL} ${quoted(part)} ${PIXEL}` : quoted(part)));
    layer.insertRule(`${of}::-webkit-datetime-edit { visibility: hidden !important }`);
    layer.insertRule(
      `${of}::before { content: ${content.join(" ")} !important; position: absolute !important; padding: 1px 0 !important; white-space: pre !important }`,
    );
  }
}

function isNumber(field: HTMLInputElement): boolean {
  return field.type === "number";
}

/** Types as a person does, who alone can bring a field to hold what is no number. */
function type(field: HTMLInputElement, text: string): void {
  const { value, readOnly, disabled, ownerDocument } = field;
  field.value = "";
  field.value = value;
  if (text === "" || text === value) return;
  const here = document.activeElement as HTMLElement | null;
  const there = ownerDocument.activeElement as HTMLElement | null;
  field.readOnly = field.disabled = false;
  field.select();
  ownerDocument.execCommand("insertText", false, text);
  Object.assign(field, { readOnly, disabled });
  if (there !== field) {
    field.blur();
    there?.focus?.({ preventScroll: true });
  }
  here?.focus?.({ preventScroll: true });
}

function quoted(text: string): string {
  return `"${text.replace(/["\\\n\r\f]/g, (sign) => `\\${sign.charCodeAt(0).toString(16)} `)}"`;
}
