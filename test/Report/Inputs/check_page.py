#!/usr/bin/env python3
"""Opens an HTML page in headless Chromium, wide and narrow, light and dark, and prints it.

check_page.py CHROMIUM PAGE TEXT...

Checks that the console stays empty, that the page does not scroll sideways, that text has a contrast of 4.5 to what is
behind it, that pictures have a size, that nothing is cut off in print, and that the PDF has every TEXT. Prints one line
per way of looking at it, or what is wrong; the exit code is then 1.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unicodedata
import zlib

# Of A4 between Chromium's margins.
PRINT_WIDTH = 718

PROBE = """
function parseColor(text) {
  const numbers = text.match(/[0-9.]+/g);
  return numbers ? numbers.map(Number) : [0, 0, 0, 0];
}
function isOpaque(color) { return color.length == 3 || color[3] == 1; }
function luminance(color) {
  const linear = color.slice(0, 3).map(c => (c /= 255, c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}
function contrast(a, b) {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}
// What is behind an element: in a picture the last filled shape under its centre, else the next background.
function findBackground(element) {
  const svg = element.ownerSVGElement, box = element.getBoundingClientRect();
  const x = box.x + box.width / 2, y = box.y + box.height / 2;
  let found = null;
  if (svg)
    for (const shape of svg.querySelectorAll("rect, circle")) {
      if (shape.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING)
        break;
      const fill = getComputedStyle(shape).fill, area = shape.getBoundingClientRect();
      if (fill != "none" && isOpaque(parseColor(fill)) && area.left <= x && x <= area.right && area.top <= y &&
          y <= area.bottom)
        found = parseColor(fill);
    }
  for (let at = svg || element; !found && at; at = at.parentElement) {
    const color = parseColor(getComputedStyle(at).backgroundColor);
    if (isOpaque(color))
      found = color;
  }
  return found || [255, 255, 255];
}
function probe() {
  const result = {width: innerWidth, dark: matchMedia("(prefers-color-scheme: dark)").matches, problems: [], texts: 0,
                  pictures: 0, lowest: 21};
  if (document.documentElement.scrollWidth > innerWidth)
    result.problems.push("the page is " + document.documentElement.scrollWidth + " pixels wide");
  for (const element of document.body.querySelectorAll("*")) {
    const own = [...element.childNodes].some(node => node.nodeType == Node.TEXT_NODE && node.data.trim());
    if (!own || element.closest("script, style, title, desc") || element.getClientRects().length == 0)
      continue;
    const style = getComputedStyle(element);
    const color = parseColor(element.ownerSVGElement ? style.fill : style.color);
    const ratio = contrast(color, findBackground(element));
    ++result.texts;
    result.lowest = Math.min(result.lowest, ratio);
    if (ratio < 4.5)
      result.problems.push("contrast " + ratio.toFixed(2) + " of '" + element.textContent.trim().slice(0, 40) + "'");
  }
  for (const svg of document.querySelectorAll("svg")) {
    const box = svg.getBoundingClientRect();
    ++result.pictures;
    if (!(box.width > 0 && box.height > 0))
      result.problems.push("picture " + result.pictures + " has no size");
  }
  if (PRINTED)
    for (const box of document.querySelectorAll("*"))
      if (box.clientWidth > 0 && box.scrollWidth > box.clientWidth + 1 && !box.closest("svg"))
        result.problems.push("'" + (box.getAttribute("aria-label") || box.tagName) + "' is cut off in print: " +
                             box.scrollWidth + " of " + box.clientWidth + " pixels");
  return result;
}
const output = document.createElement("script");
output.type = "application/json";
output.id = "probe";
output.textContent = JSON.stringify(probe());
document.body.append(output);
"""


class Browser:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, page, *options):
        """The page's DOM and what it wrote to the console."""
        command = [self.program, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"]
        command += ["--disable-dev-shm-usage", "--enable-logging=stderr", f"--user-data-dir={self.folder}/profile"]
        command += ["--host-resolver-rules=MAP * ~NOTFOUND", *options, "file://" + page]
        done = subprocess.run(command, capture_output=True, timeout=60)
        errors = done.stderr.decode(errors="replace")
        if done.returncode != 0:
            sys.exit(f"the browser exited with {done.returncode}: {errors}")
        return done.stdout.decode(), re.findall(r'CONSOLE[^\]]*\] "(.*)", source', errors)

    def probe(self, text, width, dark, printed=False):
        """What PROBE finds, with the console's messages among the problems."""
        if printed:
            text = text.replace("@media print", "@media all")
        script = PROBE.replace("PRINTED", "true" if printed else "false")
        page = os.path.join(self.folder, "page.html")
        with open(page, "w", encoding="utf-8") as file:
            file.write(text.replace("</body>", f"<script>{script}</script></body>"))
        scheme = f"--blink-settings=preferredColorScheme={0 if dark else 1}"
        dom, console = self.run(page, "--dump-dom", f"--window-size={width},800", scheme)
        result = json.loads(re.search(r'<script type="application/json" id="probe">(.*?)</script>', dom, re.S)[1])
        result["problems"] += [f"console: {message}" for message in console]
        if result["width"] != width or result["dark"] != dark:
            sys.exit(f"asked for {width} pixels, dark {dark}, the browser has {result['width']}, {result['dark']}")
        return result

    def print(self, page):
        path = os.path.join(self.folder, "page.pdf")
        self.run(page, f"--print-to-pdf={path}", "--no-pdf-header-footer")
        with open(path, "rb") as file:
            return Pdf(file.read())


class Pdf:
    """Pages and text of a PDF as Chromium writes it: fonts by glyph, each with a map to Unicode."""

    def __init__(self, data):
        self.objects = dict(re.findall(rb"\n(\d+) 0 obj\s(.*?)endobj", data, re.S))
        self.pages = [body for body in self.objects.values() if re.search(rb"/Type\s*/Page\b", body)]

    def stream(self, number):
        body = self.objects[number]
        content = re.search(rb"stream\r?\n(.*)\r?\nendstream", body, re.S)[1]
        return zlib.decompress(content) if b"/FlateDecode" in body else content

    def characters(self, font):
        """Glyph to text."""
        found = re.search(rb"/ToUnicode (\d+) 0 R", self.objects[font])
        characters = {}
        if not found:
            return characters
        cmap = self.stream(found[1]).decode("latin-1")
        for block in re.findall(r"beginbfchar(.*?)endbfchar", cmap, re.S):
            for glyph, text in re.findall(r"<(\w+)>\s*<(\w+)>", block):
                characters[int(glyph, 16)] = bytes.fromhex(text).decode("utf-16-be")
        for block in re.findall(r"beginbfrange(.*?)endbfrange", cmap, re.S):
            for first, last, text in re.findall(r"<(\w+)>\s*<(\w+)>\s*<(\w+)>", block):
                for glyph in range(int(first, 16), int(last, 16) + 1):
                    characters[glyph] = chr(int(text, 16) + glyph - int(first, 16))
        return characters

    def text(self):
        """Of all pages, without space, as lines are broken anywhere, and without ligatures."""
        text = ""
        for page in self.pages:
            fonts = {
                name: self.characters(number)
                for block in re.findall(rb"/Font\s*<<(.*?)>>", page, re.S)
                for name, number in re.findall(rb"/(\w+) (\d+) 0 R", block)
            }
            content = self.stream(re.search(rb"/Contents (\d+) 0 R", page)[1])
            characters = {}
            for font, glyphs in re.findall(rb"/(\w+) [\d.]+ Tf|<([0-9A-Fa-f]+)>", content):
                if font:
                    characters = fonts.get(font, {})
                else:
                    codes = [int(glyphs[at : at + 4], 16) for at in range(0, len(glyphs), 4)]
                    text += "".join(characters.get(code, "") for code in codes)
        return re.sub(r"\s", "", unicodedata.normalize("NFKC", text))


def main():
    program, path, *texts = sys.argv[1:]
    path = os.path.abspath(path)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    good = True

    def report(name, problems, summary):
        nonlocal good
        good &= not problems
        for problem in problems:
            print(f"{name}: {problem}")
        if not problems:
            print(f"{name}: {summary}")

    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(program, folder)
        views = [(f"{width} {'dark' if dark else 'light'}", width, dark, False)
                 for width in (1280, 360) for dark in (False, True)]
        for name, *how in views + [("print", PRINT_WIDTH, False, True)]:
            result = browser.probe(text, *how)
            report(name, result["problems"],
                   f"{result['texts']} texts, contrast at least {result['lowest']:.1f}, {result['pictures']} pictures")
        pdf = browser.print(path)
        printed = pdf.text()
        missing = [f"'{wanted}' is missing" for wanted in texts if re.sub(r"\s", "", wanted) not in printed]
        if not pdf.pages:
            missing.append("no page")
        report("pdf", missing, f"{len(pdf.pages)} pages with all {len(texts)} texts")
    sys.exit(not good)


if __name__ == "__main__":
    main()
