#!/usr/bin/python3
"""The page of `slipwave report`, opened in headless Chromium from file://.

usage: tests/extras/test_report.py PROGRAM SOURCE
needs: chromium, chromium-driver, python3-selenium

Runs the cases, writes the reports, opens them and looks. Exits with 1 at the first statement that is not true, or
if the browser is missing.
"""
import base64
import contextlib
import functools
import json
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml
from pathlib import Path

PATIENCE = 30  # s, for whatever takes one or two where it works
OPENS_WITHIN = 2000  # ms, from asking for the page to its last plot
LARGEST = 15e6  # bytes
FLAGS = (
    "--headless=new --no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --hide-scrollbars --force-prefers-reduced-motion --window-size=1280,1000"
).split()
HOSTILE = "</script><b>"
FOCUSABLE = "a[href], button, select, input, summary, [tabindex='0']"


def require(is_true, statement):
    if not is_true:
        sys.exit(f"not true: {statement}")
    print(f"  {statement}", flush=True)


def start_browser(folder, *more_flags):
    """Chromium with a profile of its own, whose downloads go to the folder."""
    for tool in ("chromium", "chromedriver"):
        if not shutil.which(tool):
            sys.exit(f"{tool} is missing: install chromium and chromium-driver (tools/setup does)")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for flag in (*FLAGS, *more_flags):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
    behaviour = {"behavior": "allow", "downloadPath": str(folder)}
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", behaviour)
    return browser


def wait_for(what, condition):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    sys.exit(f"not true within {PATIENCE} s: {what}")


class Page:
    """A report in the browser."""

    def __init__(self, browser, file):
        self.browser = browser
        browser.get("about:blank")
        browser.get_log("browser"), browser.get_log("performance")
        browser.get(f"file://{file}")
        self.opened_in = int(wait_for("the page is drawn", lambda: self.js("document.documentElement.dataset.drawn")))

    def js(self, expression, *arguments):
        return self.browser.execute_script(f"return {expression}", *arguments)

    def find(self, selector):
        return self.browser.find_element("css selector", selector)

    def press(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.browser).send_keys(*keys).perform()

    def picture(self):
        return self.js("document.getElementById('body-canvas').toDataURL()")

    def move(self, slider, value):
        """As the mouse would, without the mouse."""
        self.js("((e, v) => { e.value = v; e.dispatchEvent(new Event('input')); })(...arguments)", self.find(slider), value)

    def choose(self, menu, value):
        from selenium.webdriver.support.select import Select

        Select(self.find(menu)).select_by_value(value)

    def requests(self):
        messages = (json.loads(entry["message"])["message"] for entry in self.browser.get_log("performance"))
        return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]


def nothing_is_wrong(page):
    complaints = [entry["message"] for entry in page.browser.get_log("browser")]
    require(not complaints, f"the console is silent {complaints or ''}")
    asked = [url for url in page.requests() if not url.startswith(("file:", "data:", "blob:", "about:"))]
    require(not asked, f"nothing is asked of a network {asked or ''}")


def plots_are_drawn(page):
    lines = page.js("[...document.querySelectorAll('#energy .plot')].map(p => p.querySelectorAll('.js-line[d*=L]').length)")
    require(len(lines) == 4 and all(lines), f"four energy plots have curves: {lines}")
    image = page.js("document.querySelector('#plot-interface .heatmaplayer image').getAttribute('href').length")
    require(image > 1000, f"the space-time diagram has a picture of {image} bytes")
    colours = page.js(
        """(() => { const c = document.getElementById('body-canvas');
        const d = new Uint32Array(c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer);
        return new Set(d).size; })()"""
    )
    require(colours > 100, f"the body is drawn in {colours} colours")


