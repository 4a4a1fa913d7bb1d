// What scripts add to the console: plots, keys, the value of a slider, and a sign of life. Every page works without it.
"use strict";

(() => {
  const body = document.body;
  const base = body.dataset.base || "";

  // The console ends a while after its page was closed; one of a server does not.
  if (!body.dataset.server) setInterval(() => { fetch("/alive", { cache: "no-store" }).catch(() => {}); }, 30_000);

  // Plots over the tables that the server wrote.
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const drawn = [];
  const draw = (figure) => {
    const data = JSON.parse(figure.dataset.plot);
    const colours = ["--plot-1", "--plot-2", "--plot-3", "--plot-4", "--plot-5"].map(colour);
    const totals = data.days.map(() => 0);
    // Bars stand on each other: the last line is the sum of all.
    const lines = data.bars
      ? data.lines.map((line) => line.figures.map((figure, at) => (totals[at] += figure)))
      : data.lines.map((line) => line.figures);
    const order = lines.map((_, at) => at).reverse();
    const series = order.map((at) => ({
      label: data.lines[at].name,
      stroke: colours[at % colours.length],
      fill: data.bars ? colours[at % colours.length] : undefined,
      width: data.bars ? 0 : 2,
      points: { show: false },
      paths: data.bars ? uPlot.paths.bars({ size: [0.7, 24] }) : undefined,
      value: (_, __, ___, index) => (index == null ? "" : data.lines[at].figures[index]),
    }));
    const axis = { stroke: colour("--quiet"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false }, font: "12px system-ui" };
    const place = document.createElement("div");
    figure.insertBefore(place, figure.querySelector("details"));
    const plot = new uPlot({
      width: Math.max(place.clientWidth, 200),
      height: 170,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "UTC"),
      scales: { x: { range: (_, first, last) => [first - 43200, last + 43200] }, y: { range: (_, __, most) => [0, Math.max(1, Math.ceil(most * 1.1))] } },
      axes: [{ ...axis, space: 90, incrs: [1, 2, 7, 14, 30, 60, 120].map((days) => days * 86_400), values: (_, ticks) => ticks.map((seconds) => new Date(seconds * 1000).toISOString().slice(0, 10)) }, { ...axis, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 50000] }],
      series: [{ value: (_, seconds) => (seconds == null ? "" : new Date(seconds * 1000).toISOString().slice(0, 10)) }, ...series],
      cursor: { drag: { x: false, y: false } },
    }, [data.days, ...order.map((at) => lines[at])], place);
    drawn.push([plot, place]);
  };
  const drawAll = () => {
    drawn.splice(0).forEach(([plot, place]) => { plot.destroy(); place.remove(); });
    document.querySelectorAll("[data-plot]").forEach(draw);
  };
  if (window.uPlot) {
    drawAll();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  }
  addEventListener("resize", () => drawn.forEach(([plot, place]) => plot.setSize({ width: place.clientWidth, height: 170 })));

  // The value of a slider beside it.
  document.addEventListener("input", (event) => {
    const output = document.getElementById(event.target.dataset?.output);
    if (output) output.value = event.target.value;
  });

  // What is typed has filtered already when the field is left: the list stays as it is under the next key.
  document.addEventListener("change", (event) => { if (event.target.matches("[type=search]")) event.stopPropagation(); }, true);

  // One menu of projects at a time, closed by Escape or a click elsewhere.
  const menu = document.querySelector("details.projects");
  document.addEventListener("click", (event) => { if (menu?.open && !menu.contains(event.target)) menu.open = false; });

  // Keys.
  const pages = { o: "", m: "/memories", i: "/inbox", r: "/recall", t: "/team", g: "/graph", h: "/changes" };
  let isGoing = false;
  const move = (step) => {
    const links = [...document.querySelectorAll("[data-list] > li a[href]:first-of-type")];
    const at = links.indexOf(document.activeElement);
    links[Math.min(Math.max(at + step, 0), links.length - 1)]?.focus();
  };
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.matches("input, textarea, select");
    if ((event.ctrlKey || event.metaKey) && (event.key === "Enter" || event.key === "s") && isTyping) {
      const save = event.target.form?.querySelector("[data-key=save]");
      if (save) { event.preventDefault(); save.click(); }
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      if (menu) menu.open = false;
      // A search field would empty itself, and the list would change under the next key.
      if (isTyping) { event.preventDefault(); event.target.blur(); }
      return;
    }
    if (isTyping) return;
    if (isGoing && event.key in pages) { location.href = base + pages[event.key]; return; }
    isGoing = event.key === "g" && base !== "";
    if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else {
      const target = /^[a-z/]$/.test(event.key) && document.querySelector(`[data-key="${event.key}"]`);
      if (!target) return;
      event.preventDefault();
      if (target.matches("input, textarea")) { target.focus(); target.select(); } else target.click();
    }
  });
})();
