// Bundles the report page and writes it as C++ source: node build.mjs OUTPUT.cpp
// Packages are taken from node_modules of the working folder, so that the source tree stays as it is.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const output = process.argv[2];
if (!output) throw new Error("usage: node build.mjs OUTPUT.cpp");
const here = dirname(fileURLToPath(import.meta.url));
const esbuild = createRequire(join(process.cwd(), "package.json"))("esbuild");

const result = await esbuild.build({
  entryPoints: [join(here, "src/report.js")],
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
const part = (extension) => result.outputFiles.find((file) => file.path.endsWith(extension)).contents;

function array(name, bytes) {
  const lines = [];
  for (let i = 0; i < bytes.length; i += 32) lines.push(Array.from(bytes.subarray(i, i + 32)).join(","));
  return `static const unsigned char ${name}[] = {\n${lines.join(",\n")}};\n`;
}
const licences = ["uplot"].map((name) => readFileSync(join("node_modules", name, "LICENSE"), "utf8")).join("\n");
const banner = new TextEncoder().encode(`/*! uPlot\n${licences.replaceAll("*/", "* /").trim()}\n*/\n`);

writeFileSync(
  output,
  `// Made by player/build.mjs.
#include "carom/record/report_page.h"
namespace carom {
${array("script", Buffer.concat([banner, part(".js")]))}${array("style", part(".css"))}
std::string_view report_script() { return {reinterpret_cast<const char*>(script), sizeof script}; }
std::string_view report_style() { return {reinterpret_cast<const char*>(style), sizeof style}; }
}  // namespace carom
`,
);
