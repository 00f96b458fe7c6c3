"use strict";
// The page is loaded anew when its server says so, and looks as it did.
(() => {
  const note = document.getElementById("live");
  const events = new EventSource(note.dataset.events);
  let lost = false;
  events.onopen = () => {
    if (lost) location.reload();
    note.textContent = "live";
  };
  events.addEventListener("changed", () => location.reload());
  events.onerror = () => {
    lost = true;
    note.textContent = "not connected";
  };
})();
