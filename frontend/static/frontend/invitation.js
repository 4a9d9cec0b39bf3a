// The code of an invitation is in the link after #, which is sent to no server.
(() => {
  "use strict";
  const field = document.querySelector("#id_code");
  const code = location.hash.slice(1);
  if (!field || !code) return;
  history.replaceState(null, "", location.pathname);
  field.value = code;
  field.form.requestSubmit();
})();
