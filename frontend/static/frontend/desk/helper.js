// The table of attributes: only the lines that fit what is searched and the kind of twin chosen.
export function searchableTable(form) {
  const helper = document.querySelector("#helper");
  if (!helper) return;
  const search = helper.querySelector("#attribute-search");
  const count = helper.querySelector("#attribute-count");
  const rows = [...helper.querySelectorAll("tbody tr")].map((row) => [row, row.textContent.toLowerCase()]);

  function filter() {
    const wanted = search.value.trim().toLowerCase();
    const domain = new FormData(form).get("domain");
    let shown = 0;
    for (const [row, text] of rows) {
      const fits = !domain || row.dataset.domain === "both" || row.dataset.domain === domain;
      row.hidden = !(fits && text.includes(wanted));
      shown += !row.hidden;
    }
    const words = count.dataset[shown ? "some" : "none"];
    count.textContent = words.replace("{shown}", shown).replace("{all}", rows.length);
  }

  search.addEventListener("input", filter);
  search.addEventListener("keydown", (event) => {
    if (event.key === "Escape") helper.querySelector("summary").focus();
  });
  helper.addEventListener("toggle", () => {
    if (!helper.open) return;
    filter();
    helper.scrollIntoView({ block: "nearest" }); // below a long article it would open out of sight
    search.focus({ preventScroll: true });
  });
  for (const radio of form.elements.namedItem("domain")) radio.addEventListener("change", filter);
  filter();
}
