// node server.mjs NODE_MODULES FOLDER: a bucket `mem` on a loopback port, whose number it prints. It ends with its input.
import { createRequire } from "node:module";

const [modules, directory] = process.argv.slice(2);
const S3rver = createRequire(`${modules}/`)("s3rver");
const server = new S3rver({
  address: "127.0.0.1",
  port: 0,
  silent: true,
  directory,
  configureBuckets: [{ name: "mem", configs: [] }],
});
const { port } = await server.run();
console.log(port);
process.stdin.resume().on("end", () => process.exit(0));
