//! Words that look like citations and are none, and endings that make a word a file.

/// Endings of files that a repository holds.
const EXTENSIONS: &str = " rs py pyi ts tsx js jsx mjs cjs mts cts go java kt kts scala sc rb php c h \
     cc cpp cxx hpp hh hxx inl cs fs fsx swift m mm dart lua pl pm r jl ex exs erl hrl hs elm clj cljs \
     cljc edn ml mli nim zig v sv vhd sol vue svelte astro html htm css scss sass less styl md mdx rst \
     adoc txt json json5 jsonc jsonl yaml yml toml ini cfg conf env properties xml xsd svg sql graphql \
     gql proto thrift avsc sh bash zsh fish ps1 bat cmd tf tfvars hcl nix dockerfile mk cmake gradle \
     bazel bzl lock sum mod csv tsv ipynb tex bib snap tmpl tpl j2 jinja hbs ejs pug erb haml prisma \
     feature http rego cue patch diff service plist xcconfig pbxproj storyboard xib csproj sln props \
     template example png jpg jpeg gif webp ico pdf woff woff2 ttf wasm ";

/// Files without an ending, or with nothing else.
const BARE_FILES: &str = " Makefile Dockerfile Justfile justfile Rakefile Gemfile Procfile Vagrantfile \
     Jenkinsfile Brewfile Containerfile Tiltfile BUILD WORKSPACE LICENSE CODEOWNERS .gitignore \
     .gitattributes .gitmodules .dockerignore .editorconfig .env .npmrc .nvmrc .prettierrc .eslintrc \
     .babelrc .tool-versions .python-version .flake8 .pylintrc .rspec .rubocop.yml .mailmap ";

/// Products and formats written in mixed case.
const NAMES: &str = " GitHub GitLab BitBucket PostgreSQL MySQL SQLite MongoDB DynamoDB MariaDB GraphQL \
     JavaScript TypeScript CoffeeScript OpenAI ChatGPT LangChain YouTube LinkedIn WhatsApp macOS iOS \
     iPadOS watchOS tvOS FreeBSD OpenBSD NetBSD DevOps NixOS WebSocket WebSockets WebAssembly WebGL \
     WebRTC OAuth OAuth2 OpenAPI OpenTelemetry OpenSSL OpenSSH LibreSSL IntelliJ PyCharm WebStorm VSCode \
     NumPy SciPy PyTorch TensorFlow FastAPI NestJS NextJS NodeJS VueJS ReactJS RabbitMQ CircleCI ArgoCD \
     CloudFront CloudWatch CloudFormation BigQuery PowerShell JetBrains DuckDB ClickHouse CockroachDB \
     TimescaleDB InfluxDB LaTeX BibTeX eBPF gRPC mTLS YAML JSON MiniLM BufRead HashMap HashSet BTreeMap \
     BTreeSet VecDeque PathBuf OsString OsStr RefCell OnceCell RwLock PhantomData TypeError ValueError \
     KeyError IndexError AttributeError RuntimeError ImportError SyntaxError ReferenceError RangeError \
     NullPointerException IllegalArgumentException UseEffect useState useEffect useMemo useRef \
     useCallback useContext useReducer localStorage sessionStorage addEventListener innerHTML \
     getElementById querySelector setTimeout setInterval toString indexOf forEach parseInt parseFloat \
     camelCase PascalCase UserPromptSubmit SessionStart PreToolUse PostToolUse node_modules snake_case \
     __init__ __main__ __name__ __dict__ __file__ x86_64 utf_8 usr_bin ";

/// Functions of languages and their libraries, which say nothing about a repository.
const BUILTINS: &str = " print println eprintln printf sprintf fprintf format len range open close read write \
     map filter reduce fold collect iter unwrap expect clone into from main new default drop push pop \
     append extend insert remove get set add update delete sort sorted min max sum abs any all zip \
     enumerate isinstance type str int float bool list dict tuple super self assert assert_eq assert_ne \
     panic todo unimplemented unreachable vec dbg write writeln eval exec exit require import include \
     define log warn error info debug trace fetch then catch finally await async yield return sleep now \
     join split trim strip replace match test it describe before after beforeEach afterEach expect \
     malloc free calloc realloc memcpy strlen toString hasOwnProperty apply call bind sizeof typeof \
     setup teardown run start stop init eq ne lt gt le ge hash cmp next unwrap_or unwrap_or_else \
     unwrap_or_default map_err and_then ok_or ok_or_else as_ref as_mut as_str to_string to_owned is_some \
     is_none is_ok is_err is_empty from_str try_from try_into read_to_string set_var get_or_insert_with \
     stdin stdout stderr console alert confirm prompt input useState useEffect useMemo useRef \
     useCallback json text status send recv lock ";

/// Flags of everybody's tools.
const FLAGS: &str = " help version verbose quiet force all amend no-verify no-edit dry-run release watch global save save-dev \
     recursive output input config yes json format color no-color debug test tests hard soft staged cached \
     oneline stat patch rebase squash no-ff ff-only continue abort skip interactive force-with-lease \
     set-upstream prune tags depth branch author date since until grep follow name-only workspace \
     all-targets all-features no-default-features features package bin lib example locked offline frozen \
     target manifest-path nocapture no-capture ignored exact fix check write allow-dirty frozen-lockfile \
     legacy-peer-deps privileged rm detach volume network publish env-file build no-cache platform \
     namespace context selector since-time no-pager ";

/// First parts of names that belong to languages, platforms and pronouns.
const FOREIGN_ROOTS: &str = " std core alloc os sys re json console process window document Math Object Array Promise \
     React Vue np pd plt torch tf self this cls super crate module exports import fs path http https \
     String Vec Option Result Box Arc Rc HashMap PathBuf Path Duration Instant Mutex RefCell Self e i fmt \
     io time errors context strings strconv sync bytes collections asyncio logging datetime subprocess \
     pathlib typing functools itertools unittest pytest jest tokio serde anyhow rust go node npm git \
     docker system java javax org com net ";

/// Endings of domains: `example.com` is no key.
const DOMAINS: &str = " com org net io dev ai app co uk de fr cn kr jp edu gov info local localhost internal test sh me xyz cloud ";

fn list_contains(list: &str, word: &str) -> bool {
    !word.is_empty()
        && !word.contains(' ')
        && list.split_ascii_whitespace().any(|entry| entry == word)
}

/// Whether a word is an ending of files.
pub(super) fn is_extension(word: &str) -> bool {
    list_contains(EXTENSIONS, &word.to_ascii_lowercase())
}

/// Whether a word is a file by itself.
pub(super) fn is_bare_file(word: &str) -> bool {
    list_contains(BARE_FILES, word)
}

/// Whether a word is a product, a format or a name of some library everybody uses.
pub(super) fn is_name(word: &str) -> bool {
    list_contains(NAMES, word)
}

/// Whether a function belongs to a language or its library.
pub(super) fn is_builtin(word: &str) -> bool {
    list_contains(BUILTINS, word)
}

/// Whether a flag, without its dashes, belongs to everybody's tools.
pub(super) fn is_common_flag(word: &str) -> bool {
    list_contains(FLAGS, word)
}

/// Whether a dotted or coloned name starts outside of the repository.
pub(super) fn is_foreign_root(word: &str) -> bool {
    list_contains(FOREIGN_ROOTS, word)
}

/// Whether a word ends a domain.
pub(super) fn is_domain(word: &str) -> bool {
    list_contains(DOMAINS, word)
}