def forces_are_drawn(page, runs):
    lines = page.js("[...document.querySelectorAll('#forces .plot')].map(p => p.querySelectorAll('.js-line[d*=L]').length)")
    require(lines == [2 * runs, 2 * runs, 2 * runs], f"contact forces, friction with its mean, and prescribed forces: {lines}")
    rows = page.js("[...document.querySelectorAll('#forces-table tbody tr')].map(r => r.innerText)")
    require(len(rows) == 5 * runs and all(row.split()[-1] in ("ms", "none") for row in rows), f"each has a mean and a period or none: {rows[:3]}")
    require(page.js("document.getElementById('forces-note').innerText").count("Apparent friction of bottom") == runs, "and it is said in words")


def looks_are_those_of_the_palette(page):
    palette = page.js("JSON.parse(document.getElementById('data').textContent).palette")
    scale = page.js("document.getElementById('plot-interface').data[0].colorscale.map(([, colour]) => colour)")
    require(scale[::2] == [status["colour"] for status in palette["statuses"]], f"statuses have their colours: {scale[::2]}")
    lines = page.js("document.getElementById('plot-energy-components').data.map(t => [t.name, t.line.color, t.line.dash])")
    looks = {e["name"]: [palette["light"][e["colour"]], e["dash"]] for e in palette["energies"]}
    require(lines and all(looks[name] == [colour, dash] for name, colour, dash in lines), f"so have curves: {lines}")
    slopes = page.js("document.getElementById('plot-interface').data.filter(t => /^c_. =/.test(t.name) && t.showlegend !== false).map(t => [t.name.slice(0, 3), t.line.dash])")
    require(dict(slopes) == {s["name"]: s["dash"] for s in palette["speeds"]}, f"and slopes: {slopes}")


def controls_change_the_picture(page):
    seen = [page.picture()]

    def changed(what):
        seen.append(page.picture())
        require(seen[-1] not in seen[:-1], f"{what} changes the picture")

    last = page.js("document.getElementById('time').max")
    page.move("#time", last)
    changed("the time slider")
    page.move("#warp", 3)
    changed("the warp slider")
    page.choose("#body-field", "von_mises")
    changed("the field menu")
    page.find("#play").click()
    wait_for("playing changes the picture", lambda: page.picture() not in seen)
    page.find("#play").click()
    before = page.js("document.querySelector('#plot-interface .heatmaplayer image').getAttribute('href')")
    page.choose("#interface-field", "slip_velocity")
    after = page.js("document.querySelector('#plot-interface .heatmaplayer image').getAttribute('href')")
    require(before != after, "the menu of fields changes the space-time diagram")


def mouse_zooms(page):
    from selenium.webdriver.common.action_chains import ActionChains

    for name in ("energy-balance", "interface"):
        plot = page.find(f"#plot-{name}")
        page.js("arguments[0].scrollIntoView({block: 'center'})", plot)
        time_axis = f"document.getElementById('plot-{name}').layout.{'yaxis' if name == 'interface' else 'xaxis'}.range"
        before = page.js(time_axis)
        ActionChains(page.browser).move_to_element(plot).click_and_hold().move_by_offset(80, 60).release().perform()
        dragged = wait_for(f"dragging zooms {name}", lambda: page.js(time_axis) != before and page.js(time_axis))
        require(dragged[1] - dragged[0] < before[1] - before[0], f"dragging zooms {name}: {dragged}")
        time.sleep(0.5)  # or the next click would be the second of a double one
        ActionChains(page.browser).move_to_element(plot).double_click().perform()
        whole = wait_for("a double click acts", lambda: page.js(time_axis) != dragged and page.js(time_axis))
        require(whole[0] <= before[0] and whole[1] >= before[1], f"a double click shows all of it again: {whole}")


