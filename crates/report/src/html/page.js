"use strict";
// The page of a report: suspects on the left, the source in the middle, the trace on the right, one state for all.
// State is { failure, step, suspect, file }; go() changes it, draws what differs, and keeps it in the address.
// The list of steps holds only the rows in sight, so that ten thousand of them stay fluid.

const { document: report, files } = JSON.parse(document.getElementById("data").textContent);
const suspects = report.diagnosis ? report.diagnosis.suspects : [];
const byId = (id) => document.getElementById(id);
const state = { failure: 0, step: 0, suspect: 0, file: "" };

function element(tag, attributes, ...children) {
  const it = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "onclick") it.addEventListener("click", value);
    else if (name === "style") for (const [key, one] of Object.entries(value)) it.style.setProperty(key, one);
    else if (value !== null && value !== undefined && value !== false) it.setAttribute(name, value === true ? "" : value);
  }
  it.append(...children.filter((child) => child !== null && child !== undefined));
  return it;
}
const count = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
const failure = () => report.failures[state.failure];
const steps = () => (failure() && failure().trace ? failure().trace.steps : []);
// How strongly a suspect is marked: by its score, and by how many come before it.
const strength = (it) => (it.score / Math.pow(it.rank, 0.55)).toFixed(3);
const placeOf = (it) => (it && it.file && it.line ? it : null);
const say = (words) => { byId("said").textContent = words; };

