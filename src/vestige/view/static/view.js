// The live page: attack what is typed, show how far the fitting is, and follow the search for a sentence.
"use strict";

const PAUSE_MS = 100;
const POLL_MS = 700;
const DRAW_MS = 3000;
const MOST_SEARCHES = 4;
const SILENT = "The server does not answer. Start vestige view again, and open its new address.";

document.documentElement.classList.add("scripted");

const find = (name) => document.getElementById(name);

const findAlert = (page) =>
  new DOMParser().parseFromString(page, "text/html").querySelector('[role="alert"]')?.textContent;

// A browser opens six connections to a server for all of its tabs, and a search keeps one while it runs: without a limit,
// the searches of some tabs would hold up the words of the others.
async function takeTurn(signal, run) {
  if (!navigator.locks) return run();
  for (let place = 0; place < MOST_SEARCHES; place += 1) {
    const free = (lock) => (lock && !signal.aborted ? run().then(() => true) : Boolean(lock));
    if (await navigator.locks.request(`search-${place}`, { ifAvailable: true }, free)) return undefined;
  }
  const place = Math.floor(Math.random() * MOST_SEARCHES);
  return navigator.locks.request(`search-${place}`, { signal }, run);
}

// A search that waits for its turn or runs; `close` ends either.
function startSearch(box) {
  const ending = new AbortController();
  const run = () => new Promise((resolve) => {
    const source = followSentence(box, resolve);
    ending.signal.addEventListener("abort", () => { source.close(); resolve(); });
  });
  takeTurn(ending.signal, run).catch(() => {});
  return { close: () => ending.abort() };
}

function followSentence(box, onEnd) {
  const part = (name) => box.querySelector(`[data-part="${name}"]`);
  const source = new EventSource(`/live/sentence/${box.dataset.search}`);
  let last = null;
  source.onmessage = (event) => {
    last = JSON.parse(event.data);
    part("text").textContent = last.text;
    part("state").textContent =
      `cosine ${last.cosine.toFixed(3)} after ${last.queries} queries; ${last.recovered} of ${last.present} words`;
    part("bar").setAttribute("width", String(Math.max(last.cosine, 0) * 100));
  };
  const end = () => {
    source.close();
    onEnd();
    if (last) part("end").textContent = `The search ended: ${last.text}`;
    else part("state").textContent = "The search was stopped. Change the text to start another.";
  };
  source.addEventListener("done", end);
  source.onerror = end;
  return source;
}

