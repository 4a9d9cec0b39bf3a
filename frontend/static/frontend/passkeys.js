// Says on the page that the browser used no passkey, where allauth's script only logs it.
(() => {
  "use strict";
  document.addEventListener("allauth.error", (event) => {
    event.preventDefault();
    const said = document.querySelector("#passkey-failed");
    if (said) said.hidden = false;
  });
})();