/* ---- Text with `code` in it ---------------------------------------------------------------------------------- */
function prose(words) {
  const parts = words.split(/(`[^`]+`)/);
  const span = document.createDocumentFragment();
  for (const part of parts) {
    const quoted = part.length > 2 && part.startsWith("`") && part.endsWith("`");
    span.append(quoted ? element("code", {}, part.slice(1, -1)) : part);
  }
  return span;
}
function link(place, words, onclick) {
  return element("button", { class: "link", type: "button", onclick: onclick || (() => reveal(place)) }, words || `${place.file}:${place.line}`);
}
async function copy(text, button) {
  const done = () => { const old = button.textContent; button.textContent = "Copied"; say("Copied"); setTimeout(() => { button.textContent = old; }, 1400); };
  try { await navigator.clipboard.writeText(text); done(); } catch {
    const area = element("textarea", { class: "hidden" });
    area.value = text;
    document.body.append(area);
    area.select();
    if (document.execCommand("copy")) done();
    area.remove();
    button.focus();
  }
}

/* ---- Heading ------------------------------------------------------------------------------------------------- */
function drawHeading() {
  const it = failure();
  const verdict = { fault: "bad", violated: "bad", "no-fault": "good", proved: "good" }[report.verdict] || "unsure";
  const shown = { "no-fault": "no fault", bounded: `holds up to bound ${report.bound}` }[report.verdict] || report.verdict;
  const nothing = { good: "Nothing wrong was found", unsure: "Nothing is known for sure" }[verdict] || "A fault was found";
  byId("title").replaceChildren(prose(it ? it.message : nothing));
  const parts = [element("span", { class: `badge ${verdict}` }, shown)];
  if (it) {
    parts.push(element("span", {}, it.kind));
    if (it.place) parts.push(link(it.place));
    if (it.label) parts.push(element("span", {}, prose(it.label)));
  } else parts.push(element("span", {}, report.program.files.join(", ")));
  byId("summary").replaceChildren(...parts);
  const many = report.failures.length > 1;
  byId("pick").hidden = !many;
  if (many && !byId("failures").options.length) {
    report.failures.forEach((one, index) => byId("failures").append(element("option", { value: index }, `${index + 1}. ${one.message.replaceAll("`", "")}`)));
    byId("failures").addEventListener("change", (event) => go({ failure: Number(event.target.value), step: -1 }));
  }
  byId("failures").value = String(state.failure);
}

/* ---- Suspects ------------------------------------------------------------------------------------------------ */
const CHECKED = { proved: ["good", "proved"], bounded: ["good", "checked within a bound"], tests: ["good", "passes the runs that were tried"], none: ["unsure", "not checked"] };

function patch(fix) {
  const kinds = { "+": "plus", "-": "minus" };
  const lines = [];
  let file = "";
  for (const line of fix.diff.replace(/\n$/, "").split("\n")) {
    // The headers of a diff are for tools; people want to know where.
    const hunk = /^@@ -(\d+)/.exec(line);
    if (line.startsWith("+++ ")) file = line.slice(4).replace(/^b\//, "").split("\t")[0];
    else if (hunk) lines.push(element("span", { class: "hunk" }, `${file}:${hunk[1]}`));
    else if (!line.startsWith("--- ")) lines.push(element("span", { class: kinds[line[0]] || "plain" }, line || " "));
  }
  const button = element("button", { type: "button" }, "Copy");
  button.addEventListener("click", () => copy(fix.diff, button));
  const [kind, words] = CHECKED[fix.checked] || CHECKED.none;
  return element("div", { class: "patch" },
    element("header", {}, element("span", { class: "how" }, "Write instead ", element("span", { class: `badge ${kind}` }, words)), button),
    element("pre", { tabindex: "0", "aria-label": "Lines that go and lines that come" }, ...lines));
}

function chain(suspect) {
  const items = [];
  const here = placeOf(suspect);
  if (here) items.push(element("li", { class: "from" }, link(here), " suspect ", element("span", { class: "engine" }, suspect.function && `in ${suspect.function}`)));
  for (const it of suspect.evidence) {
    const place = placeOf(it);
    items.push(element("li", {}, place ? link(place) : "", place ? " " : "", prose(it.message), " ", element("span", { class: "engine" }, it.engine)));
  }
  const end = failure();
  if (end && end.place) items.push(element("li", { class: "to" }, link(end.place), " ", prose(end.message)));
  return items.length ? element("div", {}, element("h3", {}, "From cause to failure"), element("ol", { class: "chain" }, ...items)) : null;
}

function drawSuspects() {
  const cards = suspects.map((it, index) => {
    const place = placeOf(it);
    return element("article", { class: "card", id: `suspect-${it.rank}`, style: { "--strength": strength(it), "--score": it.score.toFixed(3) } },
      element("button", { type: "button", "aria-expanded": "false", onclick: () => go({ suspect: index + 1 }) },
        element("span", { class: "rank", "aria-label": `Suspect ${it.rank}` }, String(it.rank)),
        element("span", { class: "what" }, it.text || (place ? `line ${place.line}` : "a place outside the source")),
        element("span", { class: "where" }, place ? `${place.file}:${place.line}` : "", it.function ? ` in ${it.function}` : ""),
        element("span", { class: "score" }, element("i", { "aria-hidden": "true" }), `${Math.round(it.score * 100)} %`)),
      element("p", { class: "why" }, prose(it.why)),
      element("div", { class: "more" }, it.fix ? patch(it.fix) : null, it.fix ? element("div", { style: { height: "12px" } }) : null, chain(it),
        place ? element("p", { style: { "margin-top": "10px" } }, element("button", { type: "button", class: "show", onclick: () => go({ suspect: index + 1, tab: "source" }) }, "Show in the source")) : null),
      element("div", { class: "engines", "aria-label": "Engines that agree" }, ...it.engines.map((engine) => element("span", {}, engine)), it.step ? element("span", { class: "step" }, STEPS[it.step][1]) : null));
  });
  if (!cards.length && !report.failures.length) {
    const good = report.verdict === "proved" || report.verdict === "no-fault";
    const words = { proved: "Proved: no input makes the program fail.", "no-fault": "This run has no fault.", bounded: `No input makes the program fail while no loop goes back more than ${count(report.bound || 0, "time")}.` }[report.verdict];
    cards.push(element("p", { class: `clear ${good ? "" : "unsure"}` }, words || (report.reasons[0] ? report.reasons[0].message : "Inconclusive.")));
  } else if (!cards.length) {
    cards.push(element("p", { class: "why", style: { padding: "0" } }, "No suspects: ", element("code", {}, "faultline localize"), " looks for them. The trace shows how the program gets to its failure."));
  }
  byId("cards").replaceChildren(...cards);
}

/* What each step of a comparison of runs has left, and what is said of a suspect that it was the last to leave. */
const STEPS = {
  observed: ["hold in good runs"], broken: ["broken here", "dropped: not on the way to the failure"],
  "in-slice": ["on the way to the failure", "dropped: explained by another suspect"],
  unexplained: ["not explained by another", "dropped: not in all failing inputs"], "in-all-inputs": ["in all failing inputs", "came through all steps"],
  tendency: ["", "only more frequent in failing runs"],
};

function funnel(narrowing) {
  const widest = Math.log1p(Math.max(...narrowing.map((it) => it.lines)));
  const rows = narrowing.map((it) => element("li", { style: { "--width": (Math.log1p(it.lines) / (widest || 1)).toFixed(3) } },
    element("span", {}, STEPS[it.step][0]), element("span", { class: "left" }, `${count(it.invariants, "invariant")} in ${count(it.lines, "line")}`), element("i", { "aria-hidden": "true" })));
  return element("details", { open: true }, element("summary", {}, "How invariants were narrowed down"), element("ol", { class: "funnel" }, ...rows));
}

function facts() {
  const it = failure();
  const parts = [];
  const list = (title, items, open) => { if (items.length) parts.push(element("details", { open }, element("summary", {}, title), element("ul", {}, ...items.map((one) => element("li", {}, ...one))))); };
  if (it && it.repeat) {
    const button = element("button", { type: "button" }, "Copy");
    button.addEventListener("click", () => copy(it.repeat, button));
    parts.push(element("details", { open: true }, element("summary", {}, "To see it again"), element("div", { class: "command" }, element("pre", {}, it.repeat), button)));
  }
  const inputs = (it && it.inputs) || report.inputs;
  list("Inputs", inputs.map((one) => [element("code", {}, one.indeterminate ? `${one.function} = ${one.value}` : `${one.function}() = ${one.value}`), " ", one.place ? link(one.place) : ""]), inputs.length <= 8);
  const explained = report.diagnosis && report.diagnosis.input;
  if (explained) {
    const origin = explained.given_bytes ? `, made smaller from ${explained.given_bytes}` : "";
    const words = `The input here: ${count(explained.bytes, "byte")}${origin}${explained.path ? ` (${explained.path})` : ""}${explained.is_cut ? ", which begins" : ""}`;
    parts.push(element("details", { open: true, id: "explained-input" }, element("summary", {}, words), element("pre", { tabindex: "0" }, explained.text)));
  }
  if (report.diagnosis && report.diagnosis.narrowing) parts.push(funnel(report.diagnosis.narrowing));
  if (it) {
    list("Values", it.values.map((one) => [element("code", {}, `${one.expression} = ${one.value}`)]), true);
    list("Calls under way", it.stack.map((one) => [element("code", {}, one.function), " ", one.place ? link(one.place) : ""]), it.stack.length > 1 && it.stack.length < 6);
    list("Belongs to it", it.related.map((one) => [link(one.place), " ", prose(one.message)]), true);
    list("Notes", it.notes.map((one) => [prose(one)]), true);
  }
  list("What weakens the verdict", report.reasons.map((one) => [one.place ? link(one.place) : "", " ", prose(one.message), one.help ? `; ${one.help}` : ""]), true);
  if (report.properties) list("Properties", report.properties.map((one) => [`${one.property}: ${one.verdict}`]), true);
  if (report.proved) list(`Proved by abstract interpretation (${report.proved.checks.length} of ${report.proved.of})`, report.proved.checks.map((one) => [one.place ? link(one.place) : "", ` ${one.kind}`]), false);
  const notes = report.notes.map((one) => [one.place ? link(one.place) : "", " ", prose(one.message)]);
  if (report.diagnosis) {
    notes.push(...report.diagnosis.notes.map((one) => [prose(one)]));
    list("Not to blame", report.diagnosis.cleared.map((one) => [placeOf(one) ? link(one) : "", " ", prose(one.message)]), false);
  }
  list("Remarks", notes, false);
  list("Not supported", report.unsupported.map((one) => [one.place ? link(one.place) : "", " ", one.what]), false);
  for (const [title, text] of [["The program printed", report.program.stdout], ["On standard error", report.program.stderr]]) {
    if (text) parts.push(element("details", {}, element("summary", {}, title), element("pre", { tabindex: "0" }, text)));
  }
  parts.push(element("p", { style: { color: "var(--faint)", "font-size": "12px" } }, `Faultline ${report.version}${report.diagnosis ? " · " + report.diagnosis.engines.join(", ") : ""}`));
  byId("facts").replaceChildren(...parts);
}

/* ---- Source -------------------------------------------------------------------------------------------------- */
const KEYWORDS = new Set("auto break case const continue default do else enum extern for goto if inline register restrict return sizeof static struct switch typedef union volatile while procedure implementation var requires ensures invariant modifies assume assert call havoc axiom function returns".split(" "));
const TYPES = new Set("char double float int long short signed unsigned void size_t bool _Bool int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t FILE real".split(" "));
const TOKEN = /\/\*[^]*?(?:\*\/|$)|\/\/.*|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|\b\d[\w.]*\b|[A-Za-z_]\w*|^\s*#\s*\w+/g;

// [start, end, class] of what is coloured in a line; within says whether a comment goes on from the line before.
function tokens(text, within) {
  const found = [];
  let from = 0;
  if (within) {
    const end = text.indexOf("*/");
    if (end < 0) return { found: [[0, text.length, "c"]], within: true };
    found.push([0, end + 2, "c"]);
    from = end + 2;
  }
  TOKEN.lastIndex = from;
  let open = false;
  for (let it; (it = TOKEN.exec(text)); ) {
    const word = it[0];
    if (!word) { TOKEN.lastIndex += 1; continue; }
    const kind = word.startsWith("/*") || word.startsWith("//") ? "c" : /^["']/.test(word) ? "s" : /^\d/.test(word) ? "n" : word.includes("#") ? "k" : KEYWORDS.has(word) ? "k" : TYPES.has(word) ? "y" : "";
    if (kind) found.push([it.index, it.index + word.length, kind]);
    open = word.startsWith("/*") && !(word.length > 3 && word.endsWith("*/"));
  }
  return { found, within: open };
}
// From a column in bytes, from 1, to an index in the string.
function unit(text, column) {
  let bytes = 1;
  let index = 0;
  for (const character of text) {
    if (bytes >= column) break;
    const code = character.codePointAt(0);
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    index += character.length;
  }
  return index;
}
function range(place, number, text) {
  const start = number === place.line ? unit(text, place.column || 1) : 0;
  const end = number === place.end_line ? unit(text, place.end_column || 1) : text.length;
  return [start, Math.max(end, Math.min(start + 1, text.length))];
}

const lines = new Map(); // "file:line" → { row, text, colours, values }
const sayings = [];

function paint(line, marks) {
  const cuts = new Set([0, line.text.length]);
  for (const [start, end] of line.colours) { cuts.add(start); cuts.add(end); }
  for (const mark of marks) { cuts.add(mark.start); cuts.add(mark.end); }
  const points = [...cuts].filter((it) => it <= line.text.length).sort((a, b) => a - b);
  const parts = [];
  for (let i = 0; i + 1 < points.length; i += 1) {
    const [start, end] = [points[i], points[i + 1]];
    const colour = line.colours.find((it) => it[0] <= start && end <= it[1]);
    const over = marks.filter((it) => it.start <= start && end <= it.end).map((it) => it.kind);
    const text = line.text.slice(start, end);
    const inner = colour ? element("span", { class: colour[2] }, text) : text;
    parts.push(over.length ? element("mark", { class: over.join(" ") }, inner) : inner);
  }
  line.cell.replaceChildren(...parts);
}

function marksOf(file, number, text) {
  const marks = [];
  const add = (place, kind) => {
    if (place && place.file === file && place.line <= number && number <= (place.end_line || place.line)) {
      const [start, end] = range(place, number, text);
      marks.push({ start, end, kind });
    }
  };
  for (const it of suspects) add(placeOf(it), "suspect");
  const it = failure();
  if (it) { add(it.place, "failure"); it.related.forEach((one) => add(one.place, "related")); }
  const step = steps()[state.step];
  if (step) add(step.place, "now");
  return marks;
}

function drawFile() {
  lines.clear();
  sayings.length = 0;
  const file = files.find((it) => it.path === state.file);
  const code = byId("code");
  if (!file) { code.replaceChildren(element("p", { class: "gap" }, state.file ? `The text of ${state.file} is not at hand.` : "No source to show.")); return; }
  const body = document.createDocumentFragment();
  let next = 1;
  for (const chunk of file.chunks) {
    if (chunk.first > next) body.append(element("div", { class: "gap" }, count(chunk.first - next, "line")));
    let within = false;
    chunk.lines.forEach((text, index) => {
      const number = chunk.first + index;
      const coloured = tokens(text, within);
      within = coloured.within;
      const cell = element("span", { class: "t" });
      const values = element("span", { class: "v", "aria-live": "off" });
      const gutter = element("span", { class: "g" }, String(number));
      const row = element("div", { class: "l", "data-line": number }, gutter, cell, values);
      const line = { row, cell, gutter, values, text, colours: coloured.found };
      lines.set(number, line);
      body.append(row);
    });
    next = chunk.first + chunk.lines.length;
  }
  if (file.total >= next) body.append(element("div", { class: "gap" }, count(file.total - next + 1, "line")));
  code.replaceChildren(body);
  drawMarks();
}

// Everything that does not change with the step.
function drawMarks() {
  sayings.splice(0).forEach((it) => it.remove());
  for (const [number, line] of lines) {
    line.row.className = "l";
    line.gutter.querySelectorAll("b").forEach((it) => it.remove());
    paint(line, marksOf(state.file, number, line.text));
  }
  const tell = (number, kind, words) => {
    const line = lines.get(number);
    if (!line) return;
    const it = element("div", { class: `say ${kind}` }, words);
    line.row.after(it);
    sayings.push(it);
  };
  suspects.forEach((it, index) => {
    const place = placeOf(it);
    const line = place && place.file === state.file && lines.get(place.line);
    if (!line) return;
    line.row.classList.add("suspect");
    if (!line.row.style.getPropertyValue("--strength")) line.row.style.setProperty("--strength", strength(it));
    if (!line.gutter.querySelector("b")) line.gutter.prepend(element("b", { title: `Suspect ${it.rank}`, onclick: () => go({ suspect: index + 1 }) }, String(it.rank)));
    if (index + 1 === state.suspect) { line.row.classList.add("chosen"); tell(place.line, "suspect", prose(`${it.rank}: ${it.why}`)); }
  });
  const it = failure();
  if (it) {
    it.related.forEach((one) => { if (one.place.file === state.file && report.failures.length < 20) tell(one.place.line, "related", prose(one.message)); });
    if (it.place && it.place.file === state.file) {
      const line = lines.get(it.place.line);
      if (line) line.row.classList.add("failing");
      tell(it.place.line, "failure", prose(it.label || it.message));
    }
  }
  now = null;
  drawStep(false);
}

function drawFiles() {
  byId("files").replaceChildren(...files.map((it) => element("button", { type: "button", role: "tab", "aria-selected": String(it.path === state.file), onclick: () => go({ file: it.path }) }, it.path)));
}

function centre(number) {
  const line = lines.get(number);
  if (!line) return;
  const code = byId("code");
  const top = line.row.offsetTop;
  if (top < code.scrollTop + 40 || top > code.scrollTop + code.clientHeight - 90) code.scrollTop = Math.max(0, top - code.clientHeight * 0.4);
  code.scrollLeft = 0;
}
function reveal(place) { go({ file: place.file, tab: "source" }); centre(place.line); }

/* ---- Trace --------------------------------------------------------------------------------------------------- */
const HEIGHT = 28;
const opened = new Set();
let rows = [];
let rowOfStep = [];
let now = null;

const same = (one, other) => one.depth === other.depth && one.text === other.text && one.kind === other.kind && (one.place ? one.place.line : 0) === (other.place ? other.place.line : 0);
// The sequence from a step on that is repeated over most steps: its length, and how often it comes.
function repetition(all, at) {
  let best = [1, 1];
  for (let length = 1; length <= 24 && at + 2 * length <= all.length; length += 1) {
    let end = at + length;
    while (end < all.length && same(all[end], all[end - length])) end += 1;
    const times = Math.floor((end - at) / length);
    if (times > 1 && times * length > best[0] * best[1]) best = [length, times];
  }
  return best;
}
function layOut() {
  const all = steps();
  rows = [];
  rowOfStep = new Array(all.length).fill(-1);
  const folding = byId("fold").checked;
  const add = (index) => {
    const before = index > 0 ? all[index - 1].number : 0;
    const left = all[index].number - before - 1;
    if (left > 2 && rows.length && rows[rows.length - 1].step === index - 1) rows.push({ gap: left });
    rowOfStep[index] = rows.length;
    rows.push({ step: index });
  };
  for (let at = 0; at < all.length; ) {
    const [length, times] = folding ? repetition(all, at) : [1, 1];
    if (times < 5) { add(at); at += 1; continue; }
    const [first, last, end] = [at + length, at + (times - 2) * length, at + times * length];
    for (let i = at; i < first; i += 1) add(i);
    if (opened.has(first)) for (let i = first; i < last; i += 1) add(i);
    else {
      for (let i = first; i < last; i += 1) rowOfStep[i] = rows.length;
      rows.push({ fold: first, end: last, times: times - 3 });
    }
    for (let i = last; i < end; i += 1) add(i);
    at = end;
  }
  byId("rows").style.height = `${rows.length * HEIGHT}px`;
  drawRows();
}
const equation = (it) => `${it.expression} = ${it.value}`;
// An input that is the whole condition has been named.
const isNamed = (step) => step.kind === "condition" && step.inputs.every((it) => it.expression === step.text);
const inputWords = (step) => !step.inputs.length ? "" : isNamed(step) ? "input" : step.inputs.map(equation).join(", ");
function effect(step) {
  const values = step.values.map(equation).join(", ");
  if (step.kind === "condition") return [values ? `${step.outcome}: ${values}` : step.outcome, step.outcome];
  if (step.kind === "switch") return [`→ ${step.outcome}`, ""];
  if (step.kind === "return") return [`returns ${step.outcome}`, ""];
  if (step.kind === "failure") return [step.outcome, "failure"];
  return [values, ""];
}
const blamed = new Set(suspects.map(placeOf).filter(Boolean).map((it) => `${it.file}:${it.line}`));
const isBlamed = (step) => step.place && blamed.has(`${step.place.file}:${step.place.line}`);

function drawRow(row, index) {
  const top = { top: `${index * HEIGHT}px` };
  if (row.gap) return element("div", { class: "row note", style: top, role: "presentation" }, element("span", { class: "no" }, "⋮"), `${count(row.gap, "step")} that do not matter`);
  if (row.fold !== undefined) {
    return element("div", { class: "row note", style: top, role: "presentation" }, element("span", { class: "no" }, "↻"), count(row.times, "more iteration"),
      element("button", { type: "button", onclick: () => { opened.add(row.fold); layOut(); } }, "show"));
  }
  const step = steps()[row.step];
  const [words, kind] = effect(step);
  const inputs = inputWords(step);
  return element("div", { class: `row ${step.kind === "failure" ? "failure" : ""} ${isBlamed(step) ? "blamed" : ""}`, style: top, role: "option", id: `step-${row.step + 1}`,
    "aria-selected": String(row.step === state.step), "aria-posinset": row.step + 1, "aria-setsize": steps().length, title: `${step.text}\n${words}${inputs ? `\ninput: ${step.inputs.map(equation).join(", ")}` : ""}`, onclick: () => go({ step: row.step }) },
    element("span", { class: "no" }, String(row.step + 1)), element("span", { class: "bars", style: { width: `${Math.min(step.depth, 8) * 12}px` } }),
    element("span", { class: "tx" }, step.kind === "call" ? `→ ${step.text}` : step.text), element("span", { class: `ef ${kind}` }, kind === "failure" ? prose(words) : words, inputs ? element("span", { class: "in" }, ` ← ${inputs}`) : ""));
}
function drawRows() {
  const box = byId("steps");
  const first = Math.max(0, Math.floor(box.scrollTop / HEIGHT) - 12);
  const last = Math.min(rows.length, Math.ceil((box.scrollTop + (box.clientHeight || 600)) / HEIGHT) + 12);
  byId("rows").replaceChildren(...rows.slice(first, last).map((row, index) => drawRow(row, first + index)));
  box.setAttribute("aria-activedescendant", `step-${state.step + 1}`);
}
function followRow() {
  const box = byId("steps");
  if (rowOfStep[state.step] === undefined || !box.clientHeight) return;
  const row = rows[rowOfStep[state.step]];
  if (row && row.fold !== undefined) { opened.add(row.fold); layOut(); }
  const top = rowOfStep[state.step] * HEIGHT;
  if (top < box.scrollTop + HEIGHT || top > box.scrollTop + box.clientHeight - 3 * HEIGHT) box.scrollTop = top - box.clientHeight * 0.45;
  drawRows();
}

// What is known of each call under way, after the current step.
function frames() {
  const all = steps();
  const found = [];
  for (let i = 0; i <= state.step && i < all.length; i += 1) {
    const step = all[i];
    found.length = Math.min(found.length, step.depth + 1);
    while (found.length <= step.depth) found.push({ function: "", values: new Map() });
    const frame = found[step.depth];
    if (frame.function && frame.function !== step.function) frame.values.clear();
    frame.function = step.function;
    let target = frame;
    if (step.kind === "call" && all[i + 1] && all[i + 1].depth > step.depth) {
      target = { function: all[i + 1].function, values: new Map() };
      found.push(target);
    }
    for (const it of [...step.values, ...step.inputs.filter((one) => !step.values.length || one.expression.includes(" "))]) {
      const known = target.values.get(it.expression);
      const changed = !known || known.value !== it.value;
      target.values.set(it.expression, { value: it.value, set: changed ? i : known.set, seen: i });
    }
  }
  return found;
}
function drawValues() {
  const boxes = frames().reverse().filter((it) => it.values.size).map((frame) => element("div", { class: "frame" },
    element("p", {}, "in ", element("code", {}, frame.function || "main")),
    element("table", {}, element("tbody", {}, ...[...frame.values].map(([name, it]) => element("tr", { class: it.seen === state.step ? "changed" : "" },
      element("td", {}, name), element("td", {}, element("button", { type: "button", title: `set in step ${it.set + 1}`, onclick: () => go({ step: it.set }) }, it.value))))))));
  byId("values").replaceChildren(...(boxes.length ? boxes : [element("p", { style: { color: "var(--faint)", "font-size": "13px" } }, "Nothing has been assigned yet.")]));
}
// What changes with the step.
function drawStep(follow) {
  const all = steps();
  byId("stepper").hidden = !all.length;
  if (now) {
    now.row.classList.remove("now");
    now.values.textContent = "";
    paint(now, marksOf(state.file, now.number, now.text));
    now = null;
  }
  const step = all[state.step];
  if (!step) return;
  if (step.place && step.place.file === state.file && lines.has(step.place.line)) {
    now = lines.get(step.place.line);
    now.number = step.place.line;
    now.row.classList.add("now");
    const [words] = effect(step);
    now.values.textContent = [step.kind === "failure" ? "" : words, step.inputs.length ? isNamed(step) ? "← input" : `← input ${inputWords(step)}` : ""].filter(Boolean).join("  ").slice(0, 200);
    paint(now, marksOf(state.file, now.number, now.text));
    if (follow) centre(step.place.line);
  }
  byId("slider").max = String(all.length);
  byId("slider").value = String(state.step + 1);
  byId("slider").setAttribute("aria-valuetext", `step ${state.step + 1} of ${all.length}: ${step.text}`);
  byId("position").textContent = `${(state.step + 1).toLocaleString("en")} of ${all.length.toLocaleString("en")}`;
  byId("first").disabled = byId("previous").disabled = state.step === 0;
  byId("last").disabled = byId("next").disabled = state.step === all.length - 1;
}

/* ---- Moving -------------------------------------------------------------------------------------------------- */
function drawTraced() {
  document.querySelector("main").classList.toggle("untraced", !steps().length);
  document.querySelector(".tabs [data-tab=trace]").hidden = !steps().length;
  const trace = failure() && failure().trace;
  byId("counted").textContent = trace ? `${trace.steps.length.toLocaleString("en")} of ${count(trace.total_steps, "step")}` : "";
}
function showTab(name) {
  document.querySelector("main").dataset.tab = name;
  document.querySelectorAll(".tabs button").forEach((it) => it.setAttribute("aria-current", String(it.dataset.tab === name)));
  followRow();
}
function go(change) {
  const before = { ...state };
  if (change.failure !== undefined) state.failure = Math.max(0, Math.min(change.failure, report.failures.length - 1));
  const all = steps();
  if (change.suspect !== undefined) state.suspect = Math.max(0, Math.min(change.suspect, suspects.length));
  const chosen = change.suspect !== undefined ? placeOf(suspects[state.suspect - 1]) : null;
  if (chosen && change.step === undefined) {
    const at = timesAt(chosen);
    if (at.length) state.step = at[at.length - 1];
  }
  if (change.step !== undefined) state.step = change.step < 0 ? all.length - 1 : Math.min(change.step, all.length - 1);
  state.step = Math.max(0, Math.min(state.step, all.length - 1));
  const moved = state.step !== before.step || change.failure !== undefined;
  const step = all[state.step];
  if (change.file !== undefined) state.file = change.file;
  else if (chosen) state.file = chosen.file;
  else if (moved && step && step.place) state.file = step.place.file;
  const other = state.failure !== before.failure;
  if (other) { opened.clear(); drawTraced(); drawHeading(); facts(); layOut(); drawSuspects(); }
  if (state.file !== before.file) { drawFiles(); drawFile(); } else if (other || state.suspect !== before.suspect) drawMarks();
  if (other || state.suspect !== before.suspect) choose();
  if (moved || state.file !== before.file) { drawStep(true); followRow(); drawValues(); }
  if (chosen) centre(chosen.line);
  if (change.tab) showTab(change.tab);
  if (moved && step) say(`Step ${state.step + 1}: ${step.text}. ${effect(step)[0]}`);
  remember();
}
function choose() {
  document.querySelectorAll(".card").forEach((card) => {
    const current = card.id === `suspect-${state.suspect}`;
    card.setAttribute("aria-current", String(current));
    card.firstElementChild.setAttribute("aria-expanded", String(current));
    if (current) card.scrollIntoView({ block: "nearest" });
  });
  if (state.suspect) say(`Suspect ${state.suspect}: ${suspects[state.suspect - 1].why}`);
}
// The steps that are at a place.
const timesAt = (place) => steps().map((it, index) => [it, index]).filter(([it]) => it.place && it.place.file === place.file && it.place.line === place.line).map(([, index]) => index);

// The address says where one is; a step beside the last one, which is where one starts, or a suspect beside the first.
let remembering = 0;
function remember() {
  cancelAnimationFrame(remembering);
  remembering = requestAnimationFrame(() => {
    const parts = [];
    if (state.failure) parts.push(`failure=${state.failure + 1}`);
    if (steps().length) parts.push(`step=${state.step + 1}`);
    if (state.suspect) parts.push(`suspect=${state.suspect}`);
    try { history.replaceState(null, "", `#${parts.join("&")}`); } catch { /* a page without an address of its own */ }
  });
}
function fromAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  const number = (name) => (/^\d+$/.test(given.get(name) || "") ? Number(given.get(name)) : undefined);
  const change = {};
  if (number("failure")) change.failure = number("failure") - 1;
  if (number("suspect")) change.suspect = number("suspect");
  if (number("step")) change.step = number("step") - 1;
  return change;
}

