// The form as plain text by field name: what a draft is made of.
export const NAMES = [
  "client_key", "anchor", "domain", "option1", "option2", "sentence1", "sentence2", "answer1",
];
const TEXT = NAMES.filter((name) => name !== "client_key");

export class Fields {
  constructor(form) { this.form = form; }

  read() {
    const values = new FormData(this.form);
    // A form sends line breaks as CRLF; a draft has them as the field shows them.
    return Object.fromEntries(NAMES.map((name) => [name, String(values.get(name) ?? "").replaceAll("\r\n", "\n")]));
  }

  // The form as the server sent it, whatever has been typed since.
  served() {
    return Object.fromEntries(NAMES.map((name) => {
      const field = this.form.elements.namedItem(name);
      if (!(field instanceof RadioNodeList)) return [name, field.defaultValue];
      return [name, [...field].find((radio) => radio.defaultChecked)?.value ?? ""];
    }));
  }

  write(values) {
    for (const name of NAMES) {
      const field = this.form.elements.namedItem(name);
      const value = values[name] ?? "";
      if (name === "client_key") { if (value) field.value = value; }
      else if (field instanceof RadioNodeList) for (const radio of field) radio.checked = radio.value === value;
      else field.value = value;
    }
  }
}

export function same(one, other) {
  return TEXT.every((name) => (one?.[name] ?? "") === (other?.[name] ?? ""));
}

export function hasText(values) {
  return TEXT.some((name) => (values?.[name] ?? "").trim());
}