function startLive(form) {
  const text = find("text"), defense = find("defense"), results = find("results"), fitting = find("fitting");
  let timer = null, asked = 0, sources = [];

  const closeSearches = () => { sources.forEach((source) => source.close()); sources = []; };
  const startSearches = () => {
    if (document.visibilityState !== "visible" || sources.length) return;
    sources = [...results.querySelectorAll("[data-search]")].map(startSearch);
  };

  // Screen readers read the counts, not every word.
  const announce = () => {
    const said = [...results.querySelectorAll(".panel")].map((panel) => {
      const score = panel.querySelector(".score") ?? panel.querySelector(".note, .hint");
      return `${panel.getAttribute("aria-label")}: ${score ? score.textContent.trim().replace(/\s+/g, " ") : ""}`;
    });
    find("announced").textContent = said.join(" ") || results.textContent;
  };
  // The defenses are known once the encoder is; what was typed stays.
  async function listDefenses() {
    const response = await fetch("/live").catch(() => null);
    if (!response?.ok) return;
    const found = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("defense");
    const chosen = defense.value;
    defense.dataset.listed = found.dataset.listed;
    defense.replaceChildren(...found.children);
    defense.value = chosen;
    showNote();
  }

  async function attack() {
    const turn = ++asked;
    closeSearches();
    results.setAttribute("aria-busy", "true");
    const body = new URLSearchParams({ text: text.value, defense: defense.value, part: "panels" });
    try {
      const response = await fetch("/live", { method: "POST", body });
      const page = await response.text();
      if (turn !== asked) return;
      if (response.ok) results.innerHTML = page;
      else results.textContent = findAlert(page) || page;
      startSearches();
    } catch {
      if (turn === asked) results.textContent = SILENT;
    } finally {
      if (turn === asked) { results.setAttribute("aria-busy", "false"); announce(); }
    }
  }

  const later = () => { closeSearches(); clearTimeout(timer); timer = setTimeout(attack, PAUSE_MS); };
  text.addEventListener("input", later);
  const showNote = () => { find("defense-note").textContent = defense.selectedOptions[0]?.dataset.note ?? ""; };
  // The server learns of the new defense with the attack; its progress exists only after that.
  defense.addEventListener("change", () => { showNote(); attack().then(poll); });
  form.addEventListener("submit", (event) => { event.preventDefault(); attack(); });
  document.querySelectorAll(".example-text").forEach((button) => {
    button.addEventListener("click", () => { text.value = button.dataset.text; attack(); text.focus(); });
  });
  document.addEventListener("visibilitychange", () => (document.hidden ? closeSearches() : startSearches()));

  const isComplete = () => {
    const panels = results.querySelectorAll(".panel").length;
    return panels === (defense.value ? 2 : 1) && results.querySelectorAll("[data-search]").length === panels;
  };
  const isBusy = () => results.getAttribute("aria-busy") === "true";
  // More can be answered once more jobs have ended than when the text was attacked.
  const onStatus = (status) => {
    if (defense.dataset.listed === "no" && status.done > 0) listDefenses();
    const ended = results.querySelector(".panels")?.dataset.ended;
    if (ended === undefined || ended === String(status.done) || isBusy() || !text.value.trim()) return;
    if (status.finished || !isComplete()) attack();
  };
  let polling = null;
  async function poll() {
    clearTimeout(polling);
    const status = await showStatus(fitting, defense.value);
    if (status) onStatus(status);
    if (!status || !status.finished || isBusy()) polling = setTimeout(poll, POLL_MS);
  }
  poll();
  if (text.value.trim() && !results.firstElementChild) attack();
  else startSearches();
}

async function showStatus(fitting, defense) {
  try {
    const response = await fetch(`/live/status?${new URLSearchParams({ defense })}`);
    if (!response.ok) throw new Error(response.statusText);
    const status = await response.json();
    fitting.dataset.finished = status.finished ? "yes" : "no";
    const step = `${status.label || "Waiting"}, step ${status.done + 1} of ${status.total}`;
    showLine(status.error || (status.finished ? "All attacks are fitted." : step), status.task);
    find("fitting-bar").value = status.share;
    return status;
  } catch {
    showLine(SILENT, "");
    return null;
  }
}

// What has not changed is not written, so that a screen reader does not read it again.
function showLine(line, task) {
  if (find("fitting-state").textContent !== line) find("fitting-state").textContent = line;
  find("fitting-task").textContent = task;
}

function startWaiting(fitting) {
  const timer = setInterval(async () => {
    const before = fitting.dataset.done;
    const status = await showStatus(fitting, "");
    if (!status) return;
    fitting.dataset.done = String(status.done);
    if (status.error || status.finished || (before !== undefined && before !== String(status.done))) {
      clearInterval(timer);
      window.location.reload();
    }
  }, POLL_MS);
}

function startFilter(input) {
  const rows = [...document.querySelectorAll("tr.run")];
  const show = () => {
    const wanted = input.value.trim().toLowerCase();
    let shown = 0;
    rows.forEach((row) => { row.hidden = !row.dataset.search.includes(wanted); shown += !row.hidden; });
    find("filtered").textContent = wanted ? `${shown} of ${rows.length} runs` : "";
  };
  input.addEventListener("input", show);
}

if (find("composer")) startLive(find("composer"));
else if (find("fitting")) startWaiting(find("fitting"));
if (find("filter")) startFilter(find("filter"));
if (find("drawing")) setTimeout(() => window.location.reload(), DRAW_MS);