/* ---- Keys ---------------------------------------------------------------------------------------------------- */
function over() {
  const all = steps();
  const depth = all[state.step] ? all[state.step].depth : 0;
  let next = state.step + 1;
  while (next < all.length - 1 && all[next].depth > depth) next += 1;
  go({ step: Math.min(next, all.length - 1) });
}
function again(direction) {
  const place = placeOf(suspects[(state.suspect || 1) - 1]);
  if (!place) return;
  const at = timesAt(place).filter((it) => (direction > 0 ? it > state.step : it < state.step));
  if (at.length) go({ step: direction > 0 ? at[0] : at[at.length - 1] });
}
const KEYS = {
  j: () => go({ step: state.step + 1 }), ArrowRight: () => go({ step: state.step + 1 }),
  k: () => go({ step: Math.max(0, state.step - 1) }), ArrowLeft: () => go({ step: Math.max(0, state.step - 1) }),
  Home: () => go({ step: 0 }), End: () => go({ step: -1 }), s: over, n: () => again(1), p: () => again(-1),
  f: () => { const it = failure(); if (it && it.place) reveal(it.place); },
  "?": () => byId("help").showModal(),
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  const inList = event.target === byId("steps");
  if (event.target.matches("select, textarea, input:not([type=checkbox]):not([type=range])")) return;
  if (event.target.type === "range" && event.key.startsWith("Arrow")) return;
  const key = inList && event.key === "ArrowDown" ? "j" : inList && event.key === "ArrowUp" ? "k" : event.key;
  if (/^[1-9]$/.test(key) && Number(key) <= suspects.length) { event.preventDefault(); go({ suspect: Number(key) }); }
  else if (KEYS[key]) { event.preventDefault(); KEYS[key](); }
});
byId("first").addEventListener("click", KEYS.Home);
byId("previous").addEventListener("click", KEYS.k);
byId("next").addEventListener("click", KEYS.j);
byId("last").addEventListener("click", KEYS.End);
byId("slider").addEventListener("input", (event) => go({ step: Number(event.target.value) - 1 }));
byId("fold").addEventListener("change", () => { opened.clear(); layOut(); followRow(); });
byId("help-button").addEventListener("click", KEYS["?"]);
byId("steps").addEventListener("scroll", () => requestAnimationFrame(drawRows), { passive: true });
window.addEventListener("resize", drawRows);
window.addEventListener("hashchange", () => go(fromAddress()));
document.querySelectorAll(".tabs button").forEach((it) => it.addEventListener("click", () => showTab(it.dataset.tab)));

/* ---- The first picture --------------------------------------------------------------------------------------- */
function start() {
  const asked = fromAddress();
  state.failure = Math.max(0, Math.min(asked.failure || 0, report.failures.length - 1));
  state.step = Math.max(0, steps().length - 1);
  drawTraced();
  const first = placeOf(suspects[0]) || (failure() && failure().place);
  state.file = first ? first.file : files.length ? files[0].path : "";
  drawHeading();
  drawSuspects();
  facts();
  drawFiles();
  drawFile();
  layOut();
  go({ suspect: asked.suspect || (asked.step === undefined && suspects.length ? 1 : 0), step: asked.step === undefined && !asked.suspect ? state.step : asked.step });
  drawStep(true);
  followRow();
  drawValues();
  showTab(suspects.length || !report.failures.length ? "suspects" : "source");
  centre((placeOf(suspects[state.suspect - 1]) || (failure() && failure().place) || { line: 1 }).line);
}
start();