def keys_work(page):
    from selenium.webdriver.common.keys import Keys

    ranges = "[...document.querySelectorAll('#energy .plot')].map(p => p.layout.xaxis.range.join())"
    whole = page.js(ranges)
    page.js("document.getElementById('plot-energy-balance').focus()")
    page.press("+")
    zoomed = page.js(ranges)
    require(zoomed[1] != whole[1] and len(set(zoomed)) == 1, f"plus zooms all four plots in time: {zoomed[1]}")
    page.press(Keys.ARROW_RIGHT)
    require(page.js(ranges)[1] != zoomed[1], "an arrow moves the plot")
    page.press("0")
    require(page.js(ranges) == whole, "0 shows everything again")
    page.js("document.getElementById('body-canvas').focus()")
    page.press(Keys.HOME)
    first = page.picture()
    page.press(Keys.ARROW_RIGHT)
    require(page.picture() != first, "an arrow on the body goes to the next frame")


def tab_reaches_everything(page):
    from selenium.webdriver.common.keys import Keys

    page.js("document.activeElement.blur()"), page.js("scrollTo(0, 0)")
    page.browser.execute_script(
        """window.order = [...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility());
        document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex');""",
        FOCUSABLE,
    )
    count = page.js("window.order.length")
    for i in range(count):
        page.press(Keys.TAB)
        at = page.js("window.order.indexOf(document.activeElement)")
        name = page.js("document.activeElement.outerHTML.slice(0, 90)")
        if at != i:
            sys.exit(f"not true: Tab number {i + 1} of {count} reaches the next control; it reaches {at}: {name}")
    require(count > 40, f"Tab reaches all {count} controls in the order of the page")
    outline = page.js("getComputedStyle(document.activeElement).outlineStyle")
    require(outline == "solid", "what has the focus shows it")
    nameless = page.js(
        """[...document.querySelectorAll('button, select, input, [tabindex="0"]')].filter(e =>
        !(e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label')?.textContent.trim())).length"""
    )
    require(nameless == 0, "every control has a name")


def theme_changes(page):
    colours = "[getComputedStyle(document.body).backgroundColor, document.querySelector('.plot')._fullLayout.paper_bgcolor].join()"
    before = page.js(colours)
    page.find("#theme").click()
    dark = page.js(colours)
    require(page.js("document.documentElement.dataset.theme") == "dark" and before != dark, f"the theme changes: {dark}")
    page.find("#theme").click()
    require(page.js(colours) == before, "and changes back")


def downloads_arrive(page, folder):
    for name in ("energy-components", "interface", "body"):
        for kind in ("svg", "png", "csv"):
            page.js(f"document.querySelector('[aria-label=\"Download {name}.{kind}\"]').click()")
            file = folder / f"{name}.{kind}"
            wait_for(f"{file.name} is downloaded", file.exists)
            content = wait_for(f"{file.name} has content", file.read_bytes)
            if kind == "svg":
                require(xml.fromstring(content).tag.endswith("svg"), f"{file.name} is an SVG of {len(content)} bytes")
            elif kind == "png":
                require(content.startswith(b"\x89PNG"), f"{file.name} is a PNG of {len(content)} bytes")
            else:
                require(content.count(b"\n") > 10, f"{file.name} has {content.count(10)} rows")


def overlay_names_both(page):
    names = page.js("[...document.querySelectorAll('#energy figure:nth-child(3) .legend button')].map(b => b.innerText)")
    require(len(names) == 2 and "moreau_jean" in names[1] and names[0] != names[1], f"two runs, two curves: {names}")
    drawn = page.js("document.querySelectorAll('#plot-work-positive .js-line[d*=L]').length")
    require(drawn == 2, "both are drawn")
    heads = page.js("[...document.querySelectorAll('#verdict-table thead th')].map(t => t.innerText)")
    require(len(heads) == 3, f"the verdicts have a column each: {heads[1:]}")
    page.move("#time", page.js("document.getElementById('time').max"))
    before = page.picture()
    page.choose("#body-run", "1")
    require(page.picture() != before, "the menu shows the other body")


def hostile_text_is_text(page):
    require(page.js("document.querySelectorAll('main b').length") == 0, "text of a case makes no element")
    require(HOSTILE in page.js("document.body.innerText"), "and is shown as it is")


