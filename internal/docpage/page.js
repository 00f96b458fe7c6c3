"use strict";
// What the page does beyond showing: search, themes, copying, and the fields of a
// schema in the place where it is used. Without it all is there to be read.
(() => {
  const root = document.documentElement;
  const id = (name) => document.getElementById(name);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  root.classList.add("js");
  all("[hidden]").forEach((e) => { if (e.id !== "nothing") e.hidden = false; });

  // The theme is kept where the browser lets a page keep something.
  const kept = { get: () => { try { return localStorage.getItem("theme"); } catch { return null; } },
    set: (theme) => { try { localStorage.setItem("theme", theme); } catch { /* it is chosen again next time */ } } };
  const themes = ["auto", "light", "dark"];
  const setTheme = (theme) => {
    if (theme === "auto") delete root.dataset.theme; else root.dataset.theme = theme;
    id("theme").textContent = "Theme: " + theme;
  };
  let theme = themes.includes(kept.get()) ? kept.get() : "auto";
  setTheme(theme);
  id("theme").addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    kept.set(theme);
    setTheme(theme);
  });

  // A schema that is used somewhere is shown there when it is opened. One within
  // itself is opened as often as somebody likes.
  const fill = (details) => {
    const of = details.open && !details.dataset.filled && id(details.dataset.ref);
    if (!of) return;
    details.dataset.filled = "yes";
    const body = of.querySelector(".body").cloneNode(true);
    all("details", body).forEach((d) => { d.open = false; delete d.dataset.filled; all("[data-clone]", d).forEach((c) => c.remove()); });
    body.dataset.clone = "yes";
    details.append(body);
  };
  document.addEventListener("toggle", (event) => {
    if (event.target.dataset && event.target.dataset.ref) fill(event.target);
  }, true);
  const payloads = all(".message > .fields > li > details");
  if (payloads.length <= 200) payloads.forEach((d) => { d.open = true; fill(d); });

  // Search: an entry is shown where it has all the words; tag:x is a tag.
  const entries = all("main article").map((element) => ({
    element, tags: (element.dataset.tags || "").split("\n").map((t) => t.trim()).filter(Boolean), text: "",
    links: [],
  }));
  const links = new Map();
  all("nav [data-of]").forEach((li) => links.set(li.dataset.of, [...(links.get(li.dataset.of) || []), li]));
  entries.forEach((e) => { e.links = links.get(e.element.id) || []; });
  const search = id("search");
  const matches = (entry, words) => {
    entry.text = entry.text || entry.element.textContent.toLowerCase();
    return words.every((w) => w.startsWith("tag:") ? entry.tags.includes(w.slice(4).replaceAll("\u00a0", " ")) : entry.text.includes(w));
  };
  const find = () => {
    const words = search.value.toLowerCase().split(/[ \t\n]+/).filter(Boolean);
    let shown = 0;
    entries.forEach((entry) => {
      const hidden = words.length > 0 && !matches(entry, words);
      entry.element.hidden = hidden;
      entry.links.forEach((li) => { li.hidden = hidden; });
      if (!hidden) shown++;
    });
    all("nav .group").forEach((g) => { g.hidden = words.length > 0 && !all("li:not([hidden])", g).length; });
    for (const name of ["services", "routes", "declared", "schemas", "topology"]) {
      const section = id(name);
      if (section) section.hidden = words.length > 0 && !all("article:not([hidden])", section).length;
    }
    id("found").textContent = words.length ? shown + " of " + entries.length : "";
    id("nothing").hidden = shown > 0 || words.length === 0;
  };
  search.addEventListener("input", find);
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest && event.target.closest("input,textarea,select");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search.focus();
      search.select();
    } else if (event.key === "Escape" && event.target === search) {
      search.value = "";
      find();
    }
  });
  all(".tag").forEach((button) => button.addEventListener("click", () => {
    search.value = "tag:" + button.dataset.tag.replaceAll(" ", "\u00a0");
    find();
    search.focus();
  }));

  // What an address names is shown, also if the search has hidden it.
  const reveal = () => {
    let name = location.hash.slice(1);
    try { name = decodeURIComponent(name); } catch { /* it is taken as it is */ }
    const target = name && id(name);
    if (!target) return;
    if (target.closest("[hidden]")) { search.value = ""; find(); }
    target.scrollIntoView();
    all("nav a[aria-current]").forEach((a) => a.removeAttribute("aria-current"));
    (links.get(name) || []).forEach((li) => li.firstElementChild.setAttribute("aria-current", "true"));
  };
  addEventListener("hashchange", reveal);
  reveal();

  const menu = id("menu");
  const open = (is) => { id("nav").classList.toggle("open", is); menu.setAttribute("aria-expanded", is); };
  menu.addEventListener("click", () => open(menu.getAttribute("aria-expanded") !== "true"));
  id("nav").addEventListener("click", (event) => { if (event.target.closest("a")) open(false); });

  // Copying works on pages without TLS, too, where there is no clipboard to write to.
  const copy = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    if (!done) throw new Error("not copied");
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest && event.target.closest(".copy");
    if (!button) return;
    try {
      await copy(button.parentElement.querySelector("code").textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not copied";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
})();
