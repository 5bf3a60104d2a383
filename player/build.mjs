// Bundles the pages' scripts and writes them as C++ source: node build.mjs OUTPUT.cpp
//
// Packages are taken from node_modules of the working folder, so that the source tree stays as it is.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const output = process.argv[2];
if (!output) throw new Error("usage: node build.mjs OUTPUT.cpp");
const here = dirname(fileURLToPath(import.meta.url));
const esbuild = createRequire(join(process.cwd(), "package.json"))("esbuild");

// One script for pages of plots, one for pages of runs; they share their style.
const result = await esbuild.build({
  entryPoints: [join(here, "src/report.js"), join(here, "src/player.js")],
  nodePaths: [join(process.cwd(), "node_modules")],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2020",
  charset: "ascii",
  legalComments: "eof", // licences travel with the page
  outdir: "out",
  write: false,
});
const part = (name) => result.outputFiles.find((file) => file.path.endsWith(name)).contents;

function array(name, bytes) {
  const lines = [];
  for (let i = 0; i < bytes.length; i += 32) lines.push(Array.from(bytes.subarray(i, i + 32)).join(","));
  return `static const unsigned char ${name}[] = {\n${lines.join(",\n")}};\n`;
}
const licence = (name) =>
  readFileSync(join("node_modules", name, "LICENSE"), "utf8")
    .replaceAll("*/", "* /")
    .trim();
const banner = (packages) =>
  new TextEncoder().encode(packages.map((name) => `/*! ${name}\n${licence(name)}\n*/\n`).join(""));
const script = (name, packages) => Buffer.concat([banner(packages), part(name)]);

writeFileSync(
  output,
  `// Made by player/build.mjs.
#include "carom/record/report_page.h"
namespace carom {
${array("plots", script("report.js", ["uplot"]))}${array("runs", script("player.js", ["uplot", "three"]))}${array("style", part("player.css"))}
std::string_view plots_script() { return {reinterpret_cast<const char*>(plots), sizeof plots}; }
std::string_view runs_script() { return {reinterpret_cast<const char*>(runs), sizeof runs}; }
std::string_view report_style() { return {reinterpret_cast<const char*>(style), sizeof style}; }
}  // namespace carom
`,
);