def rotation_is_judged(page, state):
    classes = page.js(
        """[...document.querySelectorAll('#verdict-table tr')].filter(r => r.innerText.includes('Small rotations'))
        .flatMap(r => [...r.querySelector('.verdict').classList])"""
    )
    require(classes == ["verdict", state], f"small rotations: {classes}")


def pixels_of_bodies(page):
    """How many colours the canvas has, and its bytes."""
    page.browser.execute_script(
        """const c = document.getElementById('scene-canvas'), copy = document.createElement('canvas');
        [copy.width, copy.height] = [c.width, c.height];
        copy.getContext('2d').drawImage(c, 0, 0);
        window.seen = copy.getContext('2d').getImageData(0, 0, c.width, c.height).data;"""
    )
    colours = page.js("new Set(new Uint32Array(window.seen.buffer)).size")
    return colours, page.js("document.getElementById('scene-canvas').toDataURL()")


def bodies_move(page):
    colours, first = pixels_of_bodies(page)
    require(colours > 50, f"the bodies are drawn in {colours} colours")
    page.move("#scene-time", page.js("document.getElementById('scene-time').max"))
    last = pixels_of_bodies(page)[1]
    require(last != first, "the time slider moves the bodies")
    page.choose("#scene-field", "speed")
    coloured = pixels_of_bodies(page)[1]
    require(coloured != last, "the menu colours them by speed")
    page.find("#bodies-controls input[type=checkbox]").click()
    require(pixels_of_bodies(page)[1] != coloured, "the forces of joints are shown")
    page.choose("#scene-from", "top")
    above = pixels_of_bodies(page)[1]
    page.move("#scene-time", 0)
    page.find("#scene-play").click()
    wait_for("playing moves the time", lambda: int(page.js("document.getElementById('scene-time').value")) > 1)
    page.find("#scene-play").click()
    require(pixels_of_bodies(page)[1] != above, "playing moves the bodies")


def mouse_turns_bodies(page):
    from selenium.webdriver.common.action_chains import ActionChains

    canvas = page.find("#scene-canvas")
    page.js("arguments[0].scrollIntoView({block: 'center'})", canvas)
    before = pixels_of_bodies(page)[1]
    ActionChains(page.browser).move_to_element(canvas).click_and_hold().move_by_offset(120, 40).release().perform()
    require(pixels_of_bodies(page)[1] != before, "dragging turns the scene")
    page.browser.execute_script("document.getElementById('scene-canvas').focus()")
    before = page.js("document.getElementById('scene-time').value")
    from selenium.webdriver.common.keys import Keys

    page.press(Keys.ARROW_RIGHT)
    require(page.js("document.getElementById('scene-time').value") != before, "an arrow goes to the next frame")


def bodies_arrive(page, folder):
    for kind in ("png", "csv"):
        page.js(f"document.querySelector('[aria-label=\"Download bodies.{kind}\"]').click()")
        file = folder / f"bodies.{kind}"
        content = wait_for(f"{file.name} is downloaded", lambda: file.exists() and file.read_bytes())
        require(content.startswith(b"\x89PNG") if kind == "png" else content.count(b"\n") > 10, f"{file.name} is a {kind}")


