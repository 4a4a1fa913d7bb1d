// Drives `mem console`, and the console of a server, in a real browser: console.mjs SCENARIO ADDRESS CHROMIUM MODULES [SCREENSHOTS]
// Prints one JSON object with what went wrong, and exits with 1 where that is anything.
import { createRequire } from "node:module";
import path from "node:path";
import { readFileSync } from "node:fs";
import stores from "./stores.mjs";

const [scenario, address, executablePath, modules, screenshots] = process.argv.slice(2);
const require = createRequire(path.join(modules, "index.js"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const faults = [];
const expect = (is, text) => { if (!is) faults.push(text); };

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const isScripted = scenario !== "without_script";
const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, javaScriptEnabled: isScripted, reducedMotion: "reduce" });
context.setDefaultTimeout(30_000);
const page = await context.newPage();
page.on("console", (message) => { if (["error", "warning"].includes(message.type())) faults.push(`console: ${message.text()}`); });
page.on("pageerror", (error) => faults.push(`script: ${error.message}`));
// Nothing is loaded from elsewhere.
page.on("request", (request) => expect(request.url().startsWith(new URL(address).origin), `asked ${request.url()}`));

await page.goto(address);
const isServer = scenario.startsWith("server_");
if (!isServer) await page.waitForURL(/\/p\//);
const base = page.url();
const open = (where) => page.goto(base + where);
const idOf = async (title) => {
  await open("/memories");
  const link = page.locator(".memories a", { hasText: title }).first();
  return (await link.getAttribute("href")).split("/").pop();
};
const submit = (name, within = page) => within.getByRole("button", { name, exact: true }).click();
const text = () => page.locator("main").innerText();

// No serious finding of axe and no sideways scrolling on the page that is open.
const judge = async (name, width, colorScheme) => {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  await page.waitForLoadState("networkidle");
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(over <= 0, `${name}: ${over} pixels too wide at ${width}`);
  if (screenshots) await page.screenshot({ path: path.join(screenshots, `${name}-${width}.png`), fullPage: true });
  // The policy of pages lets no script in but their own: axe goes around it through the debugger.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  for (const found of violations.filter((one) => ["serious", "critical"].includes(one.impact))) {
    const where = found.nodes.map((node) => node.html.slice(0, 160)).slice(0, 3).join(" | ");
    faults.push(`${name} at ${width}, ${colorScheme}: ${found.id}: ${where}`);
  }
};

