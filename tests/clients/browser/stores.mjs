// The console of a server in a real browser: scenarios of console.mjs, which gives what they work with.
export default ({ page, context, judge, expect, address, submit, text }) => {
  const { TOKEN, STORE, MEMORY } = process.env;
  const open = (where) => page.goto(address + where);
  const enter = async () => {
    await page.getByLabel("Token").fill(TOKEN);
    await submit("Sign in");
    await page.waitForURL(/\/console$/);
  };
  const everywhere = async (name) => {
    for (const [width, colorScheme] of [[1280, "light"], [800, "dark"], [375, "light"]]) await judge(name, width, colorScheme);
  };
  return {
    // Every page: no serious finding of axe, no sideways scrolling at three widths, in light and dark.
    async server_pages() {
      await everywhere("server_enter");
      await enter();
      await open(`/${STORE}/${MEMORY}`);
      const version = (await page.locator(".timeline a").first().getAttribute("href")).split("/").pop();
      const all = {
        stores: "", archived: "?archived=1", store: `/${STORE}`, folder: `/${STORE}?prefix=/style/`, search: `/${STORE}/search?q=tabs`,
        none: `/${STORE}/search?q=zzzz`, audit: `/${STORE}/audit`, archive: `/${STORE}/archive`, new: `/${STORE}/new`,
        memory: `/${STORE}/${MEMORY}`, edit: `/${STORE}/${MEMORY}/edit`, delete: `/${STORE}/${MEMORY}/delete`,
        version: `/${STORE}/${version}`, redact: `/${STORE}/${version}/redact`, tokens: "/tokens",
      };
      for (const [name, where] of Object.entries(all)) {
        const answer = await open(where);
        expect(answer.status() === 200, `${name}: status ${answer.status()}`);
        await everywhere(`server_${name}`);
      }
    },

    // A person finds a memory by its words, corrects it, redacts what it said, gives a token, and leaves.
    async server_actions() {
      await enter();
      await page.getByRole("link", { name: "Preferences" }).click();
      await page.keyboard.press("/");
      await page.keyboard.type("spaces");
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: "/style/tabs.md" }).click();
      await page.waitForURL(`**/${STORE}/${MEMORY}`);
      expect((await page.locator(".prose strong").innerText()) === "spaces", "the memory is rendered");
      await page.keyboard.press("e");
      await page.waitForURL("**/edit");
      await page.getByLabel("Text (Markdown)").fill("# Tabs\n\nAsk the **editor**.\n");
      await page.keyboard.press("Control+Enter");
      await page.waitForURL(`**/${MEMORY}?done=saved`);
      expect((await text()).includes("Saved."), "it says that it was saved");
      expect((await page.locator(".timeline").innerText()).includes("dana"), "the history names who did it");
      await page.locator(".timeline a", { hasText: "modified" }).first().click();
      expect((await page.locator("td.removed").allInnerTexts()).join("").includes("spaces"), "the version before is beside it");
      expect((await page.locator("td.added").allInnerTexts()).join("").includes("editor"), "and the new one");
      await open(`/${STORE}/${MEMORY}`);
      await page.locator(".timeline a", { hasText: "created" }).first().click();
      await page.getByRole("link", { name: "Redact this version" }).click();
      await page.getByText("Cannot be undone").waitFor();
      await submit("Redact this version");
      await page.waitForURL("**?done=redacted");
      expect((await text()).includes("was redacted") && !(await text()).includes("tabs"), "nothing of it is shown");
      await page.getByRole("link", { name: "Tokens" }).click();
      await page.getByLabel("Name").fill("app");
      await page.getByLabel("Grants").fill("store:*:read");
      await submit("Create the token");
      const secret = await page.locator(".notice code").last().innerText();
      expect(secret.startsWith("memtok_"), "the token is shown");
      await open("/tokens");
      expect(!(await page.content()).includes(secret), "once");
      await page.locator("li", { hasText: "app" }).getByRole("link", { name: "Revoke" }).click();
      await submit("Revoke");
      await page.getByText("Revoked.").waitFor();
      await open(`/${STORE}/audit`);
      expect((await page.locator(".timeline").innerText()).includes("redacted"), "the trail tells the redaction");
      await submit("Sign out");
      await page.waitForURL("**/enter");
      await open(`/${STORE}`);
      expect(page.url().includes("/enter"), "nobody is signed in");
      expect((await context.cookies()).length === 0, "the cookie is gone");
    },
  };
};
