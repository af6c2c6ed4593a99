// node move.mjs CHECKOUT MAP [--dry]: moves tracked files as MAP says (old TAB new, a line each; folders too) and rewrites
// every specifier that names them: imports, dynamic imports, vi.mock, new URL(…, import.meta.url), "#server/…" and CSS modules.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const [root, mapFile, flag] = process.argv.slice(2);
const git = (...args) => execFileSync("git", ["-C", root, ...args], { encoding: "utf8", maxBuffer: 1 << 28 });
const tracked = git("ls-files").split("\n").filter(Boolean);
const set = new Set(tracked);
const moves = new Map();
for (const line of readFileSync(mapFile, "utf8").split("\n")) {
  if (!line.trim() || line.startsWith("#")) continue;
  const [from, to] = line.split(/\s+/);
  const base = from.replace(/\/$/, "");
  if (set.has(base)) moves.set(base, to);
  else {
    const inside = tracked.filter((f) => f.startsWith(`${base}/`));
    if (inside.length === 0) {
      console.error(`not tracked: ${from}`);
      continue;
    }
    for (const f of inside) if (!moves.has(f)) moves.set(f, `${to.replace(/\/$/, "")}${f.slice(base.length)}`);
  }
}
// Tests and fixtures follow their file.
for (const [from, to] of [...moves]) {
  const m = /^(.*)\.(ts|tsx|mjs)$/.exec(from);
  if (!m) continue;
  const stem = m[1],
    newStem = to.replace(/\.(ts|tsx|mjs)$/, "");
  for (const suffix of [".test.ts", ".db.test.ts", ".property.test.ts", ".fixture.ts", ".module.css", ".test.tsx"]) {
    const f = stem + suffix;
    if (set.has(f) && !moves.has(f)) moves.set(f, newStem + suffix);
  }
}
const targets = new Map();
for (const [from, to] of moves) {
  if (from === to) {
    moves.delete(from);
    continue;
  }
  if (targets.has(to)) throw new Error(`two files for ${to}: ${from}, ${targets.get(to)}`);
  if (set.has(to) && !moves.has(to)) throw new Error(`${to} exists (from ${from})`);
  targets.set(to, from);
}
console.log(`${moves.size} moves`);
if (flag === "--dry") process.exit(0);
const now = (f) => moves.get(f) ?? f;
const sources = tracked.filter((f) => /\.(ts|tsx|mjs|cjs|css)$/.test(f));
const out = new Map();
for (const file of sources) {
  const text = readFileSync(path.join(root, file), "utf8");
  const here = path.posix.dirname(file),
    there = path.posix.dirname(now(file));
  const next = text.replace(
    /(["'`])((?:\.\.?\/|#(?:server|app|components|e2e)\/)[^"'`\n$]*)\1/g,
    (all, quote, spec) => {
      const alias = spec.startsWith("#");
      const [bare, query = ""] = spec.split(/(?=[?])/);
      const target = alias ? bare.slice(1) : path.posix.normalize(path.posix.join(here, bare));
      const isDir = !set.has(target) && tracked.some((f) => f.startsWith(`${target.replace(/\/$/, "")}/`));
      if (!set.has(target)) {
        if (!isDir || alias || here === there) return all;
        // A folder: only the depth may change.
        let rel = path.posix.relative(there, target.replace(/\/$/, "")) || ".";
        if (!rel.startsWith(".")) rel = `./${rel}`;
        if (bare.endsWith("/")) rel += "/";
        return `${quote}${rel}${query}${quote}`;
      }
      const moved = now(target);
      if (alias) return `${quote}#${moved}${query}${quote}`;
      let rel = path.posix.relative(there, moved);
      if (!rel.startsWith(".")) rel = `./${rel}`;
      return `${quote}${rel}${query}${quote}`;
    },
  );
  if (next !== text) out.set(file, next);
}
for (const [file, text] of out) writeFileSync(path.join(root, file), text);
for (const [, to] of moves) {
  mkdirSync(path.join(root, path.posix.dirname(to)), { recursive: true });
}
// Through temporary names where a target is also a source.
const list = [...moves];
for (let i = 0; i < list.length; i += 1) {
  const [from, to] = list[i];
  git("mv", from, existsSync(path.join(root, to)) ? `${to}.moving` : to);
}
for (const f of git("ls-files").split("\n")) if (f.endsWith(".moving")) git("mv", f, f.slice(0, -7));
console.log(`${out.size} files rewritten`);
// Mentions in prose and settings that name an old path.
for (const f of git("ls-files")
  .split("\n")
  .filter((f) => /\.(md|ts|tsx|mjs|cjs|jsonc?|yaml|yml|sql|conf)$/.test(f) && f !== "package-lock.json")) {
  const p = path.join(root, f);
  const text = readFileSync(p, "utf8");
  const next = text.replace(/\b(?:server|components|app|e2e)\/[\w./()[\]-]+\.(?:ts|tsx|mjs|css)\b/g, (m) => now(m));
  if (next !== text) {
    writeFileSync(p, next);
    console.log(`mention: ${f}`);
  }
}
