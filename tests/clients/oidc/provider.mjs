// A real OpenID Connect provider on a free loopback port: node provider.mjs NODE_MODULES OPTIONS
//
// It prints its issuer. What a test changes while it runs, it sends to /control as JSON:
// {"account": {..claims, "sub"}}, {"remove": sub}, {"clock": seconds ahead}, {"rotate": true}.

import { createServer } from "node:http";
import { createPrivateKey, generateKeyPairSync, randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import path from "node:path";

const [modules, given] = process.argv.slice(2);
const options = JSON.parse(given);
const entry = createRequire(path.join(modules, "x.js")).resolve("oidc-provider");
const { default: Provider } = await import(pathToFileURL(entry));
const memory = await import(pathToFileURL(path.join(path.dirname(entry), "adapters/memory_adapter.js")));
// What was granted before the keys change holds after that.
const adapter = memory.createMemoryAdapter();

// Its clock goes with the test's.
let ahead = 0;
const real = Date.now;
Date.now = () => real() + ahead * 1000;

const accounts = new Map();
const claimNames = ["name", "preferred_username", "email", "email_verified", "groups", "forge_login"];

function key() {
  const [kind, details] = options.ec ? ["ec", { namedCurve: "P-256" }] : ["rsa", { modulusLength: 2048 }];
  // By way of PEM: in Node 20 the export of a generated key as JWK can wait for a lock that the export itself holds,
  // where the garbage collector runs in it and frees the job that generated the key.
  const { privateKey } = generateKeyPairSync(kind, { ...details, privateKeyEncoding: { type: "pkcs8", format: "pem" } });
  const made = createPrivateKey(privateKey).export({ format: "jwk" });
  return { ...made, kid: randomUUID(), use: "sig", alg: options.ec ? "ES256" : "RS256" };
}

function provider(issuer) {
  const made = new Provider(issuer, {
    clients: [{
      client_id: "mem",
      client_secret: options.secret,
      redirect_uris: [options.redirect],
      post_logout_redirect_uris: [options.signed_out],
      grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
      response_types: ["code"],
      id_token_signed_response_alg: options.ec ? "ES256" : "RS256",
      token_endpoint_auth_method: options.post ? "client_secret_post" : "client_secret_basic",
    }],
    adapter,
    jwks: { keys: [key()] },
    cookies: { keys: ["of this test"] },
    conformIdTokenClaims: options.conform ?? false,
    claims: { openid: ["sub"], profile: claimNames },
    features: { deviceFlow: { enabled: true }, rpInitiatedLogout: { enabled: true }, revocation: { enabled: true } },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    async findAccount(_, id) {
      const known = accounts.get(id);
      return known && { accountId: id, claims: async () => ({ ...known, sub: id }) };
    },
  });
  made.on("server_error", (_, error) => console.error(error));
  return made;
}

let current;
const server = createServer((request, response) => {
  if (request.url !== "/control") return current.callback()(request, response);
  let body = "";
  request.on("data", (piece) => { body += piece; });
  request.on("end", () => {
    const asked = JSON.parse(body);
    if (asked.account) accounts.set(asked.account.sub, asked.account);
    if (asked.remove) accounts.delete(asked.remove);
    if (asked.clock !== undefined) ahead = asked.clock;
    if (asked.rotate) current = provider(current.issuer);
    response.end("{}");
  });
});
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  current = provider(issuer);
  console.log(issuer);
});
// It ends with the test that started it.
process.stdin.resume();
process.stdin.on("end", () => process.exit());