const scenarios = {
  // Every page: no serious finding of axe, no sideways scrolling at three widths, in light and dark.
  async pages() {
    const id = await idOf("Retries");
    const change = await (async () => { await open("/changes"); return (await page.locator(".timeline a").first().getAttribute("href")).split("/").pop(); })();
    await open("/inbox");
    const entry = (await page.locator("article a.button").first().getAttribute("href")).slice(new URL(base).pathname.length);
    const all = {
      overview: "", projects: "/projects", memories: "/memories", searched: "/memories?q=retries&texts=1", nothing: "/memories?q=zzzz",
      memory: `/memories/${id}`, edit: `/memories/${id}/edit`, file: `/memories/${id}/edit?as=file`, new: "/memories/new",
      remove: `/memories/${id}/remove`, redact: `/memories/${id}/redact`, fix: `/memories/${id}/verify`,
      inbox: "/inbox", inbox_edit: entry, recall: "/recall?prompt=how+often+do+we+retry", file_recall: "/recall?file=src/retry.rs", past: "/recall/past",
      team: "/team", graph: "/graph", graph_then: "/graph?day=0", changes: "/changes", change: `/changes/${change}`, redact_text: "/redact", erase: "/erase",
    };
    for (const [name, where] of Object.entries(all)) {
      const answer = await open(where);
      expect(answer.status() === 200, `${name}: status ${answer.status()}`);
      for (const [width, colorScheme] of [[1280, "light"], [800, "dark"], [375, "light"]]) await judge(name, width, colorScheme);
    }
  },

  // A person finds, corrects, undoes, restores, renames, pins, removes, decides, redacts.
  async actions() {
    const id = await idOf("Retries");
    // Filtered as one types, without a load of the page.
    await open("/memories");
    await page.keyboard.press("/");
    await page.keyboard.type("retr");
    await page.waitForFunction(() => document.querySelectorAll(".memories li").length === 1);
    expect(page.url().includes("q=retr"), "the filter is in the address");
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/memories/${id}`);
    // Corrected, with a preview.
    await page.keyboard.press("e");
    await page.waitForURL("**/edit");
    await page.getByLabel("Description").fill("Six retries, then give up");
    await page.getByLabel("Tags").fill("network, bank");
    await page.getByLabel("Text (Markdown)").fill("Now **six**, see `src/net/retry.rs:1`.\n\n<script>alert(1)</script>");
    await page.locator("#preview strong", { hasText: "six" }).waitFor();
    expect(await page.locator("#preview script").count() === 0, "a preview has no script");
    await page.getByLabel("Reason").fill("the bank asked");
    await page.keyboard.press("Control+Enter");
    await page.waitForURL(`**/memories/${id}`);
    expect((await text()).includes("Saved."), "it says that it was saved");
    expect((await page.locator(".lead").first().innerText()) === "Six retries, then give up", "the description is the new one");
    expect((await page.locator(".raw").innerText()).includes("tags: [network, bank]"), "the tags are in the file");
    expect((await page.locator(".prose").innerText()).includes("<script>alert(1)</script>"), "markup is text");
    await page.locator(".citations summary", { hasText: "src/net/retry.rs:1" }).click();
    expect((await page.locator(".citations .meant").innerText()).includes("RETRIES"), "the line of code is shown");
    // Undone by its change, and restored.
    await page.getByRole("link", { name: "what changed" }).first().click();
    expect((await page.locator("td.added").allInnerTexts()).join("").includes("Six retries"), "the change is shown");
    await submit("Undo this change");
    await page.waitForURL("**/changes");
    await open(`/memories/${id}`);
    expect((await page.locator(".lead").first().innerText()).startsWith("Five retries"), "undone");
    await page.getByRole("link", { name: "Restore this version" }).first().click();
    expect((await page.locator("td.added").allInnerTexts()).join("").includes("Six retries"), "what a restore would do is shown");
    await submit("Restore this version");
    await page.waitForURL(`**/memories/${id}`);
    expect((await page.locator(".lead").first().innerText()).startsWith("Six retries"), "restored");
    // Pinned and renamed.
    await submit("Pin");
    await page.getByRole("button", { name: "Unpin" }).waitFor();
    await page.getByText("Rename").first().click();
    await page.getByLabel("New title").fill("Retries of the bank");
    await submit("Rename");
    await page.getByRole("heading", { name: "Retries of the bank" }).waitFor();
    // A wrong value loses nothing.
    await open(`/memories/${id}/edit`);
    await page.getByLabel("Expires").fill("someday");
    await page.getByLabel("Text (Markdown)").fill("A text that must stay");
    await submit("Save");
    await page.getByRole("alert").waitFor();
    expect(await page.getByLabel("Text (Markdown)").inputValue() === "A text that must stay", "the text is still in the form");
    faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes("status of 400")));
    // The whole file.
    await open(`/memories/${id}/edit?as=file`);
    const file = page.getByLabel("The file, frontmatter included");
    await file.fill((await file.inputValue()).replace("type: project", "type: project\nkept_key: yes"));
    await submit("Save");
    await page.waitForURL(`**/memories/${id}`);
    expect((await page.locator(".raw").innerText()).includes("kept_key: yes"), "unknown keys are written");
    // New.
    await page.goto(base + "/memories/new");
    await page.getByLabel("Title").fill("Made in the console");
    await page.getByLabel("Description").fill("What is made here is there");
    await page.getByLabel("Text (Markdown)").fill("Yes.");
    await submit("Save");
    await page.getByRole("heading", { name: "Made in the console" }).waitFor();
    // Removed; its history stays, and brings it back.
    await page.getByRole("link", { name: "Remove" }).click();
    await page.getByLabel("Reason").fill("no longer");
    await submit("Remove");
    await page.getByText("This memory was removed").first().waitFor();
    await page.getByRole("link", { name: "Restore this version" }).first().click();
    await submit("Restore this version");
    await page.getByRole("heading", { name: "Made in the console" }).waitFor();
    // Redacted, after what would go was shown.
    await page.getByRole("link", { name: "Redact" }).click();
    await page.getByText("Cannot be undone").waitFor();
    await submit("Redact");
    await page.waitForURL("**/memories");
    expect(!(await text()).includes("Made in the console"), "redacted");
    await open("/redact");
    await page.getByLabel("The text").fill("the bank asked");
    await submit("Show what would go");
    await page.getByText("Cannot be undone").waitFor();
    await page.getByRole("link", { name: "Cancel" }).click();
    // The inbox.
    await open("/inbox");
    await page.locator("article", { hasText: "feedback_ask_before_a_release.md" }).getByRole("link", { name: "Edit, then accept" }).click();
    const waiting = page.getByLabel("The file, frontmatter included");
    await waiting.fill((await waiting.inputValue()).replace("<b>x</b>", "As the person wants it."));
    await submit("Accept");
    await page.getByText("Accepted.").waitFor();
    await submit("Reject", page.locator("article").first());
    await page.getByText("Nothing waits for you.").waitFor();
    // What an agent is given.
    await open("/recall");
    await page.getByLabel("A prompt").fill("how often do we retry the bank?");
    await submit("Ask");
    await page.locator(".given li").first().waitFor();
    await page.getByLabel("Threshold").fill("1");
    await page.getByText("Nothing is given").waitFor();
    // Another threshold, over past prompts.
    await page.getByRole("link", { name: "Past prompts" }).click();
    await page.getByText("1 of 2 prompts").waitFor();
    await page.getByLabel("Threshold").fill("0");
    await page.getByText("2 of 2 prompts").waitFor();
    expect(page.url().includes("threshold=0"), "the threshold is in the address");
    // Keys lead to pages.
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("g");
    await page.waitForURL("**/graph");
    expect(await page.locator("svg .node").count() > 0, "the graph has memories");
    await page.getByLabel("As of").fill("0");
    await page.waitForURL("**/graph?day=0");
    await page.getByText("As of 2026-01-01").waitFor();
  },

  // The pictures of the docs, in both colour schemes.
  async pictures() {
    const id = await idOf("Retries");
    for (const [name, where] of [["console-overview", ""], ["console-memory", `/memories/${id}`]]) {
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        await open(where);
        await page.waitForLoadState("networkidle");
        await page.screenshot({ path: path.join(screenshots, `${name}${colorScheme === "dark" ? "-dark" : ""}.png`) });
      }
    }
  },

  // Somebody else saves while the editor is open.
  async conflict() {
    const id = await idOf("Retries");
    await open(`/memories/${id}/edit`);
    await page.getByLabel("Text (Markdown)").fill("Mine.");
    const other = await context.newPage();
    await other.goto(`${base}/memories/${id}/edit`);
    await other.getByLabel("Text (Markdown)").fill("Theirs.");
    await other.getByRole("button", { name: "Save" }).click();
    await other.waitForURL(`**/memories/${id}`);
    await submit("Save");
    await page.getByRole("alert").waitFor();
    expect((await page.locator("td.removed").allInnerTexts()).join("").includes("Theirs."), "what was saved is shown");
    expect(await page.getByLabel("Text (Markdown)").inputValue() === "Mine.", "nothing is lost");
    await submit("Save");
    await page.waitForURL(`**/memories/${id}`);
    expect((await page.locator(".prose").innerText()).includes("Mine."), "the second save is meant");
    faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes("status of 409")));
  },

  // A team: a conflict, a text that waits for a look, a memory that is shared, the log.
  async team() {
    await open("/team");
    const conflict = page.locator("article", { hasText: "x.md" });
    expect((await conflict.locator("td.added").allInnerTexts()).join("").includes("of ben"), "both texts are shown");
    await conflict.getByText("A text of both").first().click();
    await conflict.getByRole("textbox").fill("of both\n");
    await submit("Save this text", conflict);
    await page.getByText("Resolved.").waitFor();
    const waiting = page.locator("article", { has: page.getByRole("heading", { name: "project_of_an_agent.md" }) });
    await submit("Approve", waiting);
    await page.getByText("Approved.").waitFor();
    const id = await idOf("Mine alone");
    await open(`/memories/${id}/share`);
    expect((await text()).includes("project_mine_alone.md"), "what would be shared is shown");
    await submit("Move to the team");
    await page.waitForURL(`**/memories/${id}`);
    expect((await page.locator(".facts").innerText()).includes("team"), "it is in the team scope");
    await open("/team");
    await submit("Sync now");
    await page.getByText("Synced.").waitFor();
    expect((await page.locator(".timeline").innerText()).includes("project_mine_alone.md"), "the log tells it");
    for (const width of [1280, 375]) await judge("team", width, "light");
  },

  // Reading and deciding work without a script.
  async without_script() {
    await open("/memories?q=retries");
    expect(await page.locator(".memories li").count() === 1, "filtered by the form");
    await page.locator(".memories a").first().click();
    expect((await text()).includes("What it cites"), "a memory is read");
    await open("");
    await page.locator(".plot summary").first().click();
    expect(await page.locator(".plot tbody tr").count() > 0, "plots are tables");
    await page.getByRole("link", { name: "Check all projects" }).click();
    expect((await text()).includes("Projects of this machine"), "projects are a page");
    await open("/inbox");
    await page.getByRole("button", { name: "Accept" }).first().click();
    expect((await text()).includes("Accepted."), "decided");
    await page.getByRole("button", { name: "Reject" }).first().click();
    expect((await text()).includes("Nothing waits"), "decided");
    await open("/recall");
    await page.getByLabel("A prompt").fill("how often do we retry?");
    await page.getByRole("button", { name: "Ask" }).click();
    expect((await text()).includes("Given to the agent"), "asked");
  },
};

try {
  if (isServer) Object.assign(scenarios, stores({ page, context, judge, expect, address, submit, text }));
  await scenarios[scenario]();
} catch (error) {
  faults.push(`${error.message}\n${error.stack}\nat ${page.url()}`);
}
await browser.close();
console.log(JSON.stringify({ faults }, null, 1));
process.exit(faults.length === 0 ? 0 : 1);
