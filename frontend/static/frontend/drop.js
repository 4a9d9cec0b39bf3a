// Files can be dropped on the form as well as chosen in it.
(() => {
  "use strict";
  for (const input of document.querySelectorAll("input[type=file][data-drop]")) {
    const place = document.querySelector(input.dataset.drop);
    const mark = (isOver) => place.classList.toggle("is-over", isOver);
    place.addEventListener("dragover", (event) => { event.preventDefault(); mark(true); });
    place.addEventListener("dragleave", () => mark(false));
    place.addEventListener("drop", (event) => {
      event.preventDefault();
      mark(false);
      if (!event.dataTransfer.files.length) return;
      input.files = event.dataTransfer.files;
      input.form.requestSubmit();
    });
  }
})();
