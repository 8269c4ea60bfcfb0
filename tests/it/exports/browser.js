// Opens a page as a reader would and says what is wrong with it: node browser.js CHROMIUM PAGE NAME PICTURES
const { chromium } = require("playwright-core");
const axe = require("axe-core");
const fs = require("fs");
const os = require("os");
const path = require("path");

const [program, page, name, pictures] = process.argv.slice(2);
const quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

async function look(browser, theme) {
  // Scripts of the page are off; axe runs in a world of its own all the same.
  const context = await browser.newContext({ javaScriptEnabled: false, colorScheme: theme, viewport: { width: 1000, height: 1250 } });
  const tab = await context.newPage();
  const wrong = [];
  tab.on("console", (message) => wrong.push(`console: ${message.text()}`));
  tab.on("pageerror", (error) => wrong.push(`error: ${error}`));
  const asked = [];
  tab.on("request", (request) => asked.push(request.url()));
  await tab.goto(`file://${page}`, { waitUntil: "load" });
  const elsewhere = asked.filter((url) => url !== `file://${page}` && !url.startsWith("data:"));
  if (elsewhere.length > 0) wrong.push(`requests: ${elsewhere}`);
  const text = await tab.locator("main").innerText();
  if (text.length < 200) wrong.push(`there is nothing to read: ${text}`);
  fs.mkdirSync(pictures, { recursive: true });
  const picture = await tab.screenshot({ path: path.join(pictures, `report-${name}-${theme}.png`) });
  // A picture of nothing is small.
  if (picture.length < 20000) wrong.push(`the picture in ${theme} shows nothing: ${picture.length} bytes`);
  const background = await tab.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = background.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) > 380;
  if (light !== (theme === "light")) wrong.push(`the ${theme} theme is painted on ${background}`);
  await context.close();
  return wrong;
}

async function accessible(browser, theme, width) {
  // Whatever a page's policy says, axe is put in from outside; folded parts are opened, so that they are looked at too.
  const context = await browser.newContext({ bypassCSP: true, colorScheme: theme, viewport: { width, height: 1250 } });
  const tab = await context.newPage();
  await tab.goto(`file://${page}`);
  await tab.evaluate(() => document.querySelectorAll("details").forEach((part) => (part.open = true)));
  await tab.evaluate(axe.source);
  const found = await tab.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const wide = await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await context.close();
  const wrong = found.violations.map((rule) => `axe: ${rule.id}: ${rule.nodes.map((node) => node.html).join(" ; ")}`);
  if (wide > 0) wrong.push(`wider than a screen of ${width} by ${wide}`);
  return wrong;
}

(async () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "rapid-browser-"));
  const browser = await chromium.launch({ executablePath: program, args: quiet, env: { ...process.env, HOME: home } });
  const wrong = [];
  for (const theme of ["light", "dark"]) {
    wrong.push(...(await look(browser, theme)), ...(await accessible(browser, theme, 1000)));
  }
  wrong.push(...(await accessible(browser, "light", 360)));
  const context = await browser.newContext({ javaScriptEnabled: false });
  const tab = await context.newPage();
  await tab.goto(`file://${page}`);
  // What is folded on the screen is open on paper, and nothing of it is cut off at the side.
  await tab.emulateMedia({ media: "print", colorScheme: "dark" });
  const folded = () => tab.locator("details > *:not(summary)").evaluateAll(
    (parts) => parts.filter((part) => !part.checkVisibility({ contentVisibilityAuto: true }) || part.getBoundingClientRect().height === 0).length);
  // The page is laid out for paper with its next frame, which a busy machine takes its time for.
  let hidden = await folded();
  for (let left = 100; hidden > 0 && left > 0; left -= 1) {
    await new Promise((done) => setTimeout(done, 50));
    hidden = await folded();
  }
  if (hidden > 0) wrong.push(`${hidden} folded parts are not printed`);
  const ink = await tab.evaluate(() => [getComputedStyle(document.body).color, getComputedStyle(document.documentElement).backgroundColor]);
  if (ink.join() !== "rgb(0, 0, 0),rgb(255, 255, 255)") wrong.push(`paper is printed black on white: ${ink}`);
  const paper = await tab.pdf({ format: "A4" });
  if (paper.length < 5000) wrong.push("there is nothing to print");
  await browser.close();
  fs.rmSync(home, { recursive: true, force: true });
  if (wrong.length > 0) {
    console.error(wrong.join("\n"));
    process.exit(1);
  }
  console.log("looked at in light, dark, print");
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