def prints(page):
    pdf = base64.b64decode(page.browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"])
    require(pdf.startswith(b"%PDF") and len(pdf) > 50_000, f"it prints: {len(pdf)} bytes")


def opens_fast(browser, file):
    size = file.stat().st_size
    require(size < LARGEST, f"the report of the paper's run has {size / 1e6:.1f} MB")
    times = [Page(browser, file).opened_in for _ in range(3)]
    require(min(times) < OPENS_WITHIN, f"it opens in {min(times)} ms (of {times})")


def main():
    program, source = (Path(argument).resolve() for argument in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as ends:
        folder = Path(name)
        downloads = folder / "downloads"
        downloads.mkdir()

        def slipwave(*arguments):
            subprocess.run([program, *map(str, arguments)], cwd=folder, check=True, stdout=subprocess.DEVNULL)

        block = functools.partial(slipwave, "run", "--quiet")
        short = ("--steps", 400, "--set", "mesh.size=2", "--set", "output.frames_every=20")
        block(source / "cases/sliding_block.toml", "--out", "fremond", *short)
        block(source / "cases/sliding_block_moreau_jean.toml", "--out", "moreau_jean", *short)
        block(source / "cases/sliding_block.toml", "--out", "hostile", "--steps", 5, "--set", f'units.length="{HOSTILE}"')
        block(source / "cases/mass_spring.toml", "--out", "finite", "--steps", 500)
        block(source / "cases/verify/rayleigh_pulse.toml", "--out", "surface", "--steps", 100, "--set", "mesh.size=4")
        block(source / "cases/sliding_block.toml", "--out", "paper")
        block(source / "cases/rolling_disc.toml", "--out", "disc", "--set", "limits.rotation=10", "--set", "mesh.size=8")
        block(source / "cases/domino.toml", "--out", "dominoes", "--set", "time.end=0.6")
        for run in ("fremond", "hostile", "finite", "surface", "disc", "paper", "dominoes"):
            slipwave("report", run)
        slipwave("report", "fremond", "moreau_jean", "--out", "both.html")
        browser = start_browser(downloads)
        ends.callback(browser.quit)

        print("one run")
        page = Page(browser, folder / "fremond/report.html")
        nothing_is_wrong(page)
        plots_are_drawn(page)
        forces_are_drawn(page, 1)
        looks_are_those_of_the_palette(page)
        require(page.js("document.getElementById('interface-field').value") == "status", "the diagram opens on the status")
        controls_change_the_picture(page)
        mouse_zooms(page)
        keys_work(page)
        tab_reaches_everything(page)
        theme_changes(page)
        downloads_arrive(page, downloads)
        prints(page)
        nothing_is_wrong(page)
        rotation_is_judged(page, "good")
        print("a disc that rolls too far for linear elasticity")
        page = Page(browser, folder / "disc/report.html")
        rotation_is_judged(page, "bad")
        nothing_is_wrong(page)
        print("two runs")
        page = Page(browser, folder / "both.html")
        overlay_names_both(page)
        forces_are_drawn(page, 2)
        nothing_is_wrong(page)
        print("a case with hostile text")
        page = Page(browser, folder / "hostile/report.html")
        hostile_text_is_text(page)
        nothing_is_wrong(page)
        print("a system of a few degrees of freedom")
        page = Page(browser, folder / "finite/report.html")
        rotation_is_judged(page, "plain")
        require(page.js("document.querySelectorAll('#plot-trajectory .js-line[d*=L]').length") == 1, "its trajectory is drawn")
        require(page.js("document.querySelectorAll('#plot-forces-contact .js-line[d*=L]').length") == 2, "and its contact forces")
        nothing_is_wrong(page)
        print("a line that nothing touches")
        page = Page(browser, folder / "surface/report.html")
        require(page.js("document.getElementById('interface-field').value") == "slip_velocity", "it opens on the motion of the surface")
        colours = page.js("new Set(document.getElementById('plot-interface').data[0].z.flat()).size")
        require(colours > 100, f"of which there is something to see: {colours} values")
        nothing_is_wrong(page)
        print("rigid bodies in space")
        page = Page(browser, folder / "dominoes/report.html")
        require(page.js("document.getElementById('interface').hidden && document.getElementById('body').hidden"), "there is no mesh to show")
        bodies_move(page)
        mouse_turns_bodies(page)
        bodies_arrive(page, downloads)
        nothing_is_wrong(page)
        print("the same without WebGL")
        blind = start_browser(downloads, "--disable-3d-apis")
        ends.callback(blind.quit)
        page = Page(blind, folder / "dominoes/report.html")
        require("has no WebGL" in page.js("document.getElementById('bodies').innerText"), "it says why nothing is drawn")
        nothing_is_wrong(page)
        print("the paper's run")
        opens_fast(browser, folder / "paper/report.html")


main()
