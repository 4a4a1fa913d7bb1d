// A receiver of webhooks that believes what the released SDK verifies and nothing else. Prints its address, then
// a line for each delivery: the event, or what is wrong with it. Arguments: the folder with the packages. The secret
// comes on standard input, once it is known; deliveries before that are refused.

import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [modules] = process.argv.slice(2);
const { default: Anthropic } = await import(pathToFileURL(`${modules}/@anthropic-ai/sdk/index.mjs`));
const client = new Anthropic({ apiKey: "unused" });
let key;
createInterface({ input: process.stdin }).on("line", (line) => (key = line));

const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (some) => (body += some));
  request.on("end", () => {
    try {
      const event = client.beta.webhooks.unwrap(body, { headers: request.headers, key });
      console.log(JSON.stringify(event));
      response.writeHead(204).end();
    } catch (error) {
      console.log(JSON.stringify({ error: String(error) }));
      response.writeHead(400).end();
    }
  });
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`));
