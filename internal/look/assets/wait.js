// Reloads the page as soon as the server knows more than the page shows.
"use strict";
const waiting = document.querySelector("[data-wait]");
if (waiting) {
  const look = async () => {
    try {
      const answer = await fetch(waiting.dataset.wait);
      if (answer.ok && (await answer.text()) !== waiting.dataset.seen) {
        location.reload();
        return;
      }
    } catch { /* the server restarts, or is gone: look again */ }
    setTimeout(look, 1500);
  };
  setTimeout(look, 1500);
}
